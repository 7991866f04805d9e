"""Commands that make, copy, move and remove files."""

from __future__ import annotations

import contextlib
import os
import re
import stat

from fumehood.worker.shell.calls import CHUNK, Call, Options, Out, Usage
from fumehood.worker.shell.facts import moment_of

_DEEPEST = 200
"""Directories in one another that are copied or removed."""


def mkdir(call: Call) -> None:
    options = Options(call.arguments, "pv", "m", {"parents": "p", "mode": "m", "verbose": "v"})
    _need(options.operands, 1, "the name of a directory is missing")
    for name in options.operands:
        with call.telling(name):
            if "p" in options:
                parts = name.rstrip("/").split("/")
                for place in range(1, len(parts) + 1):
                    path = "/".join(parts[:place])
                    if path and not call.places.is_directory(path):
                        call.places.make_directory(path)
            else:
                call.places.make_directory(name)


def rmdir(call: Call) -> None:
    options = Options(call.arguments, "pv", "", {"parents": "p"})
    _need(options.operands, 1, "the name of a directory is missing")
    for name in options.operands:
        with call.telling(name):
            path = name.rstrip("/") or name
            while path:
                call.places.remove_directory(path)
                path = os.path.dirname(path) if "p" in options else ""


def rm(call: Call) -> None:
    options = Options(
        call.arguments, "rRfdvi", "", {"recursive": "r", "force": "f", "dir": "d", "verbose": "v"}
    )
    if not options.operands and "f" not in options:
        raise Usage("what to remove is missing")
    for name in options.operands:
        if os.path.normpath(name) in (".", "..", "/"):
            call.say(f"{name}: not removed, as everything would be")
            continue
        with call.telling(name):
            try:
                found = call.places.lstat(name.rstrip("/") or name)
            except (FileNotFoundError, NotADirectoryError):
                if "f" in options:
                    continue
                raise
            if not stat.S_ISDIR(found.st_mode):
                call.places.remove(name)
            elif "r" in options or "R" in options:
                remove_tree(call, name.rstrip("/"))
            elif "d" in options:
                call.places.remove_directory(name)
            else:
                raise ValueError("is a directory; -r removes it")


def remove_tree(call: Call, name: str, depth: int = 0) -> None:
    if depth > _DEEPEST:
        raise ValueError(f"directories are more than {_DEEPEST} deep")
    for entry in call.places.names(name):
        path = f"{name}/{entry}"
        if stat.S_ISDIR(call.places.lstat(path).st_mode):
            remove_tree(call, path, depth + 1)
        else:
            call.places.remove(path)
    call.places.remove_directory(name)


def _targets(call: Call, operands: list[str], into: str | None) -> list[tuple[str, str]]:
    """What goes where: files into a directory, or one file to a name."""
    if into is not None:
        sources, target = operands, into
    else:
        _need(operands, 2, "from where, or where to, is missing")
        *sources, target = operands
    is_directory = call.places.is_directory(target)
    if (len(sources) > 1 or into is not None) and not is_directory:
        raise ValueError(f"{target} is not a directory")
    if not is_directory:
        return [(source, target) for source in sources]
    return [
        (source, f"{target.rstrip('/') or ''}/{os.path.basename(source.rstrip('/')) or '.'}")
        for source in sources
    ]


def cp(call: Call) -> None:
    options = Options(
        call.arguments,
        "rRafpnvudPL",
        "t",
        {
            "recursive": "r",
            "archive": "a",
            "force": "f",
            "no-clobber": "n",
            "target-directory": "t",
        },
    )
    is_deep = any(letter in options for letter in "rRa")
    for source, target in _targets(
        call, options.operands, options.get("t") if "t" in options else None
    ):
        with call.telling(source):
            if stat.S_ISDIR(call.places.stat(source).st_mode) and not is_deep:
                raise ValueError("is a directory; -r copies it")
            if "n" in options and call.places.exists(target):
                continue
            inner, outer = (
                call.places.real(path, must_be=False) + "/" for path in (target, source)
            )
            if is_deep and inner.startswith(outer) and call.places.is_directory(source):
                raise ValueError("a directory cannot be copied into itself")
            _copy(
                call,
                source.rstrip("/") or source,
                target,
                keeps=any(x in options for x in "ap"),
                is_named=not is_deep,
                depth=0,
            )


