"""Every way in which the server says no: a status, a code for programs, one line for people.

Refusal
├── Invalid          400  the request cannot be understood, or asks for what cannot be
├── NotAllowed       401  no key, or one that is not known
├── Forbidden        403  a known key that may not do this
├── NotFound         404  it is not there, or is another key's: the answer is the same
├── WrongMethod      405  the path is there, for another method
├── NotAcceptable    406  the answer cannot be had in the form that was asked for
├── TooSlow          408  the request came more slowly than is waited for
├── Conflict         409  not in the state that it is in
├── Gone             410  it was there and is over
├── TooLarge         413  more bytes than are taken
├── WrongMedia       415  a body of another kind than is taken here
├── Busy             429  too many at once, or too often; Retry-After says when to come back
├── HeadersTooLarge  431  more header bytes than are taken
├── Failed           500  not the caller's fault
├── Closing          503  the server starts, ends, or has no room; Retry-After says when to come
                          back
└── Full             507  no room on the disk or in /home/user
"""

from __future__ import annotations

import errno
import math
from http import HTTPStatus
from typing import ClassVar

import msgspec

from fumehood.errors import (
    FumehoodError,
    InstallFailed,
    JailUnavailable,
    NoRoom,
    PolicyError,
    SandboxFailed,
    SnapshotGone,
    ToolError,
)


class Refusal(Exception):
    """A request that is answered with "no". The message is one line, and holds nothing of a key."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "failed"

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after

    def headers(self) -> dict[str, str]:
        return (
            {}
            if self.retry_after is None
            else {"retry-after": str(max(1, math.ceil(self.retry_after)))}
        )

    def body(self) -> bytes:
        """The same for the native API and for E2B's, which wants `code` to be the status."""
        return msgspec.json.encode(
            {"code": self.status, "error": self.code, "message": self.message}
        )


class Invalid(Refusal):
    status, code = 400, "invalid"


class NotAllowed(Refusal):
    status, code = 401, "not_allowed"

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "www-authenticate": "Bearer"}


class Forbidden(Refusal):
    status, code = 403, "forbidden"


class NotFound(Refusal):
    status, code = 404, "not_found"


class WrongMethod(Refusal):
    status, code = 405, "wrong_method"

    def __init__(self, message: str, allowed: tuple[str, ...]) -> None:
        super().__init__(message)
        self.allowed = allowed

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "allow": ", ".join(self.allowed)}


class NotAcceptable(Refusal):
    status, code = 406, "not_acceptable"


class TooSlow(Refusal):
    status, code = 408, "too_slow"


class Conflict(Refusal):
    status, code = 409, "conflict"


class Gone(Refusal):
    status, code = 410, "gone"


class TooLarge(Refusal):
    status, code = 413, "too_large"


class WrongMedia(Refusal):
    status, code = 415, "wrong_media"


class Busy(Refusal):
    status, code = 429, "busy"

    def __init__(self, message: str, *, retry_after: float = 1.0) -> None:
        super().__init__(message, retry_after=retry_after)


class HeadersTooLarge(Refusal):
    status, code = 431, "headers_too_large"


class Failed(Refusal):
    status, code = 500, "failed"


class Closing(Refusal):
    status, code = 503, "unavailable"

    def __init__(self, message: str, *, retry_after: float = 5.0) -> None:
        super().__init__(message, retry_after=retry_after)


class Full(Refusal):
    status, code = 507, "full"


def of(error: BaseException) -> Refusal | None:
    """What an error of an executor means to whoever asked; None for one that nobody expected, which
    is then our fault."""
    for kind, refusal in _MEANS:
        if isinstance(error, kind):
            return refusal(_one_line(error))
    if (
        isinstance(error, OSError) and error.errno is None and error.args
    ):  # as a sandbox tells of one: by its text
        return (Full if "space" in str(error) else Conflict)(_one_line(error))
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Full(_one_line(error))
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return Closing(f"the server has no room for this now: {_one_line(error)}")
    return None


# The first that fits. What is left is a bug until somebody has looked at it.
_MEANS: tuple[tuple[type[BaseException], type[Refusal]], ...] = (
    (SnapshotGone, Gone),
    (InstallFailed, Invalid),
    (JailUnavailable, Closing),
    (NoRoom, Closing),
    (SandboxFailed, Conflict),
    (PolicyError, Invalid),
    (ToolError, Invalid),
    (FileNotFoundError, NotFound),
    (FileExistsError, Conflict),
    (IsADirectoryError, Conflict),
    (NotADirectoryError, Conflict),
    (PermissionError, Forbidden),
    (FumehoodError, Invalid),
)


def _one_line(error: BaseException) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0][:1000].encode("utf-8", "backslashreplace").decode()


def phrase(status: int) -> str:
    return HTTPStatus(status).phrase
