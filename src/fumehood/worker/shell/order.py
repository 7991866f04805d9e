"""Commands about the order of lines: sort, uniq, shuf."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from typing import Any

from fumehood.worker.shell.calls import Call, Options, Out, Usage, decoded, encoded, whole_number
from fumehood.worker.shell.writing import escapes


def sort(call: Call) -> int | None:
    options = Options(
        call.arguments,
        "nrufbhVsc",
        "kto",
        {
            "numeric-sort": "n",
            "reverse": "r",
            "unique": "u",
            "ignore-case": "f",
            "key": "k",
            "field-separator": "t",
            "output": "o",
        },
    )
    keys = [_Key(text, options) for text in options.all("k")] or [_Key("1", options)]
    lines = [line.removesuffix(b"\n") for line in call.all_lines(options.operands)]
    if call.status:
        return 2
    if "c" in options:
        wrong = next(
            (b for a, b in pairwise(lines) if _compared(keys, a) > _compared(keys, b)), None
        )
        if wrong is not None:
            call.say(f"not in order: {decoded(wrong)[:200]}")
        return call.status
    if "u" in options:
        lines = [*{_compared(keys, line): line for line in reversed(lines)}.values()]
    elif "s" not in options:
        lines.sort(reverse="r" in options)  # what the keys find equal
    for key in reversed(keys):
        lines.sort(key=key.of, reverse=key.reverse)
    data = b"".join(line + b"\n" for line in lines)
    if "o" in options:
        descriptor = call.places.write(options.get("o"))
        try:
            out = Out(descriptor)
            out.write(data)
            out.flush()
        finally:
            os.close(descriptor)
    else:
        call.out.write(data)
    return None


def _compared(keys: list[_Key], line: bytes) -> tuple[Any, ...]:
    return tuple(key.of(line) for key in keys)


class _Key:
    """One -k: from which field to which, and how they compare."""

    def __init__(self, text: str, options: Options) -> None:
        match = re.fullmatch(
            r"([0-9]{1,6})(?:\.([0-9]{1,6}))?([nrfbhV]*)(?:,([0-9]{1,6})(?:\.([0-9]{1,6}))?([nrfbhV]*))?",
            text,
        )
        if match is None or match[1] == "0":
            raise Usage(f"-k {text[:40]!r}: write 2, 2,3 or 2,2n")
        self._first, self._skips = int(match[1]) - 1, int(match[2] or 1) - 1
        self._last = int(match[4]) if match[4] else None
        self._stops = int(match[5] or 0)
        own = (match[3] or "") + (match[6] or "")
        letters = own or "".join(letter for letter in "nrfbhV" if letter in options)
        self.reverse = "r" in letters
        self._kind = next((letter for letter in "nhV" if letter in letters), "")
        self._folds, self._trims = "f" in letters, "b" in letters
        self._sign = escapes(options.get("t"))[0] if "t" in options else None

    def of(self, line: bytes) -> Any:
        part = self._part(line)
        if self._kind == "n":
            return _number(part)
        if self._kind == "h":
            match = re.match(rb"\s*-?[0-9]*\.?[0-9]*([KMGTPE]?)", part)
            return (b"KMGTPE".index(match[1]) + 1 if match and match[1] else 0, _number(part))
        if self._kind == "V":
            return [
                (1, int(piece), b"") if piece.isdigit() else (0, 0, piece)
                for piece in re.split(rb"([0-9]+)", part)
            ]
        return part.upper() if self._folds else part

    def _part(self, line: bytes) -> bytes:
        if self._first == 0 and self._last is None and not self._skips:
            part = line
        else:
            fields = re.findall(rb"\s*\S+", line) if self._sign is None else line.split(self._sign)
            chosen = fields[self._first : self._last]
            if self._stops and chosen and self._last is not None and len(fields) >= self._last:
                chosen = [*chosen[:-1], chosen[-1][: self._stops]]
            part = (self._sign or b"").join(chosen)[self._skips :]
        return part.lstrip() if self._trims else part


def _number(text: bytes) -> float:
    match = re.match(rb"\s*(-?[0-9]*\.?[0-9]*)", text)
    try:
        return float(match[1]) if match else 0.0
    except ValueError:
        return 0.0


def uniq(call: Call) -> None:
    options = Options(
        call.arguments,
        "cdui",
        "fs",
        {"count": "c", "repeated": "d", "unique": "u", "ignore-case": "i"},
    )
    fields, characters = options.number("f", 0), options.number("s", 0)

    def key(line: bytes) -> bytes:
        rest = line.removesuffix(b"\n")
        if fields:
            rest = re.sub(rb"^(?:\s*\S+){0,%d}" % fields, b"", rest)
        return rest[characters:].lower() if "i" in options else rest[characters:]

    if len(options.operands) > 1:
        raise Usage("one file is read; where it goes is said with >")
    count, first, last = 0, b"", b""

    def end() -> None:
        if count and not ("d" in options and count == 1) and not ("u" in options and count > 1):
            call.out.write(
                (b"%7d " % count if "c" in options else b"") + first.removesuffix(b"\n") + b"\n"
            )

    for line in call.all_lines(options.operands):
        if count and key(line) == last:
            count += 1
            continue
        end()
        count, first, last = 1, line, key(line)
    end()


def shuf(call: Call) -> None:
    import random

    options = Options(call.arguments, "e", "n", {"echo": "e"})
    lines = (
        [encoded(word) + b"\n" for word in options.operands]
        if "e" in options
        else [*call.all_lines(options.operands)]
    )
    random.SystemRandom().shuffle(lines)
    for line in lines[: whole_number(options.get("n"), "-n") if "n" in options else None]:
        call.out.write(line.removesuffix(b"\n") + b"\n")
