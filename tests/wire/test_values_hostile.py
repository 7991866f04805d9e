"""The decoder against a sandbox that sends what it likes: one kind of error, bounded time, bounded
memory."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.wire import values
from fumehood.wire.values import Decoder, Encoder, Record, RemoteError, ValueLimits

PRIME = (1 << 61) - 1
"""What the hashes of numbers are counted by."""

MALFORMED: dict[str, Any] = {
    "an empty list": [],
    "an unknown tag": ["nothing", 1],
    "a tag that is not text": [1, 2],
    "a tag that cannot be hashed": [[], 2],
    "a dict": {"a": 1},
    "bytes": b"x",
    "a reference before anything": ["ref", 0],
    "a reference beyond the end": ["list", ["ref", 1]],
    "a negative reference": ["list", ["ref", -1]],
    "a reference that is true": ["list", ["list"], ["ref", True]],
    "a reference to an exception from inside it": ["error", "ValueError", ["ref", 0]],
    "a buffer that does not exist": ["bytes", 0],
    "a negative buffer": ["bytes", -1],
    "base64 that is none": ["bytes", "%%%"],
    "base64 without its end": ["bytes", "QQ"],
    "text that is not UTF-8": ["text", "/w=="],
    "a key without a value": ["dict", 1],
    "a list as a key": ["dict", ["list"], 1],
    "a list in a tuple as a key": ["set", ["tuple", ["list"]]],
    "a dataclass as a key": ["dict", ["record", "dataclass", "T", []], 1],
    "an int of digits": ["int", 12],
    "an int of decimal digits": ["int", "12"],
    "an int with underscores": ["int", "0x1_0"],
    "an int in other digits": ["int", "0x١"],
    "an int of a list": ["int", ["list", "AA=="]],
    "an int that is none": ["int", None],
    "a float of other words": ["float", "1e400"],
    "a complex of texts": ["complex", "a", "b"],
    "a range without steps": ["range", 0, 1, 0],
    "a range of floats": ["range", 0.0, 1, 1],
    "a range of truths": ["range", True, 1, 1],
    "a date in no month": ["date", 2020, 13, 1],
    "a date beyond the calendar": ["date", 10**6, 1, 1],
    "a time of floats": ["time", 1.0, 0, 0, 0, 0, None],
    "a zone that is a text": ["time", 1, 0, 0, 0, 0, "UTC"],
    "a zone that is a list": ["datetime", 2020, 1, 1, 0, 0, 0, 0, 0, ["list"]],
    "a zone that is a date": ["time", 1, 0, 0, 0, 0, ["date", 1, 1, 1]],
    "a zone outside of the zones": ["zone", "../../etc/passwd", None],
    "an absolute zone": ["zone", "/etc/localtime", None],
    "a zone with dots": ["zone", "tzdata.zoneinfo", None],
    "an offset of a year": ["timezone", ["timedelta", 365, 0, 0], None],
    "an endless time difference": ["timedelta", 10**18, 0, 0],
    "a decimal with spaces": ["decimal", " 1 "],
    "a decimal of an absurd exponent": ["decimal", "1E+9999999999999999999"],
    "a fraction of nothing": ["fraction", 1, 0],
    "a fraction of texts": ["fraction", "1", "2"],
    "a fraction too large to shorten": ["fraction", ["int", "0x1" + "0" * 5000], 3],
    "a uuid with braces": ["uuid", "{" + "0" * 30 + "}"],
    "a path that is a number": ["path", 1],
    "a deque that is too long": ["deque", 1, 1, 2],
    "a deque of negative length": ["deque", -1],
    "packed texts": ["packed", "list", "u", "AAAA"],
    "packed into a dict": ["packed", "dict", "q", ""],
    "packed into half a number": ["packed", "list", "q", "AAAA"],
    "numbers that are objects": ["numbers", "O", ""],
    "half a number": ["numbers", "q", "AAAA"],
    "a record of an unknown kind": ["record", "class", "T", []],
    "a record of more names than values": ["record", "dataclass", "T", ["a"]],
    "a record of equal names": ["record", "dataclass", "T", ["a", "a"], 1, 2],
    "a record of numbered names": ["record", "dataclass", "T", [1], 1],
    "a record whose names are text": ["record", "dataclass", "T", "a", 1],
    "a record of an endless type": ["record", "dataclass", "T" * 2000, []],
    "an enum member without a value": ["record", "enum", "T", ["name"], "A"],
    "an error without a name": ["error"],
    "an error of a numbered name": ["error", 1],
    "a remote object of negative id": ["remote", -1, "T", "r"],
    "a remote object of no id": ["remote", "1", "T", "r"],
    "a remote object that says too much": ["remote", 1, "T", "r" * 20_000],
    "a pickle": ["pickle", "gASVBQAAAAAAAACMAWGULg=="],
    "a picture of a program": ["picture", "text/html", 1, 1, "AAAA"],
    "an image larger than its bytes": ["image", "RGB", 2, 2, None, None, "AAAA"],
    "an image of an unknown mode": ["image", "BGR;15", 1, 1, None, None, "AAA="],
    "an image of negative size": ["image", "L", -1, -1, None, None, "AA=="],
}


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_malformed_is_a_protocol_error(what: str) -> None:
    with pytest.raises(WorkerProtocolError, match="not a value"):
        Decoder().decode(MALFORMED[what], [bytearray(b"\1" * 5000)] if "too large" in what else [])


@pytest.mark.parametrize("tag", sorted(values.DECODERS))
def test_a_tag_with_too_few_or_too_many_parts_is_a_protocol_error_or_a_value(tag: str) -> None:
    for count in range(12):
        for part in (None, 1, "x", ["list"], ["text", "eA=="]):
            try:
                Decoder().decode([tag, *[part] * count])
            except WorkerProtocolError:
                continue


def test_the_message_quotes_nothing_that_was_sent() -> None:
    for node in (
        ["\x1b[2J" * 1000],
        ["error", ["x" * 10**5]],
        ["uuid", "\x1b" * 9999],
        ["packed", "\x1b" * 9999, 1, 1],
    ):
        with pytest.raises(WorkerProtocolError) as caught:
            Decoder().decode(node)
        assert "\x1b" not in str(caught.value) and len(str(caught.value)) < 200


# -- growth


def test_a_buffer_is_given_out_once() -> None:
    """Otherwise a short node could ask for a million copies of a long buffer."""
    with pytest.raises(WorkerProtocolError, match="used twice"):
        Decoder().decode(["list", ["bytes", 0], ["bytes", 0]], [bytearray(1000)])


def test_depth_is_bounded() -> None:
    node: Any = ["list"]
    for _ in range(300):
        node = ["list", node]
    with pytest.raises(WorkerProtocolError, match="too deeply"):
        Decoder().decode(node)


def test_no_stack_is_too_short_for_a_protocol_error() -> None:
    node: Any = ["list"]
    for _ in range(150):
        node = ["tuple", node]

    def deep(levels: int) -> Any:
        return Decoder().decode(node) if not levels else deep(levels - 1)

    with pytest.raises(WorkerProtocolError):
        deep(sys.getrecursionlimit() - 200)


@pytest.mark.parametrize(
    "node",
    [
        ["list", *[0] * 101],
        ["list", *[["list", 1]] * 60],
        ["packed", "list", "q", 0],
        ["record", "dataclass", "T", [f"a{n}" for n in range(60)], *range(60)],
    ],
    ids=["flat", "nested", "packed", "names"],
)
def test_items_are_bounded(node: Any) -> None:
    with pytest.raises(WorkerProtocolError, match="too many items"):
        Decoder(limits=ValueLimits(items=100)).decode(node, [bytearray(8 * 101)])


def test_an_exponential_value_is_small_here_too() -> None:
    """2^100 places, a hundred lists: references are not copies."""
    node: list[Any] = ["list", ["list", 1]]
    for number in range(1, 100):
        node.append(["list", ["ref", number], ["ref", number]])
    back = Decoder().decode(node)
    assert len(back) == 100 and back[99][0] is back[99][1] is back[98]


@pytest.mark.parametrize(
    "link",
    [["deque", None], ["objects", [1]], ["slice", None, None]],
    ids=["deques", "arrays", "slices"],
)
def test_what_is_freed_by_recursion_has_no_number_to_refer_to(link: list[Any]) -> None:
    """A long chain of such objects would overflow the stack when it is dropped."""
    if link[0] == "objects":
        pytest.importorskip("numpy")
    assert len(Decoder().decode(["list", [*link, 1], ["list"], ["ref", 1]])) == 3
    with pytest.raises(WorkerProtocolError, match="a reference to nothing"):
        Decoder().decode(["list", [*link, 1], [*link, ["ref", 1]]])


@pytest.mark.parametrize("link", [["deque", None], ["slice", None, None]], ids=["deque", "slice"])
def test_a_chain_of_deques_and_lists_is_dropped_without_harm(link: list[Any]) -> None:
    chain: list[Any] = ["list", ["list"]]
    for number in range(1, 100_000):
        chain.append(["list", [*link, ["ref", number]]])
    back = Decoder().decode(chain)
    last = back[-1]
    del back, chain
    del last


def test_a_key_cannot_be_made_of_shared_parts() -> None:
    """Hashing a tuple of shared tuples takes 2^n steps, so tuples have no numbers to refer to."""
    assert Encoder().encode([(1, 2)] * 2)[0] == ["list", ["tuple", 1, 2], ["tuple", 1, 2]]
    with pytest.raises(WorkerProtocolError, match="a reference to nothing"):
        Decoder().decode(["tuple", ["tuple", 1], ["ref", 0]])
    with pytest.raises(WorkerProtocolError, match="a reference to nothing"):
        Decoder().decode(["tuple", ["record", "frozen", "T", ["a"], 1], ["ref", 0]])


def test_a_long_text_in_a_key_has_no_number() -> None:
    node, buffers = Encoder().encode([{("x" * 5000, 1): 1}, "y" * 5000, "y" * 5000])
    back = Decoder().decode(json.loads(json.dumps(node)), buffers)
    assert back == [{("x" * 5000, 1): 1}, "y" * 5000, "y" * 5000]
    with pytest.raises(WorkerProtocolError, match="a reference to nothing"):
        Decoder().decode(["set", ["tuple", ["text", "eA=="], 1], ["tuple", ["ref", 1], 2]])


def large(number: int) -> Any:
    return Encoder().encode(number)[0]


def colliding() -> dict[str, list[Any]]:
    return {
        "ints": [large(5 + n * PRIME) for n in range(100, 2100)],
        "complex numbers": [["complex", float(-1000003 * n), float(n)] for n in range(2000)],
        "decimals": [["decimal", str(5 + n * PRIME)] for n in range(2000)],
        "fractions": [["fraction", large(5 + n * PRIME), 1] for n in range(100, 2100)],
        "uuids": [["uuid", f"{5 + n * PRIME:032x}"] for n in range(2000)],
        "tuples": [["tuple", *[-1 - (n >> bit & 1) for bit in range(11)]] for n in range(2000)],
        "records": [
            ["record", "frozen", "T", ["a"], ["uuid", f"{5 + n * PRIME:032x}"]] for n in range(2000)
        ],
        "frozensets": [["frozenset", ["uuid", f"{5 + n * PRIME:032x}"]] for n in range(2000)],
    }


@pytest.mark.parametrize("kind", colliding())
def test_keys_that_were_made_to_collide_are_refused(kind: str) -> None:
    keys = colliding()[kind]
    for tag in ("set", "frozenset"):
        with pytest.raises(WorkerProtocolError, match="made to collide"):
            Decoder().decode([tag, *keys])
    for tag in ("dict", "ordered", "counter"):
        with pytest.raises(WorkerProtocolError, match="made to collide"):
            Decoder().decode([tag, *[part for key in keys for part in (key, 1)]])


def test_many_small_tables_of_colliding_keys_are_refused_too() -> None:
    keys = colliding()["uuids"][:50]
    with pytest.raises(WorkerProtocolError, match="made to collide"):
        Decoder().decode(["list", *[["set", *keys]] * 100])


def test_a_few_colliding_keys_are_ordinary() -> None:
    value = {(-1, -2): 1, (-2, -1): 2, (-1, -1): 3, (-2, -2): 4, -1: 5, -2: 6}
    node, buffers = Encoder().encode(value)
    assert Decoder().decode(node, buffers) == value


# -- what is made


def test_no_exception_is_made_that_would_read_beyond_its_text() -> None:
    for start, end in ((-5, 1), (0, 10**9), (3, 2), (2**62, 2**62 + 1)):
        back = Decoder().decode(
            ["error", "UnicodeDecodeError", "utf-8", ["bytes", "QQ=="], start, end, "why"]
        )
        assert type(back) is RemoteError and str(back)


def test_an_exception_this_python_does_not_have_arrives_by_name() -> None:
    assert type(Decoder().decode(["error", "FutureError", "x"])) is RemoteError
    assert type(Decoder().decode(["error", "__import__", "os"])) is RemoteError
    assert type(Decoder().decode(["error", "UnicodeDecodeError", "x"])) is RemoteError


def test_decoding_imports_nothing_by_a_name_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins
    import importlib

    wanted: list[str] = []
    real = importlib.import_module
    monkeypatch.setattr(
        importlib, "import_module", lambda name, *rest: wanted.append(name) or real(name, *rest)
    )
    original = builtins.__import__
    monkeypatch.setattr(
        builtins,
        "__import__",
        lambda name, *rest, **named: wanted.append(name) or original(name, *rest, **named),
    )
    for node in (
        ["zone", "antigravity", None],
        ["record", "dataclass", "antigravity.T", []],
        ["error", "antigravity", 1],
    ):
        Decoder().decode(node)
    monkeypatch.undo()
    assert not [name for name in wanted if "antigravity" in name]
    assert "antigravity" not in sys.modules


def test_where_a_library_is_missing_a_record_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("numpy", "numpy.ma", "pandas", "PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, name, None)
    column = ["array", "<i8", ["tuple", 1], "C", True, "AAAAAAAAAAA="]
    labels = ["rangeindex", 0, 1, 1, None]
    nodes = [
        *(
            column,
            ["objects", [1], ["list"]],
            ["scalar", "<i8", "AAAAAAAAAAA="],
            ["npstr", "x"],
            ["npbytes", "QQ=="],
            ["nat"],
            ["na"],
        ),
        *(
            ["series", labels, "n", column],
            [
                "frame",
                labels,
                ["index", ["strings", "str", ["list", "a"]], None, None],
                ["list", column],
            ],
        ),
        *(
            ["multiindex", ["list", labels], ["list", column], ["tuple", None]],
            ["timestamp", 0, "s", None],
            ["duration", 0, "s"],
        ),
        *(["image", "L", 1, 1, None, None, "AA=="],),
        ["series", labels, None, ["category", column, ["index", column, None, None], False]],
        ["series", labels, None, ["nullable", "Int64", column, column]],
    ]
    for node in nodes:
        back = Decoder().decode(["list", node, 5])[0]
        assert (
            type(back) is Record
            and back._kind == "missing"
            and "is not installed here" in back.reason
        ), node
        hash(back)
    shared = Decoder().decode(["list", ["series", labels, None, column], ["list", 7], ["ref", 4]])
    assert shared[2] is shared[1]
