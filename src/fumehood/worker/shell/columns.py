"""Commands that take lines apart: columns, and characters one by one."""

from __future__ import annotations

import re
from itertools import zip_longest

from fumehood.worker.shell.calls import Call, Options, Usage, encoded
from fumehood.worker.shell.writing import escapes


def cut(call: Call) -> None:
    options = Options(
        call.arguments,
        "sn",
        "dfcb",
        {"delimiter": "d", "fields": "f", "characters": "c", "bytes": "b", "only-delimited": "s"},
    )
    kinds = [letter for letter in "fcb" if letter in options]
    if len(kinds) != 1:
        raise Usage("say which parts: one of -f, -c and -b")
    wanted = _ranges(options.get(kinds[0]))
    sign = encoded(options.get("d", "\t"))
    if len(options.get("d", "\t")) != 1:
        raise Usage("-d takes one character")
    for line in call.all_lines(options.operands):
        line = line.removesuffix(b"\n")
        if kinds[0] == "f":
            if sign not in line:
                if "s" not in options:
                    call.out.write(line + b"\n")
                continue
            call.out.write(sign.join(_chosen(line.split(sign), wanted)) + b"\n")
        elif kinds[0] == "b":
            call.out.write(
                b"".join(_chosen([line[i : i + 1] for i in range(len(line))], wanted)) + b"\n"
            )
        else:
            text = line.decode("utf-8", "surrogateescape")
            call.out.write(b"".join(_chosen([encoded(char) for char in text], wanted)) + b"\n")


def _ranges(text: str) -> list[tuple[int, int]]:
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{0,9})(-?)([0-9]{0,9})", part)
        if match is None or not (match[1] or match[3]) or match[3] and not match[2]:
            raise Usage(f"{part[:40]!r} is no range: write 2, 2-5, -5 or 2-")
        first = int(match[1] or 1)
        found.append((first, int(match[3]) if match[3] else (1 << 60 if match[2] else first)))
        if found[-1][0] < 1 or found[-1][0] > found[-1][1]:
            raise Usage(f"{part[:40]!r} is no range: they begin with 1 and grow")
    return found


def _chosen(parts: list[bytes], wanted: list[tuple[int, int]]) -> list[bytes]:
    return [
        part
        for place, part in enumerate(parts, 1)
        if any(first <= place <= last for first, last in wanted)
    ]


def paste(call: Call) -> None:
    options = Options(call.arguments, "s", "d", {"delimiters": "d", "serial": "s"})
    signs = [
        char.encode() for char in escapes(options.get("d", "\t"))[0].decode("utf-8", "replace")
    ] or [b""]
    columns = [
        [line.removesuffix(b"\n") for line in call.lines(descriptor)]
        for _name, descriptor in call.files(options.operands)
    ]
    for row in columns if "s" in options else zip_longest(*columns, fillvalue=b""):
        joined = b"".join(
            cell + (signs[place % len(signs)] if place + 1 < len(row) else b"")
            for place, cell in enumerate(row)
        )
        call.out.write(joined + b"\n")


# -- characters

_CLASSES = {
    "alpha": "A-Za-z", "digit": "0-9", "alnum": "0-9A-Za-z", "upper": "A-Z", "lower": "a-z", "space": "\t\n\v\f\r ", "blank": "\t ",  # noqa: E501
    "punct": "!-/:-@[-`{-~", "xdigit": "0-9A-Fa-f", "cntrl": "\0-\x1f\x7f", "print": " -~", "graph": "!-~",  # noqa: E501
}  # fmt: skip


def tr(call: Call) -> None:
    options = Options(
        call.arguments, "dscC", "", {"delete": "d", "squeeze-repeats": "s", "complement": "c"}
    )
    sets = options.operands
    needed = 1 if ("d" in options) != ("s" in options) else 2
    if not needed <= len(sets) <= 2 or "d" in options and "s" not in options and len(sets) != 1:
        raise Usage("tr takes two sets of characters, or one with -d or -s")
    first = _set(sets[0])
    if "c" in options or "C" in options:
        first = [code for code in range(256) if code not in {*first}]
    second = _set(sets[1]) if len(sets) > 1 else []
    table = bytearray(range(256))
    if "d" not in options and len(sets) > 1:
        if not second:
            raise Usage("the second set is empty")
        for place, code in enumerate(first):
            table[code] = second[min(place, len(second) - 1)]
    gone = bytes(first) if "d" in options else b""
    squeezed = bytes({*(second or first)}) if "s" in options else b""
    last = -1
    for piece in call.pieces(0):
        data = piece.translate(bytes(table), gone)
        if squeezed:
            kept = bytearray()
            for byte in data:
                if byte != last or byte not in squeezed:
                    kept.append(byte)
                last = byte
            data = bytes(kept)
        call.out.write(data)


def _set(text: str) -> list[int]:
    """The bytes that a set of characters stands for, in its order."""
    text = re.sub(r"\[:(\w+):\]", lambda match: _CLASSES.get(match[1], match[0]), text)
    data = escapes(text, ends=False)[0]
    found: list[int] = []
    at = 0
    while at < len(data):
        if at + 2 < len(data) and data[at + 1] == ord("-"):
            if data[at] > data[at + 2]:
                raise Usage(f"{data[at : at + 3].decode('utf-8', 'replace')!r} runs backwards")
            found += range(data[at], data[at + 2] + 1)
            at += 3
        else:
            found.append(data[at])
            at += 1
    return found
