"""Bytes and JSON that were right once: changed in one place or several, cut, doubled, mixed with
others."""

from __future__ import annotations

import json
import struct
from random import Random
from typing import Any

_NUMBERS = (
    0,
    1,
    2,
    7,
    8,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**63 - 1,
    2**63,
    2**64 - 1,
)
_FORMATS = (">B", ">H", "<H", ">I", "<I", ">Q", "<Q")

ODDITIES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        96,
        2**31,
        2**53,
        2**62,
        2**63 - 1,
        -(2**63),
        2**63,
        2**64,
        10**30,
        0.5,
        -0.0,
        1e308,
        5e-324,
    ),
    *(
        "",
        "0",
        "list",
        "q",
        "d",
        "C",
        "F",
        "|O",
        "|V8",
        "<U9",
        "|S0",
        "<f8",
        "<M8[ns]",
        ">i2",
        "AAAA",
        "%%%",
        "QQ",
        "é",
        "\x00",
        "\x1b[2J",
    ),
    *(
        "UTC",
        "Europe/Paris",
        "../../etc/passwd",
        "0x1",
        "-0x1",
        "nan",
        "inf",
        "1e999999999",
        "x" * 300,
        "dataclass",
        "enum",
        "ValueError",
    ),
    *(
        [],
        {},
        [[]],
        ["list"],
        ["tuple"],
        ["ref", 0],
        ["ref", 1],
        ["ref", -1],
        ["bytes", 0],
        ["text", 0],
        ["int", "0x1"],
        ["dict", ["list"], 1],
    ),
    *(
        ["objects", [0]],
        ["index"],
        ["array", "<f8", ["tuple", 2**40], "C", True, 0],
        ["remote", 1, "T", "r"],
        ["pickle", "gAR9lC4="],
        ["object", 1],
    ),
)


def spoilt(
    random: Random, data: bytes, others: tuple[bytes, ...] = (), most: int = 1 << 16
) -> bytes:
    """Bytes that differ from these in a few places."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4, 16))):
        at = random.randrange(len(changed) + 1)
        match random.randrange(9):
            case 0 if changed:
                changed[at % len(changed)] = random.randrange(256)
            case 1 if changed:
                changed[at % len(changed)] ^= 1 << random.randrange(8)
            case 2:
                del changed[at : at + random.choice((1, 2, 8, 64))]
            case 3:
                changed[at:at] = random.randbytes(random.choice((1, 2, 8, 64)))
            case 4:
                changed = changed[:at]
            case 5:
                kind = random.choice(_FORMATS)
                number = random.choice(_NUMBERS) % (1 << 8 * struct.calcsize(kind))
                changed[at : at + struct.calcsize(kind)] = struct.pack(kind, number)
            case 6:
                end = at + random.choice((1, 4, 16, 200))
                changed[at:at] = changed[at:end] * random.choice((1, 2, 50))
            case 7 if others:
                other = random.choice(others)
                changed[at:] = other[random.randrange(len(other) + 1) :]
            case _:
                changed[at:at] = random.choice(
                    (
                        b"\0" * 8,
                        b"\xff" * 8,
                        b"\n",
                        b"\r\n",
                        b"{}",
                        b"[]",
                        b'"',
                        b"\\ud800",
                        b"1e999",
                        b"=" * 4,
                    )
                )
    return bytes(changed[:most])


def cut(random: Random, data: bytes) -> list[bytes]:
    """The same bytes in pieces, as a socket might give them."""
    sizes = random.choice(((1,), (1, 2, 3), (7, 8, 9), (1, 4, 16, 64), (100, 1000), (1, 4096)))
    pieces = []
    while data:
        size = random.choice(sizes)
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def spoil_json(random: Random, node: Any, tags: tuple[str, ...] = ()) -> Any:
    """A copy of something made of lists, dictionaries and plain values, with a few of its places
    changed, removed, doubled or moved."""
    root = [_copied(node)]
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        at, key = _somewhere(random, root)
        match random.randrange(7):
            case 0 if at is not root and len(at) > 1:
                del at[key]
            case 1 if type(at) is list and at is not root:
                at.insert(key, _oddity(random))
            case 2 if type(at[key]) is int:
                at[key] += random.choice((1, -1, 2**31, 2**62, -(2**63)))
            case 3:
                at[key] = _copied(at[random.choice([*_keys(at)])])
            case 4 if type(at[key]) is list and at[key] and tags:
                at[key][0] = random.choice(tags)
            case 5:
                at[key] = [
                    random.choice(tags or ("list",)),
                    *(_oddity(random) for _ in range(random.randrange(6))),
                ]
            case _:
                at[key] = _oddity(random)
    return root[0]


def _copied(node: Any) -> Any:
    return json.loads(json.dumps(node))


def _oddity(random: Random) -> Any:
    return _copied(random.choice(ODDITIES))


def _keys(at: Any) -> Any:
    return range(len(at)) if type(at) is list else list(at)


def _somewhere(random: Random, root: list[Any]) -> tuple[Any, Any]:
    at: Any = root
    key: Any = 0
    for _ in range(100):
        inside = at[key]
        if type(inside) not in (list, dict) or not inside or random.random() < 0.2:
            break
        at, key = inside, random.choice([*_keys(inside)])
    return at, key


def as_json(node: Any) -> bytes:
    """As it would stand in a header. What JSON has no words for is left as Python's own: parsers
    must refuse it."""
    return json.dumps(node, default=str, ensure_ascii=False).encode("utf-8", "surrogatepass")
