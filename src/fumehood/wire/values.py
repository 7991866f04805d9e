"""Values: how a Python value crosses between host and sandbox.

A value becomes a *node*, JSON in the header of a message, and *buffers*, raw bytes that follow it.
None, bool, int within 64 bits, finite float and text stand for themselves. Everything else is a
list that begins with a tag, a plain list included, so that no value can be mistaken for another.
docs/protocol.md lists the tags.

There is one table of types. The encoder picks by exact type (`ENCODERS`), the decoder by tag
(`DECODERS`). Most types are a `Row`: a tag, the parts that make a value, and two functions. The
types of numpy and PIL are in arrays.py, those of pandas in tables.py.

Objects whose identity matters are numbered in the order in which their nodes begin, on both sides,
so `["ref", 3]` needs no mark on what it refers to. Only what cannot be hashed by its parts has a
number. A key is therefore always a tree, and to hash it takes time in proportion to its size.

Whatever the decoder receives, it raises WorkerProtocolError and nothing else, takes memory in
proportion to its input, calls only constructors of this table, imports nothing by a name that it
received, and never unpickles on the host.
"""

from __future__ import annotations

import array
import binascii
import builtins
import functools
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from operator import attrgetter
from types import FunctionType, MemberDescriptorType
from typing import Any, Final, NoReturn, TypeAlias

from fumehood.errors import WorkerProtocolError
from fumehood.wire.records import KINDS, MIMES, Picture, Record, RemoteError, RemoteObject
from fumehood.wire.records import TupleRecord as _TupleRecord
from fumehood.wire.show import qualified_name

Node: TypeAlias = "bool | int | float | str | list[Any] | None"
Buffer: TypeAlias = bytes | bytearray | memoryview
Encode: TypeAlias = "Callable[[Encoding, Any], Node]"

INLINE_TEXT: Final = 2048  # characters of a text in the header; a longer one is a buffer
INLINE_BYTES: Final = 96  # the same for bytes, which are base64 in the header
PACKED: Final = 32  # numbers in the header; more of one type are one buffer
NESTED_LEAVES: Final = 16  # levels that the parts of a leaf (a zone in a time) may add to `depth`
FRACTION_BITS: Final = 16_384  # the greatest common divisor takes quadratic time
FRAGILE: Final = 1000
"""Deques and arrays of objects in one value that may hold references. CPython and numpy free them
by plain recursion, so a long chain of them would overflow the stack."""
PLAIN: Final = frozenset({type(None), bool, int, float, str})
INT_MIN: Final = -(1 << 63)
INT_MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """The size of one value. The encoder raises ValueError, the decoder WorkerProtocolError."""

    depth: int = 200
    """Containers inside containers."""
    items: int = 5_000_000
    """Items of all containers. An array of numbers counts as one, a list as its length."""
    buffers: int = 30_000
    """Buffers of one value; further bytes are in the header."""
    text: int = 10_000
    """Characters of the name and the repr of a RemoteObject."""
    collisions: int = 50_000
    """Comparisons between keys of equal hash: such keys are easily made, and each pair costs
    time."""


class Refused(ValueError):
    """The whole value cannot be sent: a limit, or an object that nothing can represent."""


class Unsupported(Exception):
    """A value of a known type that the codec does not carry: it is sent like one of an unknown
    type."""


class _Unhashable(Exception):
    """Part of a key would not be hashable on the other side."""


class _CallbackRaised(Exception):
    """Carries an exception of the caller's `remote` or `unpickle` out of the decoder."""


ENCODERS: Final[dict[int, Encode]] = {}
"""By the identity of the type: a metaclass can define equality and hash."""
DECODERS: Final[dict[str, Callable[[Decoding, list[Any]], Any]]] = {}
LATE: Final[dict[str, list[Callable[[Any], dict[type, Encode]]]]] = {}
"""Encoders of types whose modules may not be imported yet. Encoding imports nothing."""
SHAPES: Final[list[Callable[[type, tuple[type, ...]], Encode | None]]] = []
"""For types without an encoder: functions that recognize a family by the class alone."""
_MRO: Final = type.__dict__["__mro__"]


def malformed(what: str) -> NoReturn:
    raise WorkerProtocolError(f"not a value: {what}")


