"""Rows of the value codec for what is built into Python: numbers, text, bytes and containers."""

from __future__ import annotations

import array
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from math import isfinite
from typing import Any, Final

from fumehood.wire.codec import (
    HASHABLE_BY_PARTS,
    INLINE_BYTES,
    INLINE_TEXT,
    INT_MAX,
    INT_MIN,
    PLAIN,
    ROWS,
    Decoding,
    Encoding,
    Node,
    arity,
    decodes,
    encodes,
    exactly,
    guarded,
    is_utf8,
    malformed,
)

PACKED: Final = 32
"""Numbers that still stand in the header one by one; more of one kind are packed into a buffer."""

# -- scalars


@encodes(type(None), bool)
def _itself(walk: Encoding, value: Any) -> Node:
    node: Node = value
    return node


@encodes(int)
def _int(walk: Encoding, value: int) -> Node:
    if INT_MIN <= value <= INT_MAX:
        return value
    # Hexadecimal, and bytes beyond that: decimal digits take quadratic time, and Python refuses
    # more than 4300 of them.
    if value.bit_length() <= 4096:
        return ["int", hex(value)]
    return [
        "int",
        ["bytes", walk.blob(value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True))],
    ]


_HEX: Final = re.compile(r"-?0x[0-9a-f]{1,1100}")


@decodes("int", key=True)
def _to_int(walk: Decoding, node: list[Any]) -> int:
    (part,) = arity(node, 1)
    if type(part) is list:
        tag, blob = part
        if tag != "bytes":
            malformed("an int of neither digits nor bytes")
        return int.from_bytes(walk.blob(blob), "little", signed=True)
    if not _HEX.fullmatch(exactly(str, part)):
        malformed("an int of other characters than digits")
    return int(part, 16)


@encodes(float)
def _float(walk: Encoding, value: float) -> Node:
    return value if isfinite(value) else ["float", repr(value)]


_NOT_FINITE: Final = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


@decodes("float", key=True)
def _to_float(walk: Decoding, node: list[Any]) -> float:
    (part,) = arity(node, 1)
    return (
        _NOT_FINITE[exactly(str, part)] if part != "nan" else float("nan")
    )  # each nan is an object of its own, as a key too


@encodes(complex)
def _complex(walk: Encoding, value: complex) -> Node:
    return ["complex", _float(walk, value.real), _float(walk, value.imag)]


@decodes("complex", key=True)
def _to_complex(walk: Decoding, node: list[Any]) -> complex:
    real, imag = arity(node, 2)
    return complex(walk.of(float, real), walk.of(float, imag))


@encodes(str)
def _str(walk: Encoding, value: str) -> Node:
    if len(value) <= INLINE_TEXT and (value.isascii() or is_utf8(value)):
        return value
    if walk.in_key:
        return walk.words(value)
    seen = walk.seen(value)
    if seen is None:
        walk.note(value, key=True)
        return ["text", walk.blob(value.encode("utf-8", "surrogatepass"))]
    return seen


@decodes("text", key=True)
def _to_str(walk: Decoding, node: list[Any]) -> str:
    text = walk.words(node)
    return text if walk.in_key else walk.note(text)


@encodes(bytes)
def _bytes(walk: Encoding, value: bytes) -> Node:
    if len(value) <= INLINE_BYTES or walk.in_key:
        return ["bytes", walk.blob(value)]
    seen = walk.seen(value)
    if seen is None:
        walk.note(value, key=True)
        return ["bytes", walk.blob(value)]
    return seen


@decodes("bytes", key=True)
def _to_bytes(walk: Decoding, node: list[Any]) -> bytes:
    (part,) = arity(node, 1)
    value = bytes(walk.blob(part))
    return value if len(value) <= INLINE_BYTES or walk.in_key else walk.note(value)


@encodes(bytearray)
def _bytearray(walk: Encoding, value: bytearray) -> Node:
    seen = walk.seen(value)
    if seen is None:
        walk.note(value)
        # A copy: while a view of it exists a bytearray cannot grow, and nobody knows when this node
        # is sent.
        return ["bytearray", walk.blob(bytes(value))]
    return seen


@decodes("bytearray")
def _to_bytearray(walk: Decoding, node: list[Any]) -> bytearray:
    (part,) = arity(node, 1)
    data = walk.blob(part)
    return walk.note(data if type(data) is bytearray else bytearray(data))  # type: ignore[no-any-return]


@encodes(memoryview)
def _memoryview(walk: Encoding, value: memoryview) -> Node:
    try:
        data = value.tobytes()
    except ValueError:  # released
        return walk.fallback(value)
    return (
        ["bytes", walk.blob(data)]
        if len(data) <= INLINE_BYTES or walk.in_key
        else _bytes(walk, data)
    )


@encodes(range)
def _range(walk: Encoding, value: range) -> Node:
    return ["range", _int(walk, value.start), _int(walk, value.stop), _int(walk, value.step)]


@decodes("range", key=True)
def _to_range(walk: Decoding, node: list[Any]) -> range:
    return range(*(walk.of(int, part) for part in arity(node, 3)))


