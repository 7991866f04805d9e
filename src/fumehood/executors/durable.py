"""Durable state, on the host: variables of a sandbox in a file, and a new executor that begins with
them.

    fumehood state 3 <sha256 of the rest>      one line of text
    header                                     JSON, one line: what is in the file
    payload                                    made in a sandbox, read in a sandbox, opaque here

The checksum detects accidents. A forged file is code, and is treated as code: it runs in the jail.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import msgspec

import fumehood
from fumehood.errors import PolicyError, SandboxFailed, StateFileError, WorkerProtocolError
from fumehood.events import StateLoaded, StateSaved
from fumehood.executors.session import Session
from fumehood.policy import Limits, Policy
from fumehood.wire import messages

if TYPE_CHECKING:
    from fumehood.executors.base import PythonExecutor

VERSION = 3
_MAGIC = b"fumehood state "
_FIRST_LINE = re.compile(rb"fumehood state ([1-9]\d{0,8}) (?:\d+ )?([0-9a-f]{64})\n")
_MOST_FIRST_LINE = 128
_MOST_HEADER = 16 << 20
_FRAME_ROOM = 1 << 16
"""What a message has beside the payload."""

_NO_STATE = "the sandbox gave something else than its state"

PathLike = str | os.PathLike[str]


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    fumehood: str
    python: Annotated[str, msgspec.Meta(pattern=r"^[\w.+-]{1,40}$")]
    created: str
    policy: dict[str, Any]
    modules: list[str]
    saved: dict[str, str]
    """Names and kinds."""
    not_saved: dict[str, str]
    """Names and reasons."""


@dataclass(frozen=True)
class SavedState:
    """What is in a file of saved variables, and what is not."""

    path: str
    saved: tuple[str, ...]
    not_saved: dict[str, str]
    """The reason for each variable that is not in the file."""
    bytes: int
    """The size of the file."""
    kinds: dict[str, str] = field(default_factory=dict, repr=False)
    """The kind of each variable that is."""
    modules: tuple[str, ...] = ()
    """The modules that the variables need; a policy must authorize them."""
    fumehood: str = ""
    python: str = ""
    created: str = ""
    policy: dict[str, Any] = field(default_factory=dict, repr=False)
    """The policy under which they were made, for information only."""

    @classmethod
    def read(cls, path: PathLike) -> SavedState:
        """The description in a file. Raises StateFileError, or OSError."""
        with _opened(path) as (_file, header, size):
            return _described(os.fspath(path), header, size)


def save(session: Session, policy: Policy, path: PathLike) -> SavedState:
    """Write a sandbox's variables to a file. An older file stays until the new one is complete."""
    try:
        answer = session.ask(messages.SaveState())
    except ValueError as error:
        raise StateFileError(
            f"the variables cannot be saved: {error}; delete some, or raise the limit"
        ) from None
    if type(answer) is not dict or type(payload := answer.pop("payload", None)) is not bytes:
        raise WorkerProtocolError(_NO_STATE)
    more = {
        "fumehood": fumehood.__version__,
        "python": ".".join(map(str, session.python)),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "policy": policy.as_fields(),
    }
    try:
        header = msgspec.convert({**answer, **more}, _Header)
    except msgspec.ValidationError:
        raise WorkerProtocolError(_NO_STATE) from None
    text = msgspec.json.encode(header) + b"\n"
    if len(text) > _MOST_HEADER:
        raise StateFileError(
            f"there are too many variables to save: their names and kinds take {len(text):,} bytes"
            f" of {_MOST_HEADER:,}"
        )
    digest = hashlib.sha256(text)
    digest.update(payload)
    first = b"%s%d %s\n" % (_MAGIC, VERSION, digest.hexdigest().encode())
    _write(os.fspath(path), (first, text, payload))
    session.events.emit(StateSaved, path=os.fspath(path))
    return _described(os.fspath(path), header, len(first) + len(text) + len(payload))


def load(
    make: type[PythonExecutor], path: PathLike, policy: Policy | None, options: dict[str, Any]
) -> Any:
    """A new executor with the variables of a file. Raises StateFileError, PolicyError for what the
    policy lacks, or OSError."""
    if options.get("isolation", "jail") != "jail":
        raise PolicyError(
            "loading needs the jail: what is in a file must not run in this process;"
            " isolation='inline' has none"
        )
    limits = policy.limits if isinstance(policy, Policy) else options.get("limits") or Limits()
    with _opened(path) as (file, header, size):
        left = size - file.tell()
        if left > limits.frame_bytes - _FRAME_ROOM:
            raise StateFileError(
                f"{path}: its variables take {left:,} bytes; limits.frame_bytes is"
                f" {limits.frame_bytes:,}"
            )
        payload = file.read(left)
    given = {} if policy is None else {"policy": policy}
    executor: Any = make(**given, **options)
    try:
        _require(executor.policy, header.modules, path)
        _send(executor._session, payload, path, header)
    except BaseException:
        executor.close()
        raise
    return executor


