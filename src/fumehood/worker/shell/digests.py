"""Commands that make other text of bytes: digests and base64."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from fumehood.worker.shell.calls import Call, Options, decoded, encoded


def digest(call: Call) -> None:
    """sha256sum and its like: the name says which."""
    options = Options(
        call.arguments, "cbtw", "", {"check": "c", "quiet": "quiet", "status": "status"}
    )
    kind = call.name.removesuffix("sum")
    if "c" in options:
        _check(call, options, kind)
        return
    for name, descriptor in call.files(options.operands):
        made = hashlib.new(kind, usedforsecurity=False)
        for piece in call.pieces(descriptor):
            made.update(piece)
        call.out.line(f"{made.hexdigest()}  {name}")


def _check(call: Call, options: Options, kind: str) -> None:
    failed = 0
    for line in call.all_lines(options.operands):
        match = re.fullmatch(r"([0-9a-fA-F]+) [ *](.+)\n?", decoded(line))
        if match is None:
            call.say("a line is no digest with a name")
            continue
        made = hashlib.new(kind, usedforsecurity=False)
        verdict = "OK"
        with call.telling(match[2]), call.reading(match[2]) as descriptor:
            for piece in call.pieces(descriptor):
                made.update(piece)
        if made.hexdigest() != match[1].lower():
            verdict, failed = "FAILED", failed + 1
        if "status" not in options and not (verdict == "OK" and "quiet" in options):
            call.out.line(f"{match[2]}: {verdict}")
    if failed:
        call.say(f"{failed} digests did not match")


def base64_(call: Call) -> None:
    options = Options(
        call.arguments, "di", "w", {"decode": "d", "wrap": "w", "ignore-garbage": "i"}
    )
    for _name, descriptor in call.files(options.operands[:1]):
        data = b"".join(call.pieces(descriptor))
        if "d" in options:
            text = re.sub(rb"\s+", b"", data)
            if "i" in options:
                text = re.sub(rb"[^A-Za-z0-9+/=]", b"", text)
            try:
                call.out.write(base64.b64decode(text, validate=True))
            except binascii.Error as error:
                call.say(f"this is no base64: {error}")
            continue
        made = base64.b64encode(data)
        width = options.number("w", 76)
        if width:
            call.out.write(
                b"".join(made[at : at + width] + b"\n" for at in range(0, len(made), width))
            )
        else:
            call.out.write(made)


def xxd(call: Call) -> None:
    offset = 0
    rest = b""
    for _name, descriptor in call.files(Options(call.arguments).operands[:1]):
        for piece in call.pieces(descriptor):
            rest += piece
            while len(rest) >= 16:
                _row(call, offset, rest[:16])
                offset, rest = offset + 16, rest[16:]
    if rest:
        _row(call, offset, rest)


def _row(call: Call, offset: int, data: bytes) -> None:
    pairs = " ".join(data[at : at + 2].hex() for at in range(0, len(data), 2))
    shown = bytes(byte if 32 <= byte < 127 else ord(".") for byte in data)
    call.out.write(encoded(f"{offset:08x}: {pairs:<39}  ") + shown + b"\n")