@encodes(slice)
def _slice(walk: Encoding, value: slice) -> Node:
    walk.enter(3)
    node: Node = ["slice", walk.value(value.start), walk.value(value.stop), walk.value(value.step)]
    walk.depth += 1
    return node


@decodes("slice")
def _to_slice(walk: Decoding, node: list[Any]) -> slice:
    start, stop, step = arity(node, 3)
    return slice(walk.value(start), walk.value(stop), walk.value(step))


@encodes(type(...))
def _ellipsis(walk: Encoding, value: Any) -> Node:
    return ["ellipsis"]


@decodes("ellipsis", key=True)
def _to_ellipsis(walk: Decoding, node: list[Any]) -> Any:
    arity(node, 0)
    return ...


@encodes(type(NotImplemented))
def _not_implemented(walk: Encoding, value: Any) -> Node:
    return ["notimplemented"]


@decodes("notimplemented", key=True)
def _to_not_implemented(walk: Decoding, node: list[Any]) -> Any:
    arity(node, 0)
    return NotImplemented


# -- containers

_SEQUENCES: Final[dict[str, Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}
_CODES: Final = {int: "q", float: "d"}
_SETS: Final = frozenset({"set", "frozenset"})


def _items(walk: Encoding, tag: str, value: Any) -> Node:
    """The node of something that is its items. They are copied first: what `remote` does may change
    the container."""
    walk.enter(len(value))
    if len(value) > PACKED and tag in _SEQUENCES:
        packed = _packed(walk, tag, value)
        if packed is not None:
            walk.depth += 1
            return packed
    items = tuple(value)
    if short_texts(items):
        walk.depth += 1
        return [tag, *items]
    node: list[Any] = [tag]
    add = node.append
    find = ROWS.get
    if tag in _SETS:
        for item in items:
            add(walk.key(item))
    else:
        for item in items:
            encode = find(id(type(item)))
            add(walk.unknown(item) if encode is None else encode(walk, item))
    walk.depth += 1
    return node


def short_texts(items: Any) -> bool:
    """Whether all items are texts that stand for themselves; quicker than to ask each."""
    try:
        return (
            set(map(type, items)) == {str}
            and max(map(len, items)) <= INLINE_TEXT
            and "".join(items).isascii()
        )
    except Exception:  # a metaclass that refuses to be hashed, or lies
        return False


def _packed(walk: Encoding, tag: str, items: Any) -> Node:
    """Numbers of one exact type as one buffer, or None."""
    try:
        kinds = set(map(type, items))
        code = _CODES.get(kinds.pop()) if len(kinds) == 1 else None
        if code is None:
            return None
        numbers = array.array(code, items)
    except Exception:  # an int beyond 64 bits; a metaclass that refuses to be hashed
        return None
    if sys.byteorder == "big":
        numbers.byteswap()
    return ["packed", tag, code, walk.blob(memoryview(numbers).cast("B"))]


@decodes("packed")
def _to_packed(walk: Decoding, node: list[Any]) -> Any:
    tag, code, part = arity(node, 3)
    make = _SEQUENCES[exactly(str, tag)]
    if code not in ("q", "d"):
        malformed("packed items that are not numbers")
    number = walk.reserve() if tag in _NUMBERED else -1
    data = walk.blob(part)
    if len(data) % 8:
        malformed("packed numbers of a broken length")
    walk.spend(len(data) // 8)
    numbers = array.array(code, data if type(data) is bytes else bytes(data))
    if sys.byteorder == "big":
        numbers.byteswap()
    items = numbers.tolist()
    value = items if tag == "list" else make(walk.keys(items) if tag in _SETS else items)
    return value if number < 0 else walk.fill(number, value)


_NUMBERED: Final = frozenset({"list", "set"})


@encodes(list)
def _list(walk: Encoding, value: list[Any]) -> Node:
    seen = walk.seen(value)
    if seen is None:
        walk.note(value)
        return _items(walk, "list", value)
    return seen


@decodes("list")
def _to_list(walk: Decoding, node: list[Any]) -> list[Any]:
    value: list[Any] = walk.note([])
    _fill(walk, value, node)
    return value


def _fill(walk: Decoding, value: list[Any], node: list[Any]) -> None:
    if set(map(type, node)) <= PLAIN:
        value += node
        del value[0]
        return
    add = value.append
    for part in node[1:]:
        add(part if type(part) in PLAIN else walk.value(part))


@encodes(tuple)
def _tuple(walk: Encoding, value: tuple[Any, ...]) -> Node:
    return _items(walk, "tuple", value)


@decodes("tuple")
def _to_tuple(walk: Decoding, node: list[Any]) -> tuple[Any, ...]:
    value: list[Any] = []
    _fill(walk, value, node)
    return tuple(value)


@encodes(set)
def _set(walk: Encoding, value: set[Any]) -> Node:
    seen = walk.seen(value)
    if seen is None:
        walk.note(value)
        return _items(walk, "set", value)
    return seen


def _keys(walk: Decoding, node: list[Any]) -> list[Any]:
    return walk.keys([part if type(part) in PLAIN else walk.key(part) for part in node[1:]])


@decodes("set")
def _to_set(walk: Decoding, node: list[Any]) -> set[Any]:
    value: set[Any] = walk.note(set())
    value.update(_keys(walk, node))
    return value


@encodes(frozenset)
def _frozenset(walk: Encoding, value: frozenset[Any]) -> Node:
    return _items(walk, "frozenset", value)


@decodes("frozenset", key=True)
def _to_frozenset(walk: Decoding, node: list[Any]) -> frozenset[Any]:
    return frozenset(_keys(walk, node))


def _pairs(walk: Encoding, tag: str, value: dict[Any, Any]) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    walk.note(value)
    items = tuple(dict.items(value))
    walk.enter(2 * len(items))
    node: list[Any] = [tag]
    add = node.append
    for key, item in items:
        add(
            key if type(key) is str and len(key) <= INLINE_TEXT and key.isascii() else walk.key(key)
        )
        add(walk.value(item))
    walk.depth += 1
    return node


def _fill_pairs(walk: Decoding, value: dict[Any, Any], node: list[Any]) -> None:
    if not len(node) % 2:
        malformed("a key without a value")
    keys: list[Any] = []
    items: list[Any] = []
    parts = iter(node)
    next(parts)
    for part in parts:
        keys.append(part if type(part) in PLAIN else walk.key(part))
        part = next(parts)
        items.append(part if type(part) in PLAIN else walk.value(part))
    value.update(zip(walk.keys(keys), items, strict=True))


@encodes(dict, defaultdict)
def _dict(walk: Encoding, value: dict[Any, Any]) -> Node:
    return _pairs(walk, "dict", value)


@decodes("dict")
def _to_dict(walk: Decoding, node: list[Any]) -> dict[Any, Any]:
    value: dict[Any, Any] = walk.note({})
    _fill_pairs(walk, value, node)
    return value


@encodes(OrderedDict)
def _ordered_dict(walk: Encoding, value: OrderedDict[Any, Any]) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    # Its order is its own, not that of the dict beneath. A plain dict takes its place so that one
    # function walks both.
    walk.note(value)
    items = tuple(OrderedDict.items(value))
    walk.enter(2 * len(items))
    node: list[Any] = ["ordered"]
    for key, item in items:
        node += walk.key(key), walk.value(item)
    walk.depth += 1
    return node


@decodes("ordered")
def _to_ordered_dict(walk: Decoding, node: list[Any]) -> OrderedDict[Any, Any]:
    value: OrderedDict[Any, Any] = walk.note(OrderedDict())
    _fill_pairs(walk, value, node)
    return value


@encodes(Counter)
def _counter(walk: Encoding, value: Counter[Any]) -> Node:
    return _pairs(walk, "counter", value)


@decodes("counter")
def _to_counter(walk: Decoding, node: list[Any]) -> Counter[Any]:
    value: Counter[Any] = walk.note(Counter())
    pairs: dict[Any, Any] = {}
    _fill_pairs(walk, pairs, node)
    dict.update(value, pairs)  # Counter.update adds, and counts may be anything
    return value


@encodes(deque)
@guarded
def _deque(walk: Encoding, value: deque[Any]) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    walk.note(value)
    refs = walk.refs
    node = _items(walk, "deque", value)
    walk.closes(refs)
    assert type(node) is list
    node.insert(1, value.maxlen)
    return node


@decodes("deque")
def _to_deque(walk: Decoding, node: list[Any]) -> deque[Any]:
    if len(node) < 2:
        malformed("a deque without a length")
    maxlen = node[1]
    if maxlen is not None and (type(maxlen) is not int or not len(node) - 2 <= maxlen <= INT_MAX):
        malformed("a deque longer than it may be")
    value: deque[Any] = walk.note(deque(maxlen=maxlen))
    refs = walk.refs
    for part in node[2:]:
        value.append(part if type(part) in PLAIN else walk.value(part))
    walk.closes(refs)
    return value


@encodes(array.array)
def _array(walk: Encoding, value: array.array[Any]) -> Node:
    if value.typecode not in _ITEM_SIZES:
        return walk.fallback(value)
    seen = walk.seen(value)
    if seen is not None:
        return seen
    walk.note(value)
    return ["numbers", value.typecode, value.itemsize, sys.byteorder, walk.blob(value.tobytes())]


_ITEM_SIZES: Final = {code: array.array(code).itemsize for code in "bBhHiIlLqQfd"}


@decodes("numbers")
def _to_array(walk: Decoding, node: list[Any]) -> array.array[Any]:
    code, size, order, part = arity(node, 4)
    if (
        type(code) is not str
        or type(size) is not int
        or _ITEM_SIZES.get(code) != size
        or order not in ("little", "big")
    ):
        malformed("an array of numbers that this machine does not have")
    value = array.array(code, bytes(walk.blob(part)))
    if order != sys.byteorder:
        value.byteswap()
    return walk.note(value)  # type: ignore[no-any-return]


HASHABLE_BY_PARTS["tuple"] = lambda node: node[1:]
HASHABLE_BY_PARTS["packed"] = lambda node: None if node[1] in _NUMBERED else []