def is_utf8(text: str) -> bool:
    """Whether a text holds no lone surrogates, which many JSON parsers refuse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Encoding:
    """One value on its way out. Calls nothing of an object of an unknown type, except through the
    caller's `remote` or `pickle`."""

    def __init__(
        self,
        limits: ValueLimits,
        remote: Callable[[object], tuple[int, str, str]] | None,
        pickle: Callable[[object], bytes] | None,
        owner: object,
    ) -> None:
        self.limits, self.remote, self.pickle, self.owner = limits, remote, pickle, owner
        self.depth, self.items, self.fragile = limits.depth, limits.items, FRAGILE
        self.buffers: list[bytes | memoryview] = []
        self.numbers: dict[int, int] = {}
        # Keeps numbered objects alive: the id of a freed object can be used again.
        self.kept: list[object] = []
        self.open: set[int] = set()
        self.remotes: set[int] = set()
        self.in_key = self.refs = self.unsorted = 0
        self.shapes: dict[int, tuple[type, Encode | None]] = {}

    def value(self, value: Any) -> Node:
        encode = ENCODERS.get(id(type(value)))
        return self.unknown(value) if encode is None else encode(self, value)

    def key(self, value: Any) -> Node:
        """A node that the decoder can hash. A value that is hashable only here is a RemoteObject
        there."""
        mark = self.mark()
        self.in_key += 1
        try:
            node = self.value(value)
        except _Unhashable:
            self.roll_back(mark)
            return self.fallback(value)
        self.in_key -= 1
        return node

    def enter(self, items: int) -> None:
        """Go one level down, into a container of so many items. The caller adds 1 to `depth` at the
        end of it."""
        self.depth -= 1
        self.items -= items + 1
        if self.depth < 0:
            raise Refused(f"the value is nested deeper than {self.limits.depth} levels")
        if self.items < 0:
            raise Refused(f"the value holds more than {self.limits.items:,} items")

    def seen(self, value: object, *, hashable: bool = False) -> Node:
        """A reference if this object was encoded before; otherwise it gets a number."""
        if self.in_key and not hashable:
            raise _Unhashable
        number = self.numbers.get(id(value))
        if number is None:
            self.numbers[id(value)] = len(self.kept)
            self.kept.append(value)
            return None
        if number in self.open:
            raise Unsupported("it contains itself")
        self.refs += 1
        return ["ref", number]

    def reserve(self, value: object, *, hashable: bool = False) -> Node:
        """As `seen`, for an object that cannot be referred to before its end (`fill`)."""
        seen = self.seen(value, hashable=hashable)
        if seen is None:
            self.open.add(len(self.kept) - 1)
        return seen

    def fill(self, value: object) -> None:
        self.open.discard(self.numbers[id(value)])

    def closes(self, refs: int) -> None:
        """Called at the end of a deque or array of objects; see FRAGILE."""
        self.fragile -= self.refs != refs
        if self.fragile < 0:
            raise Unsupported("too many deques or arrays that hold references")

    def mark(self) -> tuple[int, int, int, int]:
        return len(self.kept), len(self.buffers), self.depth, self.in_key

    def roll_back(self, mark: tuple[int, int, int, int]) -> None:
        """Forget the numbers and buffers since the mark: their node is not sent."""
        kept, buffers, self.depth, self.in_key = mark
        for number in range(kept, len(self.kept)):
            if self.numbers.get(id(self.kept[number])) == number:
                del self.numbers[id(self.kept[number])]
        late = {*range(kept, len(self.kept))}
        self.open -= late
        self.remotes -= late
        del self.kept[kept:], self.buffers[buffers:]

    def blob(self, data: bytes | memoryview) -> int | str:
        """Raw bytes: the index of a buffer, or base64."""
        if len(data) <= INLINE_BYTES or len(self.buffers) >= self.limits.buffers:
            return binascii.b2a_base64(data, newline=False).decode()
        self.buffers.append(data)
        return len(self.buffers) - 1

    def words(self, text: str) -> Node:
        """A text without a number."""
        if len(text) <= INLINE_TEXT and (text.isascii() or is_utf8(text)):
            return text
        return ["text", self.blob(text.encode("utf-8", "surrogatepass"))]

    def unknown(self, value: Any) -> Node:
        """A value whose type has no encoder yet."""
        mark = self.mark()
        try:
            encode = self.shape(type(value))
            if encode is not None:
                return encode(self, value)
        except (Refused, _Unhashable, RecursionError):
            raise
        except Exception:
            self.roll_back(mark)
        return self.fallback(value)

    def shape(self, kind: type) -> Encode | None:
        for module in tuple(LATE):  # a copy: another thread may encode too
            if module not in sys.modules:
                continue
            try:
                rows = [make(sys.modules[module]) for make in LATE[module]]
            except Exception:
                continue  # half imported: the next unknown value tries again
            for row in rows:
                ENCODERS.update({id(type_): encode for type_, encode in row.items()})
            LATE.pop(module, None)
        if id(kind) in ENCODERS:
            return ENCODERS[id(kind)]
        if id(kind) not in self.shapes:
            mro = _MRO.__get__(kind)
            found = next(filter(None, (recognize(kind, mro) for recognize in SHAPES)), None)
            self.shapes[id(kind)] = kind, found
        return self.shapes[id(kind)][1]

    def fallback(self, value: object) -> Node:
        """For what the codec does not carry: a name for it, a pickle of it, or ValueError."""
        number = self.numbers.get(id(value))
        if number in self.remotes:
            self.refs += 1
            return ["ref", number]
        if self.remote is None and self.pickle is None:
            raise Refused(f"a value of type {qualified_name(type(value))} cannot be sent")
        self.numbers[id(value)] = len(self.kept)
        self.remotes.add(len(self.kept))
        self.kept.append(value)
        if self.remote is not None:
            ident, kind, text = self.remote(value)
            limit = self.limits.text
            cut = [t if len(t) <= limit else t[: limit - 1] + "…" for t in (kind, text)]
            return ["remote", ident, *map(self.words, cut)]
        assert self.pickle is not None
        try:
            return ["pickle", self.blob(self.pickle(value))]
        except Exception as error:
            name = qualified_name(type(value))
            raise Refused(f"a value of type {name} cannot be sent: {error}") from error


