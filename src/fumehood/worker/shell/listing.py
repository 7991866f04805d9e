"""Commands that tell about files: ls, stat, du, df, realpath, readlink."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator

from fumehood.worker.shell.calls import Call, Options, Usage, reason
from fumehood.worker.shell.facts import USER

_KINDS = (
    (stat.S_ISREG, "regular file"),
    (stat.S_ISDIR, "directory"),
    (stat.S_ISLNK, "symbolic link"),
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "character special file"),
    (stat.S_ISBLK, "block special file"),
)
_HALF_A_YEAR = 15_778_476


def readable(size: float) -> str:
    """A size as people read it: 1.5K."""
    if size < 1024:
        return str(int(size))
    for unit in "KMGTP":
        size /= 1024
        if size < 1023.5 or unit == "P":
            break
    tenths = -(-size * 10 // 1)
    return f"{tenths / 10:.1f}{unit}" if tenths < 100 else f"{int(-(-size // 1))}{unit}"


def ls(call: Call) -> int | None:
    options = Options(
        call.arguments,
        "laA1RdhtrSFpinCsgoU",
        "",
        {"all": "a", "almost-all": "A", "recursive": "R", "human-readable": "h", "color": "color?"},
    )
    files: list[tuple[str, os.stat_result]] = []
    directories: list[str] = []
    for name in options.operands or ["."]:
        try:
            found = (
                call.places.lstat(name)
                if "d" in options or "l" in options
                else _followed(call, name)
            )
            if stat.S_ISLNK(found.st_mode) and "d" not in options and name.endswith("/"):
                found = call.places.stat(name)
        except (OSError, ValueError) as error:
            call.say(f"cannot access '{name}': {reason(error)}")
            call.status = 2
            continue
        if stat.S_ISDIR(found.st_mode) and "d" not in options:
            directories.append(name)
        else:
            files.append((name, found))
    _show(call, options, files, "", heads=False)
    has_shown = bool(files)
    names = len(options.operands) > 1 or "R" in options
    stack = [*reversed(_by_name(directories))]
    while stack:
        directory = stack.pop()
        try:
            entries = _entries(call, directory, options)
        except (OSError, ValueError) as error:
            call.say(f"cannot open directory '{directory}': {reason(error)}")
            call.status = 2
            continue
        if names:
            call.out.line(f"{chr(10) if has_shown else ''}{directory}:")
        has_shown = True
        shown = _show(call, options, entries, directory, heads="l" in options)
        if "R" in options:
            below = [
                name
                for name, found in shown
                if stat.S_ISDIR(found.st_mode) and name not in (".", "..")
            ]
            stack += [f"{directory.rstrip('/')}/{name}" for name in reversed(below)]
    return None


def _followed(call: Call, name: str) -> os.stat_result:
    try:
        return call.places.stat(name)
    except FileNotFoundError:
        return call.places.lstat(name)


def _by_name(names: list[str]) -> list[str]:
    return sorted(names)


def _entries(call: Call, directory: str, options: Options) -> list[tuple[str, os.stat_result]]:
    names = call.places.names(directory)
    if "a" in options:
        names = [".", "..", *names]
    elif "A" not in options:
        names = [name for name in names if not name.startswith(".")]
    found: list[tuple[str, os.stat_result]] = []
    for name in names:
        try:
            found.append((name, call.places.lstat(f"{directory}/{name}")))
        except PermissionError:  # what is above what may be seen
            found.append((name, call.places.lstat(directory)))
        except FileNotFoundError:
            continue  # somebody has just removed it
    return found


def _show(
    call: Call,
    options: Options,
    entries: list[tuple[str, os.stat_result]],
    directory: str,
    *,
    heads: bool,
) -> list[tuple[str, os.stat_result]]:
    """Show files in the order that was asked for, which is given."""
    entries = sorted(entries)
    if "S" in options:
        entries.sort(key=lambda entry: -entry[1].st_size)
    elif "t" in options:
        entries.sort(key=lambda entry: -entry[1].st_mtime_ns)
    if "r" in options:
        entries.reverse()
    sizes = [
        readable(found.st_size) if "h" in options else str(found.st_size)
        for _name, found in entries
    ]
    if heads:
        blocks = sum(found.st_blocks for _name, found in entries)
        call.out.line(f"total {readable(blocks * 512) if 'h' in options else blocks // 2}")
    links = max((len(str(found.st_nlink)) for _name, found in entries), default=0)
    width = max(map(len, sizes), default=0)
    for (name, found), size in zip(entries, sizes, strict=True):
        mark = (
            _mark(found.st_mode)
            if "F" in options
            else "/"
            if "p" in options and stat.S_ISDIR(found.st_mode)
            else ""
        )
        if "l" not in options:
            call.out.line((f"{found.st_ino} " if "i" in options else "") + name + mark)
            continue
        target = ""
        if stat.S_ISLNK(found.st_mode):
            target, mark = (
                f" -> {call.places.link(f'{directory}/{name}' if directory else name)}",
                "",
            )
        who = f"{owner(found.st_uid)} {owner(found.st_gid, is_group=True)}"
        row = (
            f"{stat.filemode(found.st_mode)} {found.st_nlink:>{links}} {who} {size:>{width}}"
            f" {_when(found.st_mtime)} {name}{mark}{target}"
        )
        call.out.line((f"{found.st_ino} " if "i" in options else "") + row)
    return entries


def _mark(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "/"
    if stat.S_ISLNK(mode):
        return "@"
    return "|" if stat.S_ISFIFO(mode) else "*" if stat.S_ISREG(mode) and mode & 0o111 else ""


def owner(number: int, *, is_group: bool = False) -> str:
    """Who a file belongs to. In a sandbox there is one user; whoever else's it is, is nobody."""
    own = os.getegid() if is_group else os.geteuid()
    return USER if number == own else "root" if number == 0 else "nobody"


