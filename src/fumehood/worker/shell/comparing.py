"""Commands that compare two files: diff and cmp."""

from __future__ import annotations

import difflib
import re

from fumehood.worker.shell.calls import Call, Options, Usage, decoded


def diff(call: Call) -> int:
    """Two files, compared line by line; what differs is shown in the unified form."""
    options = Options(
        call.arguments,
        "uqbwiNsr",
        "U",
        {"unified": "u", "brief": "q", "ignore-case": "i", "color": "color?"},
    )
    if len(options.operands) != 2:
        raise Usage("two files are compared")
    if any(call.places.is_directory(name) for name in options.operands):
        raise Usage("files are compared here, not directories")
    texts = [
        [decoded(line) for line in call.lines(descriptor)]
        for _name, descriptor in call.files(options.operands)
    ]
    if call.status:
        return 2
    compared = [[_folded(line, options) for line in text] for text in texts]
    if compared[0] == compared[1]:
        if "s" in options:
            call.out.line(f"Files {options.operands[0]} and {options.operands[1]} are identical")
        return 0
    if "q" in options:
        call.out.line(f"Files {options.operands[0]} and {options.operands[1]} differ")
        return 1
    around = options.number("U", 3)
    for side, name in zip(("---", "+++"), options.operands, strict=True):
        call.out.line(f"{side} {name}")
    for group in difflib.SequenceMatcher(
        None, compared[0], compared[1], autojunk=False
    ).get_grouped_opcodes(around):
        first, last = group[0], group[-1]
        call.out.line(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@")
        for tag, i1, i2, j1, j2 in group:
            rows = [(" ", line) for line in texts[0][i1:i2]] if tag == "equal" else []
            if tag != "equal":
                rows = [("-", line) for line in texts[0][i1:i2]] + [
                    ("+", line) for line in texts[1][j1:j2]
                ]
            for mark, line in rows:
                call.out.line(
                    mark
                    + line.removesuffix("\n")
                    + ("" if line.endswith("\n") else "\n\\ No newline at end of file")
                )
    return 1


def _range(start: int, stop: int) -> str:
    count = stop - start
    return f"{start + (count > 0)}" if count == 1 else f"{start + (count > 0)},{count}"


def _folded(line: str, options: Options) -> str:
    line = line.lower() if "i" in options else line
    if "w" in options:
        return re.sub(r"\s+", "", line)
    return re.sub(r"[ \t]+", " ", line.rstrip()) if "b" in options else line


def cmp(call: Call) -> int:
    options = Options(call.arguments, "s", "", {"silent": "s", "quiet": "s"})
    if len(options.operands) != 2:
        raise Usage("two files are compared")
    first, second = options.operands
    with call.reading(first) as one, call.reading(second) as other:
        a, b = (b"".join(call.pieces(descriptor)) for descriptor in (one, other))
    if a == b:
        return 0
    at = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if "s" not in options:
        if at is None:
            call.say(f"EOF on {first if len(a) < len(b) else second}")
        else:
            call.out.line(
                f"{first} {second} differ: byte {at + 1}, line {a.count(bytes([10]), 0, at) + 1}"
            )
    return 1