class Decoding:
    """One value on its way in. The node and the buffers can be anything."""

    def __init__(
        self,
        limits: ValueLimits,
        buffers: Sequence[Buffer],
        remote: Callable[[int, str, str], object],
        unpickle: Callable[[bytes], object] | None,
    ) -> None:
        self.limits, self.remote, self.unpickle = limits, remote, unpickle
        self.buffers: list[Buffer | None] = list(buffers)
        self.depth, self.items = limits.depth + NESTED_LEAVES, limits.items
        self.collisions, self.fragile = limits.collisions, FRAGILE
        self.known: list[object] = []
        self.in_key = self.refs = self.unsorted = 0

    def value(self, node: Any) -> Any:
        if type(node) is not list:
            if type(node) in PLAIN:
                return node
            malformed(f"a {type(node).__name__} in a node")
        self.depth -= 1
        self.spend(len(node))
        if self.depth < 0:
            malformed("a value nested too deeply")
        tag = node[0] if node else None
        decode = DECODERS.get(tag) if type(tag) is str else None
        if decode is None:
            malformed("a node without a known tag")
        value = decode(self, node)
        self.depth += 1
        return value

    def key(self, node: Any) -> Any:
        self.in_key += 1
        value = self.value(node)
        self.in_key -= 1
        return value

    def spend(self, items: int) -> None:
        self.items -= items
        if self.items < 0:
            malformed("a value of too many items")

    def note(self, value: Any) -> Any:
        self.known.append(value)
        return value

    def reserve(self) -> int:
        self.known.append(_UNFINISHED)
        return len(self.known) - 1

    def fill(self, number: int, value: Any) -> Any:
        self.known[number] = value
        return value

    def blob(self, part: Any) -> Buffer:
        """The bytes that a node names. Each buffer is used once: otherwise a short node could ask
        for many copies of a long buffer."""
        if type(part) is str:
            return bytearray(binascii.a2b_base64(part, strict_mode=True)) if part else bytearray()
        if type(part) is not int or not 0 <= part < len(self.buffers):
            malformed("a buffer that does not exist")
        data = self.buffers[part]
        if data is None:
            malformed("a buffer used twice")
        self.buffers[part] = None
        return data

    def words(self, part: Any, limit: int | None = None) -> str:
        """A text, or the node of one."""
        if type(part) is list and len(part) == 2 and part[0] == "text":
            part = str(self.blob(part[1]), "utf-8", "surrogatepass")
        if type(part) is not str or limit is not None and len(part) > limit:
            malformed("a text that is none, or is too long")
        return part

    def keys(self, keys: list[Any]) -> list[Any]:
        """Keys that can go into a dict or set in reasonable time. str and bytes hash with a secret;
        all others can be made to collide."""
        if set(map(type, keys)) <= _SECRETLY_HASHED:
            return keys
        hashes = list(map(hash, keys))
        if len(keys) - len(set(hashes)) > 8:
            self.collisions -= sum(n * (n - 1) // 2 for n in Counter(hashes).values())
            if self.collisions < 0:
                malformed("keys that were made to collide")
        return keys

    def closes(self, refs: int) -> None:
        """Called at the end of a deque or array of objects; see FRAGILE."""
        self.fragile -= self.refs != refs
        if self.fragile < 0:
            malformed("too many deques or arrays that hold references")

    def callback(self, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except Exception as error:
            raise _CallbackRaised(error) from error


def guarded(encode: Encode) -> Encode:
    """Whatever fails in the function, the value then counts as one of an unknown type."""

    def guard(walk: Encoding, value: Any) -> Node:
        mark = walk.mark()
        try:
            return encode(walk, value)
        except (Refused, _Unhashable, RecursionError):
            raise
        except Exception:
            walk.roll_back(mark)
            return walk.fallback(value)

    return guard


_UNFINISHED: Final = object()
_SECRETLY_HASHED: Final = frozenset({str, bytes})


class Row:
    """A type whose values are made of parts.

    `parts` are the types of the parts. `bytes` is raw bytes, `str` a text without a number,
    `Hashable` a key, `Any` any value; of another type the decoder accepts exact instances only. A
    function checks a part on both sides: it gets the walk and the part, and raises.
    `split` gives the parts of a value, or is the names of attributes. It may raise: then the value
    counts as one of an unknown type. `join` makes a value of parts that may be hostile, and raises
    for what it refuses; without it, the class is called. A
    `numbered` value keeps its identity, and is not hashable. A row of a library that the decoder
    lacks becomes a Record of kind "missing".
    """

    def __init__(
        self,
        tag: str,
        name: str,
        parts: tuple[Any, ...],
        split: Callable[[Any], Sequence[Any]] | str,
        join: Callable[..., Any] | None = None,
        *,
        numbered: bool = False,
    ) -> None:
        """`name` is "module.Class". Its module is imported by the first value that is decoded."""
        self.tag, self.name, self.parts, self.numbered = tag, name, parts, numbered
        self.split = attrgetter(*split.split()) if isinstance(split, str) else split
        self.module, _, type_ = name.rpartition(".")
        self.join = join or (lambda *parts: getattr(import_module(self.module), type_)(*parts))
        self.checks = [
            (kind, place) for place, kind in enumerate(parts) if type(kind) is FunctionType
        ]
        self.encode = guarded(self._encode)
        DECODERS[tag] = self.decode
        LATE.setdefault(self.module, []).append(
            lambda module: {getattr(module, type_): self.encode} if type_ else {}
        )

    def _encode(self, walk: Encoding, value: Any) -> Node:
        if self.numbered and (seen := walk.reserve(value)) is not None:
            return seen
        walk.depth -= 1
        if walk.depth < -NESTED_LEAVES // 2:
            raise Refused(f"the value is nested deeper than {walk.limits.depth} levels")
        node: list[Any] = [self.tag]
        for kind, part in zip(self.parts, self.split(value), strict=True):
            if kind is int and type(part) is int and INT_MIN <= part <= INT_MAX:
                node.append(part)
            elif kind is bytes:
                node.append(walk.blob(part))
            elif kind is str:
                node.append(walk.words(part))
            else:
                if type(kind) is FunctionType:
                    kind(walk, part)
                node.append(walk.key(part) if kind is Hashable else walk.value(part))
        walk.depth += 1
        if self.numbered:
            walk.fill(value)
        return node

    def decode(self, walk: Decoding, node: list[Any]) -> Any:
        number = walk.reserve() if self.numbered else -1
        if len(node) != len(self.parts) + 1:
            malformed(f"{self.tag} with {len(node) - 1} parts")
        parts: list[Any] = []
        has_missing = False
        for kind, part in zip(self.parts, node[1:], strict=True):
            if kind in PLAIN and type(part) is kind:
                pass  # it stands for itself
            elif kind is bytes:
                part = walk.blob(part)
            elif kind is str:
                part = walk.words(part)
            elif kind is Hashable:
                part = walk.key(part)
                hash(part)
            else:
                part = walk.value(part)
                if type(kind) is type and type(part) is not kind:
                    has_missing = type(part) is Record and part._kind == "missing"
                    if not has_missing:
                        malformed(f"a {type(part).__name__} in place of a {kind.__name__}")
            parts.append(part)
        value: Any
        if not self.is_here():
            why = f"{self.module} is not installed here"
            value = Record(self.name, "missing", ("reason", "parts"), (why, tuple(parts)))
        elif has_missing:
            malformed("a part of a library that is missing")
        else:
            for check, place in self.checks:
                check(walk, parts[place])
            value = self.join(*parts)
        return walk.fill(number, value) if self.numbered else value

    def is_here(self) -> bool:
        """Whether this side has the library. It is imported when its first value is decoded."""
        if sys.modules.get(self.module) is None:
            try:
                import_module(self.module)
            except ImportError:
                return False
        return True


def decodes(tag: str) -> Callable[[Callable[[Decoding, Any], Any]], Callable[[Decoding, Any], Any]]:
    def add(function: Callable[[Decoding, Any], Any]) -> Callable[[Decoding, Any], Any]:
        DECODERS[tag] = function
        return function

    return add


def encodes(*kinds: type) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        ENCODERS.update({id(kind): function for kind in kinds})
        return function

    return add


# -- references and remote objects


@decodes("ref")
def _ref(walk: Decoding, node: list[Any]) -> Any:
    _, number = node
    if type(number) is not int or not 0 <= number < len(walk.known):
        malformed("a reference to nothing")
    value = walk.known[number]
    if value is _UNFINISHED:
        malformed("a reference to something unfinished")
    walk.refs += 1
    return value


@decodes("remote")
def _remote(walk: Decoding, node: list[Any]) -> Any:
    _, ident, kind, text = node
    number, limit = walk.reserve(), walk.limits.text
    kind, text = walk.words(kind, limit), walk.words(text, limit)
    return walk.fill(number, walk.callback(walk.remote, _ident(ident), kind, text))


@decodes("object")
def _object(walk: Decoding, node: list[Any]) -> Any:
    _, ident = node
    return walk.callback(walk.remote, _ident(ident), "", "")


def _ident(number: Any) -> int:
    if type(number) is not int or number < 0:
        malformed("an id that is none")
    return number


@decodes("pickle")
def _pickle(walk: Decoding, node: list[Any]) -> Any:
    _, data = node
    if walk.unpickle is None:
        malformed("a pickle, which this side never opens")
    number = walk.reserve()
    return walk.fill(number, walk.callback(walk.unpickle, bytes(walk.blob(data))))


@encodes(RemoteObject)
def _remote_object(walk: Encoding, value: RemoteObject) -> Node:
    if value.owner is not walk.owner:
        raise Refused(
            f"{value!r} belongs to another sandbox, or to this one before it was replaced; make it"
            " again here"
        )
    return ["object", value.id]


# -- numbers and text


@encodes(type(None), bool)
def _itself(walk: Encoding, value: Any) -> Any:
    return value


@encodes(int)
def _int(walk: Encoding, value: int) -> Node:
    if INT_MIN <= value <= INT_MAX:
        return value
    # Not decimal digits, which take quadratic time, and of which Python refuses more than 4300.
    if value.bit_length() <= 4096:
        return ["int", hex(value)]
    data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return ["int", ["bytes", walk.blob(data)]]


@decodes("int")
def _to_int(walk: Decoding, node: list[Any]) -> int:
    _, part = node
    if type(part) is list:
        tag, data = part
        if tag != "bytes":
            malformed("an int of neither digits nor bytes")
        return int.from_bytes(walk.blob(data), "little", signed=True)
    if type(part) is not str or not re.fullmatch("-?0x[0-9a-f]{1,1100}", part):
        malformed("an int that is none")
    return int(part, 16)


@encodes(float)
def _float(walk: Encoding, value: float) -> Node:
    return value if isfinite(value) else ["float", repr(value)]


@decodes("float")
def _to_float(walk: Decoding, node: list[Any]) -> float:
    _, part = node
    if part not in ("nan", "inf", "-inf"):
        malformed("a float that is none")
    return float(part)


@encodes(str)
def _str(walk: Encoding, value: str) -> Node:
    if len(value) <= INLINE_TEXT and (value.isascii() or is_utf8(value)):
        return value
    # Without a number in a key: two keys that share a long text could be compared many times.
    seen = None if walk.in_key else walk.seen(value)
    return walk.words(value) if seen is None else seen


@decodes("text")
def _to_str(walk: Decoding, node: list[Any]) -> str:
    text = walk.words(node)
    return text if walk.in_key else walk.note(text)


@encodes(bytes, memoryview)
def _bytes(walk: Encoding, value: bytes | memoryview) -> Node:
    if type(value) is memoryview:
        try:
            value = value.tobytes()
        except ValueError:  # released
            return walk.fallback(value)
    seen = None if len(value) <= INLINE_BYTES or walk.in_key else walk.seen(value)
    return ["bytes", walk.blob(value)] if seen is None else seen


@decodes("bytes")
def _to_bytes(walk: Decoding, node: list[Any]) -> bytes:
    _, part = node
    value = bytes(walk.blob(part))
    return value if len(value) <= INLINE_BYTES or walk.in_key else walk.note(value)


def _to_bytearray(data: Buffer) -> bytearray:
    return data if type(data) is bytearray else bytearray(data)


_ITEM_SIZES: Final = {code: array.array(code).itemsize for code in "bBhHiIlLqQfd"}


def _split_array(value: array.array[Any]) -> Sequence[Any]:
    if value.typecode not in _ITEM_SIZES:
        raise Unsupported("an array of characters")
    return value.typecode, value.itemsize, sys.byteorder, value.tobytes()


def _to_array(code: str, size: int, order: str, data: Buffer) -> array.array[Any]:
    if _ITEM_SIZES.get(code) != size or order not in ("little", "big"):
        malformed("an array of numbers that this machine does not have")
    value: array.array[Any] = array.array(code, bytes(data))
    if order != sys.byteorder:
        value.byteswap()
    return value


# A copy of a bytearray: while a view of it exists, it cannot grow.
Row("bytearray", "builtins.bytearray", (bytes,), lambda v: [bytes(v)], _to_bytearray, numbered=True)
Row("numbers", "array.array", (str, int, str, bytes), _split_array, _to_array, numbered=True)
Row("complex", "builtins.complex", (float, float), "real imag")
Row("range", "builtins.range", (int, int, int), "start stop step")
Row("ellipsis", "types.EllipsisType", (), lambda v: (), lambda: ...)
Row("notimplemented", "types.NotImplementedType", (), lambda v: (), lambda: NotImplemented)


# -- containers

_SEQUENCES: Final[dict[str, Any]] = {t.__name__: t for t in (list, tuple, set, frozenset)}
_CODES: Final = {int: "q", float: "d"}
_SETS: Final = frozenset({"set", "frozenset"})
_NUMBERED: Final = frozenset({"list", "set", "deque"})


def _items(tag: str, walk: Encoding, value: Any) -> Node:
    """The node of a container of items. They are copied first: `remote` may run code that changes
    the container."""
    if tag in _NUMBERED and (seen := walk.seen(value)) is not None:
        return seen
    walk.enter(len(value))
    node = _packed(walk, tag, value) if len(value) > PACKED and tag in _SEQUENCES else None
    if node is None:
        items = tuple(value)
        if short_texts(items):
            node = [tag, *items]
        elif tag in _SETS:
            node = [tag, *map(walk.key, items)]
        else:
            node = [tag, *map(walk.value, items)]
    walk.depth += 1
    return node


def short_texts(items: Any) -> bool:
    """Whether all items are texts that stand for themselves; faster than to look at each."""
    try:
        return (
            set(map(type, items)) == {str}
            and max(map(len, items)) <= INLINE_TEXT
            and "".join(items).isascii()
        )
    except Exception:  # a metaclass whose hash raises
        return False


def _packed(walk: Encoding, tag: str, items: Any) -> Any:
    """Numbers of one exact type as one buffer, or None."""
    try:
        (kind,) = set(map(type, items))
        numbers = array.array(_CODES[kind], items)
    except Exception:  # other types; an int beyond 64 bits; a metaclass whose hash raises
        return None
    if sys.byteorder == "big":
        numbers.byteswap()
    return ["packed", tag, _CODES[kind], walk.blob(memoryview(numbers).cast("B"))]


@decodes("packed")
def _to_packed(walk: Decoding, node: list[Any]) -> Any:
    _, tag, code, part = node
    if tag not in _SEQUENCES or code not in ("q", "d"):
        malformed("packed items that are not numbers")
    number = walk.reserve() if tag in _NUMBERED else -1
    data = bytes(walk.blob(part))
    walk.spend(len(data) // 8)
    numbers = array.array(code, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    items = numbers.tolist()
    value = items if tag == "list" else _SEQUENCES[tag](walk.keys(items) if tag in _SETS else items)
    return value if number < 0 else walk.fill(number, value)


for _tag, _kind in _SEQUENCES.items():
    ENCODERS[id(_kind)] = functools.partial(_items, _tag)


@decodes("list")
def _to_list(walk: Decoding, node: list[Any]) -> list[Any]:
    value: list[Any] = walk.note([])
    if set(map(type, node)) <= PLAIN:
        value += node
        del value[0]
    else:
        value += [part if type(part) in PLAIN else walk.value(part) for part in node[1:]]
    return value


@decodes("tuple")
def _to_tuple(walk: Decoding, node: list[Any]) -> tuple[Any, ...]:
    return tuple([part if type(part) in PLAIN else walk.value(part) for part in node[1:]])


def _keys(walk: Decoding, parts: list[Any]) -> list[Any]:
    return walk.keys([part if type(part) in PLAIN else walk.key(part) for part in parts])


@decodes("set")
def _to_set(walk: Decoding, node: list[Any]) -> set[Any]:
    value: set[Any] = walk.note(set())
    value.update(_keys(walk, node[1:]))
    return value


@decodes("frozenset")
def _to_frozenset(walk: Decoding, node: list[Any]) -> frozenset[Any]:
    return frozenset(_keys(walk, node[1:]))


def _pairs(tag: str, kind: Any, walk: Encoding, value: Any) -> Node:
    if (seen := walk.seen(value)) is not None:
        return seen
    items = tuple(kind.items(value))
    walk.enter(2 * len(items))
    node: list[Any] = [tag]
    for key, item in items:
        is_short = type(key) is str and len(key) <= INLINE_TEXT and key.isascii()
        node.append(key if is_short else walk.key(key))
        node.append(walk.value(item))
    walk.depth += 1
    return node


def _to_pairs(kind: Any, walk: Decoding, node: list[Any]) -> Any:
    if not len(node) % 2:
        malformed("a key without a value")
    value = walk.note(kind())
    keys: list[Any] = []
    items: list[Any] = []
    parts = iter(node[1:])
    for part in parts:
        keys.append(part if type(part) in PLAIN else walk.key(part))
        part = next(parts)
        items.append(part if type(part) in PLAIN else walk.value(part))
    for key, item in zip(walk.keys(keys), items, strict=True):
        value[key] = item
    return value


for _tag, _kind in {"dict": dict, "ordered": OrderedDict, "counter": Counter}.items():
    ENCODERS[id(_kind)] = functools.partial(_pairs, _tag, _kind)
    DECODERS[_tag] = functools.partial(_to_pairs, _kind)
ENCODERS[id(defaultdict)] = ENCODERS[id(dict)]  # its factory does not travel


@encodes(deque)
@guarded
def _deque(walk: Encoding, value: deque[Any]) -> Node:
    refs = walk.refs
    node: Any = _items("deque", walk, value)
    if node[0] == "deque":
        walk.closes(refs)
        node.insert(1, value.maxlen)
    return node  # type: ignore[no-any-return]


@decodes("deque")
def _to_deque(walk: Decoding, node: list[Any]) -> deque[Any]:
    _, maxlen, *parts = node
    if maxlen is not None and (type(maxlen) is not int or not len(parts) <= maxlen <= INT_MAX):
        malformed("a deque longer than it may be")
    value: deque[Any] = walk.note(deque(maxlen=maxlen))
    refs = walk.refs
    value.extend([walk.value(part) for part in parts])
    walk.closes(refs)
    return value


@encodes(slice)
def _slice(walk: Encoding, value: slice) -> Node:
    if walk.in_key:
        raise _Unhashable
    walk.enter(3)
    node: Node = ["slice", *map(walk.value, (value.start, value.stop, value.step))]
    walk.depth += 1
    return node


@decodes("slice")
def _to_slice(walk: Decoding, node: list[Any]) -> slice:
    _, start, stop, step = node
    return slice(walk.value(start), walk.value(stop), walk.value(step))


# -- dates and times

_ZONE_KEY: Final = re.compile(r"[A-Za-z0-9_+\-]{1,40}(/[A-Za-z0-9_+\-]{1,40}){0,3}")


def zone(tzinfo: Any, moment: Any = None) -> Any:
    """A time zone as a part: a timezone, or a tuple of the key and the offset at `moment`, for a
    decoder that lacks the key. Other kinds of tzinfo would have to be called for their offset."""
    if tzinfo is None or type(tzinfo) is import_module("datetime").timezone:
        return tzinfo
    zoneinfo = import_module("zoneinfo")
    if type(tzinfo) is not zoneinfo.ZoneInfo or type(tzinfo.key) is not str:
        raise Unsupported("a time zone of an unknown kind")
    offset = None if moment is None else tzinfo.utcoffset(moment)
    return tzinfo.key, None if offset is None else offset.days * 86400 + offset.seconds


def to_zone(part: Any) -> Any:
    if part is None:
        return None
    if type(part) is tuple:
        key, offset = part
        if type(key) is not str or not _ZONE_KEY.fullmatch(key):
            malformed("a time zone that is none")
        if key in _zones():
            return import_module("zoneinfo").ZoneInfo(key)
        datetime = import_module("datetime")
        return datetime.timezone(datetime.timedelta(seconds=offset or 0), key)
    if type(part) is not import_module("datetime").timezone:
        malformed("a time zone that is none")
    return part


@functools.cache
def _zones() -> frozenset[str]:
    # ZoneInfo opens files, and modules of the tzdata package, by name: only names that this
    # machine lists.
    return frozenset(import_module("zoneinfo").available_timezones())


def _to_timezone(offset: Any, name: Any) -> Any:
    timezone = import_module("datetime").timezone
    return timezone(offset) if name is None else timezone(offset, name)


def _split_timezone(value: Any) -> Sequence[Any]:
    offset, *name = value.__getinitargs__()
    return offset, name[0] if name else None


_of_time: Final = attrgetter("hour", "minute", "second", "microsecond", "fold")


def _split_datetime(value: Any) -> Sequence[Any]:
    return value.year, value.month, value.day, *_of_time(value), zone(value.tzinfo, value)


def _to_time(*parts: Any) -> Any:
    """A time of four numbers or a datetime of seven, the fold, and the zone."""
    *numbers, fold, tz = parts
    datetime = import_module("datetime")
    make = datetime.time if len(numbers) == 4 else datetime.datetime
    return make(*numbers, to_zone(tz), fold=fold)


def _split_time(value: Any) -> Sequence[Any]:
    return *_of_time(value), zone(value.tzinfo)


Row("date", "datetime.date", (int, int, int), "year month day")
Row("time", "datetime.time", (*[int] * 5, Any), _split_time, _to_time)
Row("datetime", "datetime.datetime", (*[int] * 8, Any), _split_datetime, _to_time)
Row("timedelta", "datetime.timedelta", (int, int, int), "days seconds microseconds")
Row("timezone", "datetime.timezone", (Any, Any), _split_timezone, _to_timezone)
Row("zone", "zoneinfo.ZoneInfo", (Any, Any), zone, lambda *part: to_zone(part))

# -- exact numbers, UUIDs, paths, pictures

_DECIMAL: Final = re.compile(r"-?(\d+(\.\d+)?(E[+-]\d{1,19})?|Infinity|s?NaN\d*)", re.ASCII)


def _to_decimal(text: str) -> Any:
    if not _DECIMAL.fullmatch(text):
        malformed("a decimal number that is none")
    return import_module("decimal").Decimal(text)


def _fraction(above: Any, below: Any) -> tuple[int, int]:
    is_int = type(above) is int and type(below) is int
    if not is_int or max(above.bit_length(), below.bit_length()) > FRACTION_BITS:
        raise Unsupported("a fraction of very large parts")
    return above, below


def _to_uuid(text: str) -> Any:
    if not re.fullmatch("[0-9a-f]{32}", text):
        malformed("a UUID that is none")
    return import_module("uuid").UUID(text)


def _to_picture(mime: str, width: int, height: int, data: Buffer) -> Picture:
    if mime not in MIMES or not 0 <= min(width, height) <= max(width, height) <= 1 << 20:
        malformed("a picture of an unknown format or size")
    return Picture(mime, bytes(data), width, height)


Row("decimal", "decimal.Decimal", (str,), lambda v: [str(v)], _to_decimal)
Row(
    "fraction",
    "fractions.Fraction",
    (int, int),
    lambda v: _fraction(v.numerator, v.denominator),
    lambda *v: import_module("fractions").Fraction(*_fraction(*v)),
)
Row("uuid", "uuid.UUID", (str,), lambda v: [v.hex], _to_uuid)
Row("path", "pathlib.PosixPath", (str,), lambda v: [str(v)])
Row("purepath", "pathlib.PurePosixPath", (str,), lambda v: [str(v)])
Row("windowspath", "pathlib.PureWindowsPath", (str,), lambda v: [str(v)])
_PICTURE: Final = "fumehood.wire.records.Picture"
Row("picture", _PICTURE, (str, int, int, bytes), "mime width height data", _to_picture)


# -- records: classes recognized by their shape. Nothing of theirs is called.


def _record_node(walk: Encoding, kind: str, name: str, names: Any, values: Any) -> Node:
    """`values` is a tuple. Those of a record that hashes by identity or name need not be
    hashable."""
    walk.enter(len(values))
    in_key = walk.in_key
    if kind in ("instance", "missing") or kind == "enum" and values[0] is not None:
        walk.in_key = 0
    node = ["record", kind, name, list(names), *map(walk.value, values)]
    walk.in_key = in_key
    walk.depth += 1
    return node


def _numbered_record(walk: Encoding, kind: str, value: Any) -> Node:
    is_numbered = kind in ("dataclass", "instance")
    return walk.seen(value, hashable=kind == "instance") if is_numbered else None


@encodes(Record, _TupleRecord)
def _record(walk: Encoding, value: Record) -> Node:
    if (seen := _numbered_record(walk, value._kind, value)) is not None:
        return seen
    return _record_node(walk, value._kind, value._type_name, value._names, value._values)


@decodes("record")
def _to_record(walk: Decoding, node: list[Any]) -> Record:
    _, kind, name, names, *parts = node
    walk.spend(len(names))
    if (
        kind not in KINDS
        or type(name) is not str
        or len(name) > 1000
        or type(names) is not list
        or set(map(type, names)) - {str}
        or not len(set(names)) == len(names) == len(parts)
    ):
        malformed("a record whose kind, name or fields are wrong")
    record = Record(name, kind, tuple(names))
    if kind in ("dataclass", "instance"):
        walk.note(record)
    object.__setattr__(record, "_values", tuple([walk.value(part) for part in parts]))
    if kind == "enum" and (
        names != ["name", "value"] or type(record._values[0]) not in (str, type(None))
    ):
        malformed("a member of an enum without name and value")
    return record


_DICT: Final = type.__dict__["__dict__"]


def _find(mro: tuple[type, ...], name: str) -> Any:
    """A class attribute where Python keeps it, past metaclasses and descriptors."""
    return next((_DICT.__get__(base)[name] for base in mro if name in _DICT.__get__(base)), None)


def _instance_dict(value: object) -> dict[str, Any]:
    found = object.__getattribute__(value, "__dict__")
    if type(found) is not dict:
        raise Unsupported("an instance without a plain __dict__")
    return found


def _are_names(names: Any) -> bool:
    return (
        type(names) is tuple
        and all(type(name) is str and is_utf8(name) for name in names)
        and len(set(names)) == len(names)
    )


def _enum_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    enum = sys.modules.get("enum")
    if enum is None or not any(base is enum.Enum for base in mro):
        return None

    def encode(walk: Encoding, value: Any) -> Node:
        parts = _instance_dict(value)
        member = parts["_name_"]
        if member is not None and (type(member) is not str or not is_utf8(member)):
            raise Unsupported("a member without a name")
        values = member, parts["_value_"]
        return _record_node(walk, "enum", qualified_name(kind), ("name", "value"), values)

    return encode


def _namedtuple_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    names = _find(mro, "_fields")
    if tuple not in mro or not _are_names(names):
        return None

    def encode(walk: Encoding, value: Any) -> Node:
        values = tuple(tuple.__iter__(value))
        if len(values) != len(names):
            raise Unsupported("a namedtuple with more or fewer values than names")
        return _record_node(walk, "namedtuple", qualified_name(kind), names, values)

    return encode


def _dataclass_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    fields = _find(mro, "__dataclass_fields__")
    if type(fields) is not dict:
        return None
    # By name: code may have a private copy of the dataclasses module, with other marks.
    names = tuple(
        name
        for name, field in fields.items()
        if object.__getattribute__(field, "_field_type").name == "_FIELD"
    )
    if not _are_names(names):
        return None
    found = {name: _find(mro, name) for name in names}
    slots = {name: f for name, f in found.items() if type(f) is MemberDescriptorType}
    hashed = _find(mro, "__hash__")
    shape = "dataclass" if hashed is None else "instance" if hashed is object.__hash__ else "frozen"

    def encode(walk: Encoding, value: Any) -> Node:
        if (seen := _numbered_record(walk, shape, value)) is not None:
            return seen
        parts = _instance_dict(value) if len(slots) < len(names) else {}
        values = tuple([slots[n].__get__(value) if n in slots else parts[n] for n in names])
        return _record_node(walk, shape, qualified_name(kind), names, values)

    return encode


# -- exceptions

EXCEPTIONS: Final[dict[str, type[BaseException]]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}
"""The exceptions that come back as what they were, without aliases (IOError)."""
_BUILT_IN: Final = frozenset(map(id, EXCEPTIONS.values()))
_ARGS: Any = BaseException.__dict__["args"]
_FILENAMES: Final[tuple[Any, Any]] = (OSError.__dict__["filename"], OSError.__dict__["filename2"])


def _exception_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    if BaseException not in mro:
        return None
    is_built_in = id(kind) in _BUILT_IN

    def encode(walk: Encoding, value: Any) -> Node:
        if (seen := walk.reserve(value, hashable=True)) is not None:
            return seen
        args = _ARGS.__get__(value)
        if is_built_in and OSError in mro and len(args) == 2:
            # A file's name is an argument of the constructor that is not in `args`.
            first, second = (descriptor.__get__(value) for descriptor in _FILENAMES)
            if first is not None:
                args = (*args, first) if second is None else (*args, first, None, second)
        name = value.type_name[:1000] if kind is RemoteError else qualified_name(kind)
        if type(name) is not str or not is_utf8(name):
            raise Unsupported("an error without a type")
        walk.enter(len(args))
        in_key, walk.in_key = walk.in_key, 0
        node = ["error" if is_built_in else "raised", name, *map(walk.value, args)]
        walk.in_key = in_key
        walk.depth += 1
        walk.fill(value)
        return node

    return encode


def _to_error(walk: Decoding, node: list[Any]) -> BaseException:
    number, before = walk.reserve(), walk.refs
    tag, name, *parts = node
    if type(name) is not str or len(name) > 1000:
        malformed("an exception without a type")
    args = [walk.value(part) for part in parts]
    # str() of a real exception is the repr of its arguments, and with shared parts that can be
    # endless.
    kind = EXCEPTIONS.get(name) if tag == "error" and walk.refs == before else None
    error = None if kind is None else _built_in(kind, args)
    return walk.fill(number, error or RemoteError(name, *args))  # type: ignore[no-any-return]


DECODERS["error"] = DECODERS["raised"] = _to_error


def _built_in(kind: type[BaseException], args: list[Any]) -> BaseException | None:
    """The real exception, or None if this Python does not make one of these arguments."""
    try:
        if issubclass(kind, SyntaxError):
            # Without the place: printing a SyntaxError may open the file that it names.
            error: BaseException = kind(*args[:1])
            error.args = tuple(args)
            return error
        if issubclass(kind, (UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError)):
            # Its text is read between two indices; some Pythons do not check them.
            *_, text, start, end, _reason = args
            if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
                return None
        return kind(*args)
    except Exception:
        return None


SHAPES.extend((_enum_shape, _exception_shape, _namedtuple_shape, _dataclass_shape))


# -- the two ends

_DEFAULT: Final = ValueLimits()
_FEW: Final = 16
_NO_KEYWORDS: Final = ["dict"]


def _is_its_own_node(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return len(value) <= INLINE_TEXT and value.isascii()
    if kind is int:
        return bool(INT_MIN <= value <= INT_MAX)
    return value is None or kind is bool or kind is float and isfinite(value)


class Encoder:
    """Makes nodes. Each call gives one self-contained value: references never leave it.

    `remote` (in a sandbox) names an object that the codec does not carry: (id, type name, repr).
    `pickle` (on the host) makes bytes of it. Without both, such an object is a ValueError. `owner`
    is the token that RemoteObjects of the receiving sandbox carry.
    """

    __slots__ = ("_arguments",)

    def __init__(
        self,
        remote: Callable[[object], tuple[int, str, str]] | None = None,
        pickle: Callable[[object], bytes] | None = None,
        limits: ValueLimits = _DEFAULT,
        *,
        owner: object = None,
    ) -> None:
        self._arguments = limits, remote, pickle, owner

    def encode(self, value: object) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of a value. ValueError for what cannot be sent; it names the
        type or the limit. Buffers may be views of the value's memory: send them before it changes.
        """
        if _is_its_own_node(value):
            return value, []  # type: ignore[return-value]
        walk = Encoding(*self._arguments)
        try:
            return walk.value(value), walk.buffers
        except RecursionError:
            raise Refused("the value is nested too deeply") from None

    def encode_remote(self, value: object) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of what `remote` says about a value of any type."""
        walk = Encoding(*self._arguments)
        return walk.fallback(value), walk.buffers

    def encode_call(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of `(args, kwargs)`. A few plain values, which are most calls,
        need no walk."""
        if not kwargs and len(args) <= _FEW and all(map(_is_its_own_node, args)):
            return ["tuple", ["tuple", *args], _NO_KEYWORDS], []
        return self.encode((args, kwargs))


class Decoder:
    """Makes values of nodes that may be hostile. Raises WorkerProtocolError, and what `remote` and
    `unpickle` raise.

    `remote` makes what stands for an object that stayed in a sandbox: on the host a RemoteObject
    with `owner` (the default), in the sandbox the object itself. Buffers that are bytearrays are
    not copied: arrays and bytearrays use them as their memory.
    """

    __slots__ = ("_limits", "_remote", "_unpickle")

    def __init__(
        self,
        remote: Callable[[int, str, str], object] | None = None,
        unpickle: Callable[[bytes], object] | None = None,
        limits: ValueLimits = _DEFAULT,
        *,
        owner: object = None,
    ) -> None:
        self._remote = remote or (lambda ident, kind, text: RemoteObject(ident, kind, text, owner))
        self._unpickle = unpickle
        self._limits = limits

    def decode_call(self, node: Any, buffers: Sequence[Buffer] = ()) -> Any:
        """What `encode_call` encoded, or any other value that the node stands for."""
        if type(node) is list and len(node) == 3 and node[0] == "tuple" and node[2] == _NO_KEYWORDS:
            args = node[1]
            if (
                type(args) is list
                and 1 <= len(args) <= _FEW + 1
                and args[0] == "tuple"
                and PLAIN.issuperset(map(type, args))
            ):
                return tuple(args[1:]), {}
        return self.decode(node, buffers)

    def decode(self, node: Any, buffers: Sequence[Buffer] = ()) -> Any:
        """The value of a node."""
        if type(node) in PLAIN:
            return node
        walk = Decoding(self._limits, buffers, self._remote, self._unpickle)
        try:
            return walk.value(node)
        except WorkerProtocolError:
            raise
        except _CallbackRaised as carried:
            raise carried.args[0] from None
        # Wrong parts make constructors raise; also RecursionError and MemoryError.
        except Exception as error:
            malformed(f"{type(error).__name__} while it was put together")


# These fill the tables above.
from fumehood.wire import arrays as _arrays  # noqa: E402
from fumehood.wire import tables as _tables  # noqa: E402

__all__ = ["Picture", "Record", "RemoteError", "RemoteObject", "_arrays", "_tables"]