def _when(moment: float) -> str:
    is_recent = -60 < time.time() - moment < _HALF_A_YEAR
    return time.strftime("%b %e %H:%M" if is_recent else "%b %e  %Y", time.localtime(moment))


def stat_(call: Call) -> None:
    options = Options(
        call.arguments, "L", "c", {"format": "c", "printf": "printf=", "dereference": "L"}
    )
    if not options.operands:
        raise Usage("the name of a file is missing")
    for name in options.operands:
        try:
            found = call.places.stat(name) if "L" in options else call.places.lstat(name)
        except (OSError, ValueError) as error:
            call.say(f"cannot stat '{name}': {reason(error)}")
            continue
        if "c" in options:
            call.out.line(_formatted(options.get("c"), name, found))
            continue
        kind = _kind(found)
        call.out.line(f"  File: {name}")
        call.out.line(
            f"  Size: {found.st_size:<10}\tBlocks: {found.st_blocks:<10} IO Block:"
            f" {found.st_blksize:<6} {kind}"
        )
        call.out.line(
            f"Access: ({stat.S_IMODE(found.st_mode):04o}/{stat.filemode(found.st_mode)})  Uid:"
            f" {owner(found.st_uid)}"
        )
        call.out.line(f"Modify: {_moment(found.st_mtime_ns)}")


def _kind(found: os.stat_result) -> str:
    kind = next((text for is_it, text in _KINDS if is_it(found.st_mode)), "unknown")
    return "regular empty file" if kind == "regular file" and not found.st_size else kind


