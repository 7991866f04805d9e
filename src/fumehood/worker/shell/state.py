"""Commands about the shell itself: where it is, its variables, its loops, its end."""

from __future__ import annotations

import os
import re

from fumehood.worker.shell.calls import Call, Options, Usage, decoded, whole_number
from fumehood.worker.shell.copies import Exit
from fumehood.worker.shell.writing import quoted

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPTIONS = {"e": "e", "u": "u", "errexit": "e", "nounset": "u", "pipefail": "pipefail"}
_WITHOUT_EFFECT = (
    "x",
    "xtrace",
    "v",
    "verbose",
    "f",
    "noglob",
    "h",
    "m",
    "B",
    "E",
    "a",
    "allexport",
    "posix",
)


def true(call: Call) -> int:
    return 0


def false(call: Call) -> int:
    return 1


def cd(call: Call) -> int | None:
    words = Options(call.arguments, "LP").operands if call.arguments != ["-"] else ["-"]
    if len(words) > 1:
        raise Usage("one directory at a time")
    shell = call.shell
    target = words[0] if words else shell.variables.get("HOME") or call.places.home
    if target == "-":
        target = shell.variables.get("OLDPWD", "")
        if not target:
            raise Usage("there is no directory to go back to")
        call.out.line(target)
    before = call.places.here
    with call.telling(target):
        call.places.go(target)
        shell.variables["OLDPWD"] = before
    return None


def pwd(call: Call) -> None:
    is_real = "P" in Options(call.arguments, "LP")
    call.out.line(call.places.real(".", must_be=True) if is_real else call.places.here)


def export(call: Call) -> None:
    options = Options(call.arguments, "np")
    shell = call.shell
    if not options.operands:
        for name, value in sorted(shell.environment.items()):
            call.out.line(f"export {name}={quoted(value)}")
    for word in options.operands:
        name, has_value, value = word.partition("=")
        if not _NAME.fullmatch(name):
            call.say(f"{word[:60]!r} is no name of a variable")
            continue
        if has_value:
            shell.variables[name] = value
        if "n" in options:
            shell.exported.discard(name)
        else:
            shell.exported.add(name)


def unset(call: Call) -> None:
    for name in Options(call.arguments, "vf").operands:
        call.shell.variables.pop(name, None)
        call.shell.exported.discard(name)


def env(call: Call) -> int | None:
    options = Options(
        call.arguments,
        "i0",
        "u",
        {"unset": "u", "ignore-environment": "i", "null": "0"},
        mixed=False,
    )
    shell = call.shell
    variables, exported = shell.variables.copy(), shell.exported.copy()
    try:
        if "i" in options:
            shell.exported.clear()
        shell.exported.difference_update(options.all("u"))
        words = options.operands
        while words and "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            shell.variables[name] = value
            shell.exported.add(name)
        if words:
            return shell.call(words, call.out)
        for name, value in shell.environment.items():
            call.out.write(
                f"{name}={value}".encode("utf-8", "surrogateescape")
                + (b"\0" if "0" in options else b"\n")
            )
    finally:
        shell.variables, shell.exported = variables, exported
    return None


def printenv(call: Call) -> int | None:
    if not call.arguments:
        return env(call)
    environment = call.shell.environment
    for name in call.arguments:
        if name in environment:
            call.out.line(environment[name])
        else:
            call.status = 1
    return None


def set_(call: Call) -> None:
    words = [*call.arguments]
    shell = call.shell
    if not words:
        for name, value in sorted(shell.variables.items()):
            call.out.line(f"{name}={quoted(value)}")
    while words and words[0][:1] in ("-", "+") and len(words[0]) > 1:
        word = words.pop(0)
        if word == "--":
            shell.arguments = words
            return
        names = [*word[1:].replace("o", "")]
        if "o" in word:
            if not words:
                raise Usage("behind -o the name of an option is missing")
            names.append(words.pop(0))
        for name in names:
            if name in _OPTIONS:
                (shell.options.add if word[0] == "-" else shell.options.discard)(_OPTIONS[name])
            elif name not in _WITHOUT_EFFECT:
                raise Usage(f"option {name} is not known here")
    if words:
        shell.arguments = words


def shift(call: Call) -> int | None:
    count = whole_number(call.arguments[0], "shift") if call.arguments else 1
    if not 0 <= count <= len(call.shell.arguments):
        return 1
    del call.shell.arguments[:count]
    return None


def exit_(call: Call) -> None:
    call.out.flush()
    raise Exit(
        whole_number(call.arguments[0], "a status") & 255 if call.arguments else call.shell.status
    )


def _levels(call: Call) -> int:
    return max(1, whole_number(call.arguments[0], call.name)) if call.arguments else 1


def break_(call: Call) -> None:
    call.shell.leave_loops(_levels(call), goes_on=False)


def continue_(call: Call) -> None:
    call.shell.leave_loops(_levels(call), goes_on=True)


def read(call: Call) -> int:
    """One line into variables. Byte by byte where nothing can be given back: what follows is the
    next command's."""
    options = Options(call.arguments, "rs", "pd")
    names = options.operands or ["REPLY"]
    end = options.get("d", "\n")[:1].encode() or b"\0"
    line = bytearray()
    while True:
        byte = os.read(0, 1)
        if not byte or byte == end:
            break
        if byte == b"\\" and "r" not in options:
            byte = os.read(0, 1)
            if byte == b"\n":
                continue
        line += byte
    text = decoded(bytes(line).replace(b"\0", b""))
    separators = call.shell.value_of("IFS")
    separators = " \t\n" if separators is None else separators
    if separators:
        sign = re.escape(separators)
        rest = text.strip("".join(char for char in separators if char in " \t\n"))
        pieces = (
            re.split(
                f"[{sign}]+" if separators.isspace() else f"[{sign}]", rest, maxsplit=len(names) - 1
            )
            if len(names) > 1
            else [rest]
        )
    else:
        pieces = [text]
    for name, value in zip(names, [*pieces, *[""] * len(names)], strict=False):
        if not _NAME.fullmatch(name):
            raise Usage(f"{name[:60]!r} is no name of a variable")
        call.shell.set_variable(name, value)
    return 0 if byte else 1
