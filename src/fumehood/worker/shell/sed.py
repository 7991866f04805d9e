"""The command sed: lines changed by a small script. Of its language the part that people write on
one line: s y p d q = a i c."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fumehood.worker.shell.calls import Call, Options, Out, Usage, encoded
from fumehood.worker.shell.expressions import compiled

_COMMANDS = "spdqyaic="


@dataclass(eq=False, repr=False, slots=True)
class _Address:
    """Which lines: one by its number, the last one ($), or those that an expression is found in."""

    number: int = 0
    is_last: bool = False
    wanted: re.Pattern[bytes] | None = None

    def fits(self, number: int, line: bytes, is_last: bool) -> bool:
        if self.wanted is not None:
            return self.wanted.search(line) is not None
        return is_last if self.is_last else number == self.number


@dataclass(eq=False, repr=False, slots=True)
class _Step:
    letter: str
    first: _Address | None = None
    last: _Address | None = None
    negated: bool = False
    wanted: re.Pattern[bytes] | None = None
    made: Callable[[re.Match[bytes]], bytes] | None = None
    flags: str = ""
    which: int = 1
    text: bytes = b""
    is_within: bool = field(default=False)

    def applies(self, number: int, line: bytes, is_last: bool) -> bool:
        return self._is_meant(number, line, is_last) is not self.negated

    def _is_meant(self, number: int, line: bytes, is_last: bool) -> bool:
        if self.first is None:
            return True
        if self.last is None:
            return self.first.fits(number, line, is_last)
        if self.is_within:
            self.is_within = not (
                self.last.number
                and number >= self.last.number
                or self.last.fits(number, line, is_last)
            )
            return not (self.last.number and number > self.last.number)
        if self.first.fits(number, line, is_last):
            is_over = (
                self.last.number and number >= self.last.number or self.last.is_last and is_last
            )
            self.is_within = not is_over
            return True
        return False


def sed(call: Call) -> int | None:
    options = Options(
        call.arguments,
        "nErsiuz",
        "ef",
        {"quiet": "n", "silent": "n", "expression": "e", "regexp-extended": "E", "in-place": "i"},
    )
    operands = [*options.operands]
    if not options.all("e"):
        if not operands:
            raise Usage("what to do is missing")
        script = operands.pop(0)
    else:
        script = "\n".join(options.all("e"))
    if "f" in options or "z" in options:
        raise Usage("-f and -z are not known here")
    steps = _Script(script, "E" if "E" in options or "r" in options else "G").steps()
    if "i" not in options:
        return _edit(call, steps, call.all_lines(operands), call.out, is_quiet="n" in options)
    for name in operands:
        with call.telling(name):
            with call.reading(name) as descriptor:
                lines = [*call.lines(descriptor)]
            for step in steps:
                step.is_within = False
            descriptor = call.places.write(name)
            try:
                out = Out(descriptor)
                _edit(call, steps, iter(lines), out, is_quiet="n" in options)
                out.flush()
            finally:
                os.close(descriptor)
    return None


def _edit(
    call: Call, steps: list[_Step], lines: Iterator[bytes], out: Out, *, is_quiet: bool
) -> int | None:
    following = next(lines, None)
    number = 0
    while following is not None:
        line, following = following, next(lines, None)
        number += 1
        is_last = following is None
        end = b"\n" if line.endswith(b"\n") else b""
        line = line.removesuffix(b"\n")
        is_kept, behind, is_over = True, b"", False
        for step in steps:
            if not step.applies(number, line, is_last):
                continue
            match step.letter:
                case "s":
                    line, count = _substituted(step, line)
                    if count and "p" in step.flags:
                        out.write(line + b"\n")
                case "y":
                    line = line.translate(step.text)
                case "p":
                    out.write(line + b"\n")
                case "=":
                    out.write(b"%d\n" % number)
                case "i":
                    out.write(step.text + b"\n")
                case "a":
                    behind += step.text + b"\n"
                case "d" | "c":
                    is_kept = False
                    if step.letter == "c" and not step.is_within:
                        out.write(step.text + b"\n")
                    break
                case "q":
                    is_over = True
                    break
        if is_kept and not is_quiet:
            out.write(line + (b"\n" if behind else end))
        out.write(behind)
        if is_over:
            return None
    return None


def _substituted(step: _Step, line: bytes) -> tuple[bytes, int]:
    assert step.wanted is not None and step.made is not None
    if step.which == 1:
        return step.wanted.subn(step.made, line, count=0 if "g" in step.flags else 1)
    pieces: list[bytes] = []
    at = changed = 0
    for count, match in enumerate(step.wanted.finditer(line), 1):
        if count == step.which or count > step.which and "g" in step.flags:
            pieces += [line[at : match.start()], step.made(match)]
            at, changed = match.end(), changed + 1
    return b"".join(pieces) + line[at:], changed


class _Script:
    def __init__(self, text: str, kind: str) -> None:
        self._text, self._kind, self._at = text, kind, 0

    def steps(self) -> list[_Step]:
        steps: list[_Step] = []
        while True:
            while self._peek() and self._peek() in " \t\n;":
                self._at += 1
            if self._peek() == "#":
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            elif not self._peek():
                return steps
            else:
                steps.append(self._step())

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _blanks(self) -> None:
        while self._peek() in (" ", "\t"):
            self._at += 1

    def _step(self) -> _Step:
        step = _Step("", self._address())
        self._blanks()
        if step.first is not None and self._peek() == ",":
            self._at += 1
            self._blanks()
            step.last = self._address()
            if step.last is None:
                raise Usage("behind a , the second place is missing")
        self._blanks()
        while self._peek() == "!":
            step.negated, self._at = True, self._at + 1
        self._blanks()
        step.letter = self._peek()
        if not step.letter or step.letter not in _COMMANDS:
            raise Usage(
                f"{step.letter or 'the end'!r} is no command that is known here: there are s y p d"
                " q = a i c"
            )
        self._at += 1
        match step.letter:
            case "s":
                self._substitution(step)
            case "y":
                sign = self._sign()
                before, after = (
                    encoded(_plain(self._until(sign))),
                    encoded(_plain(self._until(sign))),
                )
                if len(before) != len(after):
                    raise Usage("the two sets of y have not the same length")
                step.text = bytes.maketrans(before, after)
            case "a" | "i" | "c":
                self._blanks()
                if self._text.startswith("\\", self._at):
                    self._at += 1
                    while self._peek() and self._peek() in " \t\n":
                        self._at += 1
                end = self._text.find("\n", self._at)
                end = len(self._text) if end < 0 else end
                step.text, self._at = encoded(self._text[self._at : end]), end
        self._blanks()
        if self._peek() not in ("", ";", "\n", "}", "#"):
            raise Usage(f"{self._text[self._at : self._at + 20]!r} is not expected here")
        return step

    def _address(self) -> _Address | None:
        found = re.compile("[0-9]{1,12}").match(self._text, self._at)
        if found is not None:
            self._at = found.end()
            return _Address(number=int(found.group()))
        if self._peek() == "$":
            self._at += 1
            return _Address(is_last=True)
        if self._peek() in ("/", "\\"):
            self._at += self._peek() == "\\"
            text = self._until(self._sign())
            ignores = self._peek() == "I"
            self._at += ignores
            return _Address(wanted=compiled([text], self._kind, ignores_case=ignores))
        return None

    def _sign(self) -> str:
        sign = self._peek()
        if not sign or sign in "\\\n":
            raise Usage("the expression is missing")
        self._at += 1
        return sign

    def _until(self, sign: str) -> str:
        """Text up to a sign, which may stand in it behind a `\\`, or between [ and ]."""
        pieces: list[str] = []
        while self._at < len(self._text):
            char = self._peek()
            self._at += 1
            if char == sign:
                return "".join(pieces)
            if char == "\\":
                follows = self._peek()
                self._at += 1
                pieces.append(
                    follows
                    if follows == sign and sign not in "|(){}+?"
                    else "\n"
                    if follows == "n"
                    else "\\" + follows
                )
            else:
                pieces.append(char)
        raise Usage(f"a {sign} is missing at the end")

    def _substitution(self, step: _Step) -> None:
        sign = self._sign()
        text = self._until(sign)
        step.made = _maker(self._until(sign))
        flags = re.compile("[gpiI0-9]*").match(self._text, self._at)
        assert flags is not None
        self._at = flags.end()
        step.flags = flags.group()
        digits = "".join(char for char in step.flags if char.isdigit())[:9]
        step.which = int(digits or 1) or 1
        step.wanted = compiled([text], self._kind, ignores_case="i" in step.flags.lower())
        groups = step.wanted.groups
        if any(int(number) > groups for number in re.findall(r"(?<!\\)\\([1-9])", self._text)):
            raise Usage("the replacement names a group that the expression does not have")


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def _maker(text: str) -> Callable[[re.Match[bytes]], bytes]:
    """What puts the replacement of s together: & and \\1 stand for what was found."""
    parts: list[bytes | int] = []
    for found in re.finditer(r"\\([0-9])|\\(.)|(&)|([^\\&]+)|(\\)$", text, re.DOTALL):
        if found[1]:
            parts.append(int(found[1]))
        elif found[2]:
            parts.append(encoded({"n": "\n", "t": "\t"}.get(found[2], found[2])))
        elif found[3]:
            parts.append(0)
        else:
            parts.append(encoded(found[4] or found[5]))

    def make(match: re.Match[bytes]) -> bytes:
        return b"".join(part if isinstance(part, bytes) else match[part] or b"" for part in parts)

    return make