def _moment(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    moment = time.localtime(seconds)
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', moment)}.{rest:09} {time.strftime('%z', moment)}"


def _formatted(form: str, name: str, found: os.stat_result) -> str:
    facts = {
        "n": name, "s": found.st_size, "a": f"{stat.S_IMODE(found.st_mode):o}", "A": stat.filemode(found.st_mode), "F": _kind(found),  # noqa: E501
        "h": found.st_nlink, "i": found.st_ino, "U": owner(found.st_uid), "G": owner(found.st_gid, is_group=True), "u": found.st_uid,  # noqa: E501
        "g": found.st_gid, "Y": int(found.st_mtime), "X": int(found.st_atime), "Z": int(found.st_ctime), "y": _moment(found.st_mtime_ns),  # noqa: E501
        "b": found.st_blocks, "B": 512, "%": "%",
    }  # fmt: skip
    head, *rest = form.split("%")
    text, is_literal = head, False
    for piece in rest:
        if is_literal:
            text, is_literal = text + piece, False
        elif not piece:
            text, is_literal = text + "%", True
        elif piece[0] in facts:
            text += f"{facts[piece[0]]}{piece[1:]}"
        else:
            raise Usage(f"%{piece[0]} is not known here")
    return text


def _sizes(call: Call, name: str, *, counts_bytes: bool) -> Iterator[tuple[str, int, int, bool]]:
    """Everything below a path, the deepest first: path, size with all below it, how deep, whether
    it is a directory. A file with several names counts once."""
    seen: set[tuple[int, int]] = set()

    def walk(path: str, depth: int) -> Iterator[tuple[str, int, int, bool]]:
        found = call.places.lstat(path)
        size = found.st_size if counts_bytes else found.st_blocks * 512
        is_directory = stat.S_ISDIR(found.st_mode)
        if not is_directory and found.st_nlink > 1:
            if (found.st_dev, found.st_ino) in seen:
                return
            seen.add((found.st_dev, found.st_ino))
        if is_directory and depth < 200:
            for entry in sorted(call.places.names(path)):
                with call.telling(f"{path}/{entry}"):
                    for row in walk(f"{path.rstrip('/')}/{entry}", depth + 1):
                        if row[2] == depth + 1:
                            size += row[1]
                        yield row
        yield path, size, depth, is_directory

    yield from walk(name, 0)


def du(call: Call) -> None:
    options = Options(
        call.arguments,
        "shabckm",
        "d",
        {
            "summarize": "s",
            "human-readable": "h",
            "all": "a",
            "bytes": "b",
            "max-depth": "d",
            "total": "c",
        },
    )
    deepest = 0 if "s" in options else options.number("d", 1 << 30)
    total = 0

    def told(size: int) -> str:
        if "b" in options:
            return str(size)
        unit = 1 << 20 if "m" in options else 1 << 10
        return readable(size) if "h" in options else str(-(-size // unit))

    for name in options.operands or ["."]:
        with call.telling(name):
            for path, size, depth, is_directory in _sizes(call, name, counts_bytes="b" in options):
                total += size if depth == 0 else 0
                if depth <= deepest and (is_directory or "a" in options or depth == 0):
                    call.out.line(f"{told(size)}\t{path}")
    if "c" in options:
        call.out.line(f"{told(total)}\ttotal")


def df(call: Call) -> None:
    options = Options(call.arguments, "hkmTi", "", {"human-readable": "h"})
    call.out.line(
        f"{'Filesystem':<12} {'Size' if 'h' in options else '1K-blocks':>10} {'Used':>10}"
        f" {'Avail':>10} {'Use%':>5} Mounted on"
    )
    for name in options.operands or [call.places.home]:
        with call.telling(name):
            room = call.places.room(name)
            size, free = room.f_blocks * room.f_frsize, room.f_bavail * room.f_frsize
            told = [
                readable(n) if "h" in options else str(n // 1024) for n in (size, size - free, free)
            ]
            used = f"{-(-100 * (size - free) // size) if size else 0}%"
            call.out.line(
                f"{'sandbox':<12} {told[0]:>10} {told[1]:>10} {told[2]:>10} {used:>5}"
                f" {call.places.real(name, must_be=True)}"
            )


def realpath(call: Call) -> None:
    options = Options(
        call.arguments, "emqsz", "", {"canonicalize-existing": "e", "canonicalize-missing": "m"}
    )
    if not options.operands:
        raise Usage("a path is missing")
    for name in options.operands:
        with call.telling(name):
            if "m" not in options and not call.places.is_directory(
                os.path.dirname(name.rstrip("/")) or "."
            ):
                raise FileNotFoundError(2, os.strerror(2))
            call.out.line(call.places.real(name, must_be="e" in options))


def readlink(call: Call) -> int | None:
    options = Options(call.arguments, "fenm", "", {"canonicalize": "f"})
    for name in options.operands:
        try:
            is_real = "f" in options or "e" in options or "m" in options
            call.out.line(
                call.places.real(name, must_be="e" in options)
                if is_real
                else call.places.link(name)
            )
        except (OSError, ValueError):
            call.status = 1
    return None