def _copy(call: Call, source: str, target: str, *, keeps: bool, is_named: bool, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError(f"directories are more than {_DEEPEST} deep")
    places = call.places
    found = places.stat(source) if is_named else places.lstat(source)
    if stat.S_ISLNK(found.st_mode):
        places.make_link(places.link(source), target)
        return
    if stat.S_ISDIR(found.st_mode):
        if not places.is_directory(target):
            places.make_directory(target)
        for entry in places.names(source):
            with call.telling(f"{source}/{entry}"):
                _copy(
                    call,
                    f"{source}/{entry}",
                    f"{target}/{entry}",
                    keeps=keeps,
                    is_named=False,
                    depth=depth + 1,
                )
    elif stat.S_ISREG(found.st_mode) or is_named:
        if places.exists(target) and os.path.samestat(found, places.stat(target)):
            raise ValueError(f"and {target} are the same file")
        _copy_file(call, source, target)
        places.set_mode(target, stat.S_IMODE(found.st_mode))
    if keeps:
        places.set_times(target, (found.st_atime, found.st_mtime))


def _copy_file(call: Call, source: str, target: str) -> None:
    reads = call.places.open(source)
    try:
        writes = call.places.write(target)
        try:
            out = Out(writes)
            while data := os.read(reads, CHUNK):
                out.write(data)
            out.flush()
        finally:
            os.close(writes)
    finally:
        os.close(reads)


def mv(call: Call) -> None:
    options = Options(
        call.arguments, "fnvi", "t", {"force": "f", "no-clobber": "n", "target-directory": "t"}
    )
    for source, target in _targets(
        call, options.operands, options.get("t") if "t" in options else None
    ):
        with call.telling(source):
            call.places.lstat(source)
            if "n" in options and call.places.exists(target):
                continue
            if call.places.exists(target) and os.path.samestat(
                call.places.lstat(source), call.places.lstat(target)
            ):
                raise ValueError(f"and {target} are the same file")
            try:
                call.places.rename(source.rstrip("/"), target.rstrip("/"))
            except OSError as error:
                if error.errno != 18:  # EXDEV: another file system, as a mounted directory is
                    raise
                is_directory = stat.S_ISDIR(call.places.lstat(source).st_mode)
                _copy(call, source, target, keeps=True, is_named=False, depth=0)
                remove_tree(call, source) if is_directory else call.places.remove(source)


def touch(call: Call) -> None:
    options = Options(
        call.arguments, "acm", "drt", {"no-create": "c", "date": "d", "reference": "r"}
    )
    _need(options.operands, 1, "the name of a file is missing")
    times: tuple[float, float] | None = None
    if "d" in options:
        times = (moment_of(options.get("d"), None),) * 2
    elif "r" in options:
        found = call.places.stat(options.get("r"))
        times = found.st_atime, found.st_mtime
    elif "t" in options:
        raise Usage("-t is not known here: write -d 2030-01-31T12:00:00")
    for name in options.operands:
        with call.telling(name):
            if not call.places.exists(name):
                if "c" in options:
                    continue
                os.close(call.places.open(name, os.O_WRONLY | os.O_CREAT))
            call.places.set_times(name, times)


def ln(call: Call) -> None:
    options = Options(call.arguments, "sfnvr", "", {"symbolic": "s", "force": "f"})
    operands = options.operands
    _need(operands, 1, "what to link to is missing")
    if len(operands) == 1:
        operands = [*operands, os.path.basename(operands[0].rstrip("/"))]
    *sources, target = operands
    is_directory = call.places.is_directory(target) and "n" not in options
    if len(sources) > 1 and not is_directory:
        raise ValueError(f"{target} is not a directory")
    for source in sources:
        name = (
            f"{target.rstrip('/')}/{os.path.basename(source.rstrip('/'))}"
            if is_directory
            else target
        )
        with call.telling(name):
            if "f" in options:
                with contextlib.suppress(FileNotFoundError):
                    call.places.remove(name)
            call.places.make_link(source, name) if "s" in options else call.places.make_name(
                source, name
            )


def chmod(call: Call) -> None:
    words = call.arguments
    is_deep = words[:1] == ["-R"]
    words = words[1:] if is_deep else words
    _need(words, 2, "chmod [-R] mode file …")
    mode, *names = words
    if not re.fullmatch(r"[0-7]{1,4}|[ugoa]*[-+=][rwxX]*(,[ugoa]*[-+=][rwxX]*)*", mode):
        raise Usage(f"{mode[:40]!r} is no mode: write 644 or u+x")
    stack = [*reversed(names)]
    while stack:
        name = stack.pop()
        with call.telling(name):
            found = call.places.stat(name)
            call.places.set_mode(name, _mode(mode, found.st_mode))
            if is_deep and stat.S_ISDIR(found.st_mode):
                stack += [
                    path
                    for entry in call.places.names(name)
                    if not _is_link(call, path := f"{name}/{entry}")
                ]


def _is_link(call: Call, path: str) -> bool:
    return stat.S_ISLNK(call.places.lstat(path).st_mode)


def _mode(text: str, before: int) -> int:
    if text.isdigit():
        return int(text, 8) & 0o777
    mode = stat.S_IMODE(before) & 0o777
    for part in text.split(","):
        match = re.fullmatch(r"([ugoa]*)([-+=])([rwxX]*)", part)
        assert match is not None
        who = match[1].replace("a", "ugo") or "ugo"
        bits = 0
        for letter in match[3]:
            is_given = letter != "X" or stat.S_ISDIR(before) or mode & 0o111
            bits |= {"r": 4, "w": 2, "x": 1, "X": 1}[letter] if is_given else 0
        for person in who:
            shift = {"u": 6, "g": 3, "o": 0}[person]
            own = 7 << shift
            mode = {
                "+": mode | bits << shift,
                "-": mode & ~(bits << shift),
                "=": mode & ~own | bits << shift,
            }[match[2]]
    return mode


def mktemp(call: Call) -> None:
    options = Options(call.arguments, "dqu", "pt", {"directory": "d", "tmpdir": "p"})
    form = (
        options.operands[0]
        if options.operands
        else f"{options.get('p') or call.places.home}/tmp.XXXXXXXXXX"
    )
    match = re.search(r"X{3,}(?=[^X]*$)", form)
    if match is None:
        raise Usage(f"{form!r} has no XXX for what is to be made up")
    for _ in range(100):
        made = os.urandom(16).hex()[: len(match.group())].ljust(len(match.group()), "0")
        name = form[: match.start()] + made + form[match.end() :]
        try:
            if "d" in options:
                call.places.make_directory(name, 0o700)
            else:
                os.close(call.places.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        call.out.line(name)
        return


def _need(words: list[str], count: int, why: str) -> None:
    if len(words) < count:
        raise Usage(why)
