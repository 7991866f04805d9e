"""Running text and files as commands: sh, source, eval, ./script; and what to say of programs that
are not here."""

from __future__ import annotations

import os
import re

from fumehood.worker.shell.absent import ABSENT
from fumehood.worker.shell.calls import Call, Usage, decoded
from fumehood.worker.shell.parse import LONGEST
from fumehood.worker.shell.places import Places

_PROGRAMS = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")
"""Directories whose programs go by their names alone."""
_SHELLS = ("sh", "bash", "dash", "ash", "zsh")
NOT_FOUND, CANNOT_RUN = 127, 126


def plain_name(word: str) -> str:
    """The name of a command that may be written with the directory it would be in elsewhere."""
    head, tail = os.path.split(word)
    return tail if head in _PROGRAMS else word


def text_of(places: Places, name: str) -> str:
    """A file as text, if it is not too long to be a script."""
    descriptor = places.open(name)
    with open(descriptor, "rb") as file:
        data = file.read(4 * LONGEST + 1)
    if len(data) > 4 * LONGEST:
        raise ValueError(f"longer than {4 * LONGEST:,} bytes, which is too much for a program")
    return decoded(data)


def sh(call: Call) -> int:
    """sh -c line, sh file, or commands from standard input; also as bash."""
    words = [*call.arguments]
    options = set(call.shell.options)
    line: str | None = None
    while words and words[0].startswith("-") and len(words[0]) > 1 and line is None:
        letters = words.pop(0)
        if letters in ("--login", "--norc", "--posix", "--noprofile"):
            continue
        if not re.fullmatch("-[ceuxlis]+", letters):
            raise Usage(f"option {letters} is not known here")
        options |= {letter for letter in letters if letter in "eu"}
        if "i" in letters:
            raise Usage("there is no interactive shell here")
        if "c" in letters:
            if not words:
                raise Usage("option -c needs a command line")
            line = words.pop(0)
    name = call.name
    if line is not None:
        name = words.pop(0) if words else name
    elif words:
        name = words.pop(0)
        try:
            line = text_of(call.places, name)
        except (OSError, ValueError) as error:
            call.say(f"{name}: {getattr(error, 'strerror', None) or error}")
            return NOT_FOUND
    else:
        line = decoded(b"".join(call.pieces(0)))
    return _apart(call, line, name, words, options)


def _apart(call: Call, text: str, name: str, arguments: list[str], options: set[str]) -> int:
    """Run a text as a shell of its own: what it changes is its own."""
    shell = call.shell
    kept = (
        shell.variables,
        shell.exported,
        shell.arguments,
        shell.name,
        shell.options,
        shell.places.here,
    )
    shell.variables = {
        key: value for key, value in shell.variables.items() if key in shell.exported
    }
    shell.exported = {*shell.exported}
    shell.arguments, shell.name, shell.options = arguments, name, options
    try:
        return shell.run(text)
    finally:
        shell.variables, shell.exported, shell.arguments, shell.name, shell.options, here = kept
        if shell.places.here != here:
            shell.places.go(here)


def source(call: Call) -> int:
    if not call.arguments:
        raise Usage("the name of a file is missing")
    return call.shell.execute_text(text_of(call.places, call.arguments[0]))


def eval_(call: Call) -> int:
    return call.shell.execute_text(" ".join(call.arguments)) if any(call.arguments) else 0


def run_file(call: Call) -> int:
    """What is no command here: a script by its path, or nothing."""
    name = call.name
    if "/" not in name:
        why = ABSENT.get(name)
        if why is not None:
            call.shell.complain(f"sh: {name}: {why}")
            return CANNOT_RUN
        call.shell.complain(
            f"sh: {name[:200]}: not found (commands here are built in; `help` lists them)"
        )
        return NOT_FOUND
    try:
        text = text_of(call.places, name)
    except IsADirectoryError:
        call.shell.complain(f"sh: {name}: is a directory")
        return CANNOT_RUN
    except (OSError, ValueError) as error:
        tail = plain_name(name)
        why = ABSENT.get(tail) if tail != name else None
        call.shell.complain(f"sh: {name}: {why or getattr(error, 'strerror', None) or error}")
        return NOT_FOUND
    first = text.partition("\n")[0]
    program = re.findall(r"[^\s/]+", first[2:]) if first.startswith("#!") else []
    wanted = next(
        (word for word in program if re.sub(r"[0-9.]+$", "", word) in ("python", *_SHELLS)), ""
    )
    if wanted.startswith("python"):
        return call.shell.call(["python", name, *call.arguments], call.out)
    if wanted or not first.startswith("#!") and name.endswith(".sh"):
        return _apart(call, text, name, call.arguments, set(call.shell.options))
    call.shell.complain(
        f"sh: {name}: no program can be executed here; run it with `sh {name}` or `python {name}`"
    )
    return CANNOT_RUN
