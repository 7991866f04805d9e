"""Commands that pass text on: whole, or lines and columns of it."""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Iterable, Iterator

from fumehood.worker.shell.calls import Call, Options, Out, Usage

_UNITS = {"": 1, "b": 512, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def cat(call: Call) -> None:
    options = Options(call.arguments, "nbAsuETv")
    if not any(letter in options for letter in "nbAsET"):
        for _name, descriptor in call.files(options.operands):
            for piece in call.pieces(descriptor):
                call.out.write(piece)
                call.out.flush()
        return
    number, was_blank = 0, False
    for line in call.all_lines(options.operands):
        is_blank = line == b"\n"
        if "s" in options and is_blank and was_blank:
            continue
        was_blank = is_blank
        if "n" in options and "b" not in options or "b" in options and not is_blank:
            number += 1
            call.out.write(b"%6d\t" % number)
        if "T" in options or "A" in options:
            line = line.replace(b"\t", b"^I")
        if ("E" in options or "A" in options) and line.endswith(b"\n"):
            line = line[:-1] + b"$\n"
        call.out.write(line)


def _count(call: Call, otherwise: int = 10) -> tuple[Options, str, int, str]:
    """Options of head and tail: what is counted ("n" or "c"), how many, and the sign before the
    number."""
    arguments = call.arguments
    if (
        arguments
        and (short := re.fullmatch(r"([-+])([0-9]+)([cn]?)", arguments[0]))
        and (short[1] == "-" or call.name == "tail")
    ):
        arguments = [
            f"-{short[3] or 'n'}",
            ("+" if short[1] == "+" else "") + short[2],
            *arguments[1:],
        ]
    options = Options(
        arguments,
        "qvfFz",
        "nc",
        {"lines": "n", "bytes": "c", "quiet": "q", "silent": "q", "verbose": "v"},
    )
    unit = "c" if "c" in options else "n"
    text = options.get(unit, str(otherwise))
    match = re.fullmatch(r"([-+]?)([0-9]{1,18})([bkKMG]?)", text)
    if match is None:
        raise Usage(f"-{unit}: {text[:40]!r} is no number")
    return options, unit, int(match[2]) * _UNITS[match[3]], match[1]


def _with_headings(call: Call, options: Options) -> Iterator[int]:
    is_first = True
    for name, descriptor in call.files(options.operands):
        if (len(options.operands) > 1 or "v" in options) and "q" not in options:
            shown = "standard input" if name == "-" else name
            call.out.line(f"{'' if is_first else chr(10)}==> {shown} <==")
        is_first = False
        yield descriptor


def head(call: Call) -> None:
    options, unit, count, sign = _count(call)
    for descriptor in _with_headings(call, options):
        parts = call.lines(descriptor) if unit == "n" else _bytes(call.pieces(descriptor))
        if sign == "-":
            kept: deque[bytes] = deque()
            for part in parts:
                kept.append(part)
                if len(kept) > count:
                    call.out.write(kept.popleft())
        elif unit == "n":
            for _number, line in zip(range(count), parts, strict=False):
                call.out.write(line)
        else:
            left = count
            while left and (data := os.read(descriptor, min(left, 1 << 16))):
                call.out.write(data)
                left -= len(data)


def _bytes(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for place in range(len(piece)):
            yield piece[place : place + 1]


def tail(call: Call) -> None:
    options, unit, count, sign = _count(call)
    if "f" in options or "F" in options:
        raise Usage("nothing is followed here: -f is not known")
    for descriptor in _with_headings(call, options):
        if sign == "+":
            skipped = max(0, count - 1)
            if unit == "n":
                for number, line in enumerate(call.lines(descriptor)):
                    if number >= skipped:
                        call.out.write(line)
            else:
                for piece in call.pieces(descriptor):
                    call.out.write(piece[skipped:])
                    skipped = max(0, skipped - len(piece))
        elif unit == "n":
            for line in deque(call.lines(descriptor), maxlen=count):
                call.out.write(line)
        else:
            rest = b""
            for piece in call.pieces(descriptor):
                rest = (rest + piece)[-count:] if count else b""
            call.out.write(rest)


def tac(call: Call) -> None:
    for _name, descriptor in call.files(Options(call.arguments).operands):
        for line in reversed([*call.lines(descriptor)]):
            call.out.write(line)


def rev(call: Call) -> None:
    for line in call.all_lines(Options(call.arguments).operands):
        end = b"\n" if line.endswith(b"\n") else b""
        call.out.write(
            line.removesuffix(b"\n")
            .decode("utf-8", "surrogateescape")[::-1]
            .encode("utf-8", "surrogateescape")
            + end
        )


def nl(call: Call) -> None:
    options = Options(call.arguments, "", "b")
    number = 0
    for line in call.all_lines(options.operands):
        if line.strip(b"\n") or options.get("b") == "a":
            number += 1
            call.out.write(b"%6d\t" % number + line)
        else:
            call.out.write(b"       " + line)


def wc(call: Call) -> None:
    options = Options(
        call.arguments, "lwcmL", "", {"lines": "l", "words": "w", "bytes": "c", "chars": "m"}
    )
    chosen = [letter for letter in "lwmc" if letter in options] or ["l", "w", "c"]
    rows: list[tuple[dict[str, int], str]] = []
    for name, descriptor in call.files(options.operands):
        counts = dict.fromkeys("lwmc", 0)
        in_word = False
        for piece in call.pieces(descriptor):
            counts["l"] += piece.count(b"\n")
            counts["c"] += len(piece)
            counts["m"] += sum((byte & 0xC0) != 0x80 for byte in piece) if "m" in options else 0
            words = piece.split()
            counts["w"] += len(words) - (in_word and bool(words) and not piece[:1].isspace())
            in_word = not piece[-1:].isspace()
        rows.append((counts, name if options.operands else ""))
    if len(options.operands) > 1:
        rows.append(
            ({letter: sum(counts[letter] for counts, _name in rows) for letter in "lwmc"}, "total")
        )
    is_single = len(chosen) == 1 and len(rows) == 1
    is_piped = (not options.operands or "-" in options.operands) and not stat.S_ISREG(
        os.fstat(0).st_mode
    )
    width = (
        1
        if is_single
        else max([7 if is_piped else 1, *(len(str(counts["c"])) for counts, _name in rows)])
    )
    for counts, name in rows:
        call.out.line(
            " ".join(f"{counts[letter]:>{width}}" for letter in chosen)
            + (f" {name}" if name else "")
        )


def tee(call: Call) -> None:
    options = Options(call.arguments, "ai")
    others: list[int] = []
    try:
        for name in options.operands:
            with call.telling(name):
                others.append(call.places.write(name, append="a" in options))
        for piece in call.pieces(0):
            for descriptor in others:
                out = Out(descriptor)
                out.write(piece)
                out.flush()
            call.out.write(piece)
            call.out.flush()
    finally:
        for descriptor in others:
            os.close(descriptor)
