"""The `e2b-code-interpreter` package, imported where it is needed, and what it raises as errors of
ours."""

from __future__ import annotations

import errno
import os
from typing import Any

from fumehood.errors import (
    E2BFailed,
    E2BKeyRefused,
    E2BQuotaReached,
    E2BSandboxGone,
    E2BUnavailable,
    MissingExtra,
    PolicyError,
)

KEY = "E2B_API_KEY"
_LONGEST = 400


_used_by: int | None = None
"""The process that has used the package."""


def sandbox_class() -> Any:
    """The package's Sandbox. MissingExtra if the package is not installed. E2BUnavailable in a fork
    of a process that has used it: threads that send its requests are not there, and a request would
    never end."""
    global _used_by
    if _used_by not in (None, os.getpid()):
        raise E2BUnavailable(
            "the package e2b does not work in a process that was forked from one that has used it;"
            " start that process anew (spawn)"
        )
    try:
        from e2b_code_interpreter import Sandbox
    except ImportError as error:
        missing = "" if error.name in ("e2b", "e2b_code_interpreter") else f" ({error})"
        raise MissingExtra(
            "E2BExecutor needs the package e2b-code-interpreter: pip install"
            f" 'fumehood[e2b]'{missing}"
        ) from None
    _used_by = os.getpid()
    return Sandbox


def check_key(api_key: str | None) -> None:
    """E2BKeyRefused if there is none."""
    if api_key is not None and not isinstance(api_key, str):
        raise PolicyError(f"api_key must be a string, not {type(api_key).__name__}")
    if not (api_key or os.environ.get(KEY)):
        raise E2BKeyRefused(
            f"there is no key for E2B: give api_key=…, or set {KEY}; keys are had from whoever runs"
            " the service"
        )


def as_ours(error: Exception, doing: str) -> E2BFailed:
    """What the package raised, as one of ours, in one line that says at what it was raised."""
    if isinstance(error, E2BFailed):
        return error
    from e2b import exceptions

    told = f"{doing}: {one_line(error)}"
    for kind, ours, advice in (
        (exceptions.AuthenticationException, E2BKeyRefused, "give another api_key"),
        (exceptions.RateLimitException, E2BQuotaReached, "close sandboxes, or come back later"),
        (_named(exceptions, "ServiceBusyException"), E2BUnavailable, "come back later"),
        (_named(exceptions, "SandboxNotRunningException"), E2BSandboxGone, ""),
        (_named(exceptions, "SandboxNotFoundException"), E2BSandboxGone, ""),
        (_named(exceptions, "SandboxUnreachableException"), E2BUnavailable, ""),
        (exceptions.TimeoutException, E2BUnavailable, ""),
        (exceptions.SandboxException, E2BFailed, ""),
    ):
        if kind is not None and isinstance(error, kind):
            made: E2BFailed = ours(
                f"{told}; {advice}" if advice else told, status=getattr(error, "status_code", None)
            )
            return made
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return E2BUnavailable(f"{told}; close sandboxes, or raise the limit of open files")
    if _is_of_the_network(error):
        return E2BUnavailable(f"{told}; is there a network, and is the address right?")
    return E2BFailed(told)


def one_line(error: object) -> str:
    """An error's text, as much as a line holds of it. A service may say anything."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    return (text if len(text) <= _LONGEST else text[:_LONGEST] + "…") or type(error).__name__


def _named(module: Any, name: str) -> type[Exception] | None:
    """An exception that not every version of the package has."""
    found: type[Exception] | None = getattr(module, name, None)
    return found


def _is_of_the_network(error: BaseException | None) -> bool:
    import httpx

    seen = 0
    while error is not None and seen < 8:
        if (
            isinstance(error, (OSError, httpx.TransportError))
            or type(error).__module__.partition(".")[0] == "pyqwest"
        ):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False