def _send(worker: Session, payload: bytes, path: PathLike, header: _Header) -> None:
    written, there = header.python, ".".join(map(str, worker.python))
    if written.split(".")[:2] != there.split(".")[:2]:
        raise StateFileError(
            f"{path} was written by Python {written}, and the sandbox has {there}: functions are"
            " saved as bytecode; load it with the same minor version"
        )
    node, buffers = worker.encode(payload)
    try:
        worker.ask(messages.LoadState(payload=node), buffers)
    except PolicyError as error:
        raise PolicyError(f"{path}: {_one_line(str(error))}") from None
    except (SandboxFailed, ValueError, TypeError, OSError, LookupError) as error:
        text = _one_line(str(error).removeprefix("StateUnreadable: "))
        raise StateFileError(f"{path} cannot be loaded: {text}") from None
    worker.events.emit(StateLoaded, path=os.fspath(path))


def _require(policy: Policy, modules: list[str], path: PathLike) -> None:
    """PolicyError if a module of the state is not authorized: a file widens no policy."""
    missing = sorted(
        module
        for module in modules
        if not policy.authorizes(module) and not policy.is_package_of_authorized(module)
    )
    if missing:
        tops = [
            module
            for module in missing
            if not any(module.startswith(other + ".") for other in missing)
        ]
        what = f"needs modules that the policy does not authorize: {', '.join(map(_shown, tops))}"
        raise PolicyError(
            f"{path} {what}; pass policy=Policy(imports={[*policy.imports, *tops]!r}) if you trust"
            " it with them"
        )


# -- the file


@contextlib.contextmanager
def _opened(path: PathLike) -> Iterator[tuple[BinaryIO, _Header, int]]:
    """A file at the beginning of its payload, its header and its size. Another kind of file is not
    waited for."""
    name = os.fspath(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise StateFileError(f"{name} is not a regular file")
        first = file.readline(_MOST_FIRST_LINE)
        if not first.startswith(_MAGIC):
            raise StateFileError(f"{name} is not a file of saved variables")
        matched = _FIRST_LINE.fullmatch(first)
        if matched is None:
            raise StateFileError(f"{name} is damaged: its first line cannot be read")
        if (version := int(matched[1])) != VERSION:
            other = "a newer" if version > VERSION else "an older"
            raise StateFileError(
                f"{name} was written by {other} fumehood (version {version} of the format; this one"
                f" reads {VERSION})"
            )
        if hashlib.file_digest(file, "sha256").hexdigest().encode() != matched[2]:
            raise StateFileError(f"{name} is damaged: it is not what was written; save it anew")
        file.seek(len(first))
        try:
            header = msgspec.json.decode(file.readline(_MOST_HEADER), type=_Header)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise StateFileError(
                f"{name} has a header that cannot be read: {_one_line(str(error))}"
            ) from None
        yield file, header, status.st_size


def _described(path: str, header: _Header, size: int) -> SavedState:
    return SavedState(
        path=path,
        saved=tuple(map(_shown, header.saved)),
        not_saved={_shown(name): _shown(reason) for name, reason in header.not_saved.items()},
        bytes=size,
        kinds={_shown(name): _shown(kind) for name, kind in header.saved.items()},
        modules=tuple(map(_shown, header.modules)),
        fumehood=_shown(header.fumehood),
        python=header.python,
        created=_shown(header.created),
        policy=header.policy,
    )


def _write(path: str, parts: tuple[bytes, ...]) -> None:
    """Write a file completely or not at all. Only its owner may read it."""
    target = Path(path).resolve()  # a link stays a link
    directory = target.parent
    descriptor, unfinished = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(descriptor)
        Path(unfinished).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(unfinished).unlink()
        raise
    # Not every file system can make the name outlast a power failure, too.
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _shown(text: str) -> str:
    """Text of a file, without control characters."""
    return (
        text
        if text.isprintable()
        else "".join(letter if letter.isprintable() else "?" for letter in text)
    )


def _one_line(text: str) -> str:
    return _shown(" ".join(text.split())[:1000])
