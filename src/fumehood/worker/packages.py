"""Putting packages where every sandbox of a zygote can import them: a process of its own does it,
to which the host has a socket.

    ← what there is already: the Python, and what is installed;     a line of JSON
      or why nothing can be put anywhere
    → a name and a size, and then so many bytes, a tar;             a line of JSON, and the bytes
      and names of what nobody uses any more
    ← where they are, or why they are not                           a line of JSON

Or, of packages that are there already, as in the image of a container:

    → their names                                                   a line of JSON
    ← the files of code that each says it has                       a line of JSON

Nothing of a package is run here. Its files are unpacked beside all others, under a name that the
host has chosen by their content, and are there whole or not at all. Then they are compiled, for
nobody who imports them can keep what the compiler made of them; nobody waits for that. What a
sandbox imports from is its own (runner.py): it does not see what was installed for another.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import re
import socket
import sys
from io import BufferedRWPair
from typing import TYPE_CHECKING, Any

from fumehood.jail import filesystem, kernel
from fumehood.worker.trees import remove_tree

if TYPE_CHECKING:  # the process that this one is a copy of has no use for them
    import tarfile
    from collections.abc import Callable, Iterator

_LAST_PRIORITY = 19
_PIECE = 1 << 18


def serve(host: socket.socket, place: str) -> None:
    """Take packages from the host, and put them into `place`."""
    kernel.set_process_name("fumehood-unpack")
    path = None
    # It may go away.
    with contextlib.suppress(EOFError, ConnectionError), host, host.makefile("rwb") as line:
        try:
            if place == filesystem.PACKAGES:
                filesystem.open_packages()
            _say(line, description())
        except Exception as error:  # the host cannot ask for the reason later
            _say(line, {"failed": f"{type(error).__name__}: {error}"})
            return
        if asked := line.readline():
            answer = _answer(json.loads(asked), line, place)
            path = answer.get("path")
            _say(line, answer)
    if path is not None:
        _compile(path)


def _answer(request: dict[str, Any], line: BufferedRWPair, place: str) -> dict[str, Any]:
    if "files_of" in request:
        return {"packages": files_of(request["files_of"], sys.path)}
    archive = _Part(line, request["size"])
    try:
        for unused in request["remove"]:
            remove_tree(f"{place}/{unused}")
        return {"path": unpack(archive, f"{place}/{request['name']}")}
    except OSError as error:
        return {"failed": error.strerror or str(error), "full": error.errno == errno.ENOSPC}
    except ValueError as error:
        return {"failed": str(error), "full": False}
    finally:
        archive.skip()  # the host would not read the answer while it still sends


def _say(line: BufferedRWPair, body: dict[str, object]) -> None:
    line.write(json.dumps(body).encode() + b"\n")
    line.flush()


# -- what there is


def description() -> dict[str, object]:
    """What decides which packages fit in here."""
    import platform
    import sysconfig

    libc, version = platform.libc_ver()
    is_musl = "musl" in (sysconfig.get_config_var("SOABI") or "")
    return {
        "python": list(sys.version_info[:3]),
        "libc": ["musl", "1.2"] if is_musl else [libc, version],
        "markers": markers(),
        "installed": installed(sys.path),
    }


def markers() -> dict[str, str]:
    """What packages ask of the Python that they are for (PEP 508)."""
    import platform

    return {
        "implementation_name": sys.implementation.name,
        "implementation_version": platform.python_version(),
        "os_name": os.name,
        "platform_machine": platform.machine(),
        "platform_python_implementation": platform.python_implementation(),
        "platform_system": platform.system(),
        "python_full_version": platform.python_version(),
        "python_version": ".".join(platform.python_version_tuple()[:2]),
        "sys_platform": sys.platform,
    }


def installed(path: list[str]) -> dict[str, str]:
    """Names and versions of what can be imported already: of each name the first that is found, as
    an import would."""
    return {name: version for name, version, _files in reversed([*_distributions(path)])}


def files_of(names: list[str], path: list[str]) -> list[list[object]]:
    """Name, version and files of code, of these packages; and of all others that have files below
    the same directories, for a directory may be shared. What has no list of its files is left
    out."""
    rows: dict[str, tuple[str, list[str]]] = {}
    for name, version, files in _distributions(path):
        listed = files()
        if listed is not None and name not in rows:
            code = [str(file) for file in listed if file.suffix in (".py", ".so")]
            rows[name] = version, code
    tops = {file.partition("/")[0] for name in names if name in rows for file in rows[name][1]}
    return [
        [name, version, [file for file in files if file.partition("/")[0] in tops]]
        for name, (version, files) in rows.items()
    ]


def _distributions(path: list[str]) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    from importlib import metadata

    for found in metadata.distributions(path=path):
        with contextlib.suppress(Exception):  # one without a name, or that cannot be read
            name = re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower()
            yield name, found.version, functools.partial(getattr, found, "files")


# -- unpacking


class _Part:
    """So many bytes of a stream, as a file."""

    def __init__(self, stream: BufferedRWPair, size: int) -> None:
        self._stream, self._left = stream, size

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, self._left))
        if not data and min(size, self._left):
            raise EOFError
        self._left -= len(data)
        return data

    def skip(self) -> None:
        while self.read(_PIECE):
            pass


def unpack(stream: _Part, path: str) -> str:
    """Make a directory of a tar. OSError, and there is none, if there is no room; ValueError if
    something else than files is in it."""
    import tarfile

    unfinished = f"{path}.{os.urandom(8).hex()}"
    os.mkdir(unfinished, 0o755)
    try:
        with tarfile.open(fileobj=stream, mode="r|") as tar:  # type: ignore[call-overload]  # all that it needs is `read`
            for member in tar:
                _unpack(tar, member, unfinished)
        os.rename(unfinished, path)
    except BaseException as error:
        remove_tree(unfinished)
        if isinstance(error, tarfile.TarError):
            raise ValueError(f"what came is no archive: {error}") from None
        raise
    return path


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, root: str) -> None:
    """One file or directory. Stricter than the filters of `tarfile`, which not every Python has
    that we run on."""
    names = member.name.split("/")
    if not all(names) or not {*names}.isdisjoint((".", "..")) or "\0" in member.name:
        raise ValueError(f"{member.name!r} is no name in the archive's own directory")
    target = "/".join([root, *names])
    content = tar.extractfile(member) if member.isreg() else None
    if member.isdir():
        os.mkdir(target, 0o755)
    elif content is not None:
        descriptor = os.open(
            target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
        )
        with open(descriptor, "wb") as file:
            while piece := content.read(_PIECE):
                file.write(piece)
    else:
        raise ValueError(f"{member.name!r} is neither a file nor a directory")


def _compile(directory: str) -> None:
    """Beside all else that there is to do. What cannot be compiled fails again, with its reason,
    where it is imported."""
    import compileall
    import py_compile

    os.nice(_LAST_PRIORITY)
    compileall.compile_dir(
        directory, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
