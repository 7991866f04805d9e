"""Values: how a Python value crosses between host and sandbox.

A value becomes a *node*, JSON in the header of a message, and *buffers*, raw bytes that follow it.
None, bool, int within 64 bits, finite float and text stand for themselves. Everything else is a
list that begins with a tag, a plain list included, so that no value can be mistaken for another.
docs/protocol.md lists the tags.

There is one table of types. The encoder picks by exact type, the decoder by tag. Most types are a
`Row`: a tag, the parts that make a value, and two functions. The rows of numpy and PIL are in
arrays.py, those of pandas in tables.py.

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
import datetime
import functools
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from operator import attrgetter
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
FRACTION_BITS: Final = 16_384  # the greatest common divisor takes quadratic time
RAW: Final = object()
"""A part that is JSON and no node."""
PLAIN: Final = frozenset({type(None), bool, int, float, str})
INT_MIN: Final = -(1 << 63)
INT_MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """The size of one value. The encoder raises ValueError, the decoder WorkerProtocolError."""

    depth: int = 200
    """Nodes inside nodes."""
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


class _Unsuitable(Exception):
    """Part of a key would not be hashable on the other side, or part of a row is not carried."""


ENCODERS: Final[dict[int, Encode]] = {}
"""Of built-in types, by the identity of the type: a metaclass can define equality and hash."""
DECODERS: Final[dict[str, Callable[[Decoding, list[Any]], Any]]] = {}
ROWS: Final[dict[str, Row]] = {}
"""The rows of other types by the name of the class. Encoding imports nothing: a type whose module
is not imported has no values."""
SHAPES: Final[list[Callable[[type, tuple[type, ...]], Encode | None]]] = []
"""For types without a row: functions that recognize a family by the class alone."""
_MRO: Final = type.__dict__["__mro__"]
_NAME: Final = type.__dict__["__name__"]


def malformed(what: str) -> NoReturn:
    """Refuse a node. In a function that splits a value: count it as one of an unknown type."""
    raise WorkerProtocolError(f"not a value: {what}")


def is_utf8(text: str) -> bool:
    """Whether a text holds no lone surrogates, which many JSON parsers refuse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def inherits(mro: tuple[type, ...], base: object) -> bool:
    return any(kind is base for kind in mro)


class Encoding:
    """One value on its way out. Of types without a row it only reads the fields of dataclasses,
    namedtuples, enums and exceptions; what raises then counts as unknown. Everything else is left
    to the caller's `remote` or `pickle`."""

    def __init__(self, options: Encoder) -> None:
        self.options, self.limits = options, options.limits
        self.depth, self.items = self.limits.depth, self.limits.items
        self.buffers: list[bytes | memoryview] = []
        self.numbers: dict[int, int] = {}  # by id; ~number while a row has not ended
        # Numbered objects and types are kept alive: the id of a freed object can be used again.
        self.kept: list[object] = []
        self.kinds: list[type] = []
        self.found: dict[int, Encode] = {}
        self.in_key = self.is_whole = False
        self.unsorted = 0

    def value(self, value: Any) -> Node:
        kind = id(type(value))
        encode = ENCODERS.get(kind) or self.found.get(kind) or self.find(type(value))
        return encode(self, value)

    def find(self, kind: type) -> Encode:
        encode: Encode | None = None
        try:
            row = ROWS.get(_NAME.__get__(kind))
            if row is not None and row.is_of(kind):
                encode = row.encode
            else:
                mro = _MRO.__get__(kind)
                encode = next(filter(None, (recognize(kind, mro) for recognize in SHAPES)), None)
        except Exception:
            pass  # a class that lies about itself
        self.kinds.append(kind)
        return self.found.setdefault(id(kind), encode or Encoding.fallback)

    def attempt(self, encode: Callable[..., Node], *args: Any, in_key: bool) -> Node:
        """The node of a value, which is the first argument. It is one of an unknown type if a part
        of it is not suitable."""
        kept, buffers, depth = len(self.kept), len(self.buffers), self.depth
        before, self.in_key = (self.in_key, self.is_whole), in_key
        try:
            return encode(*args)
        except _Unsuitable:
            # Forget the numbers and buffers of the node that is not sent.
            self.numbers = {i: n for i, n in self.numbers.items() if max(n, ~n) < kept}
            del self.kept[kept:], self.buffers[buffers:]
            self.depth = depth
        finally:
            self.in_key, self.is_whole = before
        return self.fallback(args[0])

    def key(self, value: Any) -> Node:
        """A node that the decoder can hash. A value that is hashable only here is a RemoteObject
        there."""
        return self.attempt(self.value, value, in_key=True)

    def part(self, kind: Any, value: Any) -> Node:
        """A part of a row."""
        if kind is RAW:
            return value  # type: ignore[no-any-return]
        if kind is bytes:
            return self.blob(value)
        if kind is str or type(kind) is re.Pattern:
            return self.words(value)
        return self.key(value) if kind is Hashable else self.value(value)

    def values(self, values: Sequence[Any]) -> Iterable[Node]:
        # A copy: `remote` may run code that changes a list.
        return values if is_short_texts(values) else map(self.value, tuple(values))

    def enter(self, items: int) -> None:
        """Go one level down, into a container of so many items. The caller adds 1 to `depth` at the
        end of it."""
        self.depth -= 1
        self.items -= items + 1
        if self.depth < 0:
            raise Refused(f"the value is nested deeper than {self.limits.depth} levels")
        if self.items < 0:
            raise Refused(f"the value holds more than {self.limits.items:,} items")

    def reference(self, value: object, *, hashable: bool = False) -> Node:
        """A reference if this object has a number; otherwise None."""
        if self.in_key and not hashable:
            raise _Unsuitable
        number = self.numbers.get(id(value))
        if number is None:
            return None
        # A row refers to itself: its parts are needed before it can exist.
        return ["ref", number] if number >= 0 else self.fallback(value)

    def number(self, value: object, *, is_open: bool = False) -> None:
        number = len(self.kept)
        self.numbers[id(value)] = ~number if is_open else number
        self.kept.append(value)

    def split(self, split: Callable[..., Iterable[Any]], *args: Any) -> tuple[Any, ...] | None:
        """The parts of a value; None if it cannot be split. All parts exist before the first is
        encoded, so that a value that cannot be split leaves no numbers and buffers behind."""
        try:
            return tuple(split(*args))
        except (RecursionError, MemoryError):
            raise
        except Exception:
            return None

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

    def fallback(self, value: object) -> Node:
        """For what the codec does not carry: a name for it, a pickle of it, or ValueError."""
        if self.is_whole:
            raise _Unsuitable
        number = self.numbers.get(id(value), -1)
        if number >= 0:
            return ["ref", number]
        remote, pickle, name = self.options.remote, self.options.pickle, qualified_name(type(value))
        if remote is None and pickle is None:
            raise Refused(f"a value of type {name} cannot be sent")
        self.number(value)
        if remote is not None:
            ident, kind, text = remote(value)
            limit = self.limits.text
            cut = [t if len(t) <= limit else t[: limit - 1] + "…" for t in (kind, text)]
            return ["remote", ident, *map(self.words, cut)]
        assert pickle is not None
        try:
            return ["pickle", self.blob(pickle(value))]
        except Exception as error:
            raise Refused(f"a value of type {name} cannot be sent: {error}") from error


class Decoding:
    """One value on its way in. The node and the buffers can be anything."""

    def __init__(self, options: Decoder, buffers: Sequence[Buffer]) -> None:
        self.options, self.limits = options, options.limits
        self.buffers: list[Buffer | None] = list(buffers)
        # The encoder does not count a number or a text, which can be a node, as a level.
        self.depth, self.items = self.limits.depth + 1, self.limits.items
        self.collisions = self.limits.collisions
        self.known: list[object] = []
        self.in_key = self.has_shared = False
        self.refs = self.unsorted = 0
        self.raised: Exception | None = None

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

    def values(self, nodes: list[Any]) -> list[Any]:
        return [node if type(node) in PLAIN else self.value(node) for node in nodes]

    def key(self, node: Any) -> Any:
        if type(node) in PLAIN:
            return node
        in_key, self.in_key = self.in_key, True
        value = self.value(node)
        self.in_key = in_key
        return value

    def part(self, kind: Any, node: Any) -> Any:
        """A part of a row."""
        if kind is RAW:
            return node
        if kind is bytes:
            return self.blob(node)
        if kind is str:
            return self.words(node)
        if type(kind) is re.Pattern:
            if not kind.fullmatch(text := self.words(node)):
                malformed("a text of another form")
            return text
        if kind is Hashable:
            value = self.key(node)
            hash(value)
            return value
        value = self.value(node)
        if kind is not Any and type(value) is not kind:
            malformed(f"a {type(value).__name__} in place of a {kind.__name__}")
        return value

    def spend(self, items: int) -> None:
        self.items -= items
        if self.items < 0:
            malformed("a value of too many items")

    def note(self, value: Any) -> Any:
        self.known.append(value)
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

    def words(self, part: Any) -> str:
        """A text, or the node of one."""
        if type(part) is list and len(part) == 2 and part[0] == "text":
            part = str(self.blob(part[1]), "utf-8", "surrogatepass")
        if type(part) is not str:
            malformed("a text that is none")
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

    def callback(self, function: Callable[..., Any], *args: Any) -> Any:
        """What a function of the caller returns. What it raises is no fault of the node."""
        try:
            return function(*args)
        except Exception as error:
            self.raised = error
            raise


_UNFINISHED: Final = object()
_SECRETLY_HASHED: Final = frozenset({str, bytes})


class Row:
    """A type whose values are made of parts.

    `parts` are the types of the parts; `...` is any number of values. `bytes` is raw bytes, `str` a
    text without a number, a pattern such a text that matches it, `Hashable` a key, `RAW` JSON,
    `Any` any value; of another type the decoder accepts exact instances only. `split` gives the
    parts of a value, or is the names of attributes. If it raises, the value counts as one of an
    unknown type. `join` makes a value of parts that may be hostile, and raises for what it refuses;
    without it, the class is called. With `walks`, both also get the Encoding or Decoding. A
    `numbered` value keeps its identity and is not hashable; with `identity` it is hashable, and has
    no number in a key. A `whole` value is sent only if the codec carries its parts. A row of a
    library that the decoder lacks becomes a Record of kind "missing".
    """

    def __init__(
        self,
        tag: str,
        name: str,
        parts: tuple[Any, ...],
        split: Callable[..., Iterable[Any]] | str = tuple,
        join: Callable[..., Any] | None = None,
        *,
        numbered: bool = False,
        identity: bool = False,
        whole: bool = False,
        walks: bool = False,
    ) -> None:
        """`name` is "module.Class", and further classes of the module."""
        self.module, _, names = name.rpartition(".")
        self.tag, self.numbered, self.identity, self.walks = tag, numbered, identity, walks
        self.first = names.split(" ")[0]
        ROWS.update(dict.fromkeys(names.split(" "), self))
        DECODERS[tag] = self.decode
        self.repeats = parts[-1:] == (...,)
        self.parts = parts[:-1] if self.repeats else parts
        self.split = attrgetter(*split.split()) if isinstance(split, str) else split
        self.whole = whole
        self.join = join or (lambda *parts: getattr(import_module(self.module), self.first)(*parts))

    def is_of(self, kind: type) -> bool:
        return getattr(sys.modules.get(self.module), _NAME.__get__(kind), None) is kind

    def encode(self, walk: Encoding, value: Any) -> Node:
        is_numbered = self.numbered and not (self.identity and walk.in_key)
        if is_numbered and (seen := walk.reference(value)) is not None:
            return seen
        parts = walk.split(self.split, *([walk] if self.walks else []), value)
        if parts is None:
            return walk.fallback(value)
        if self.whole:
            return walk.attempt(self._node, value, parts, walk, in_key=False)
        return self._node(value, parts, walk)

    def _node(self, value: Any, parts: tuple[Any, ...], walk: Encoding) -> Node:
        number, in_key, is_whole = len(walk.kept), walk.in_key, walk.is_whole
        is_numbered = self.numbered and not (self.identity and in_key)
        walk.enter(len(parts))
        if is_numbered:
            walk.number(value, is_open=True)
        walk.in_key, walk.is_whole = in_key and not self.identity, self.whole
        node = [self.tag, *map(walk.part, self.parts, parts)]
        if self.repeats:
            node += walk.values(parts[len(self.parts) :])
        walk.in_key, walk.is_whole = in_key, is_whole
        if is_numbered:
            walk.numbers[id(value)] = number
        walk.depth += 1
        return node

    def decode(self, walk: Decoding, node: list[Any]) -> Any:
        rest, number, in_key, refs = len(self.parts) + 1, len(walk.known), walk.in_key, walk.refs
        if len(node) < rest or len(node) > rest and not self.repeats:
            malformed(f"{self.tag} with {len(node) - 1} parts")
        is_numbered = self.numbered and not (self.identity and in_key)
        if is_numbered:
            walk.note(_UNFINISHED)
        walk.in_key = in_key and not self.identity
        parts: list[Any] = [walk] if self.walks else []
        try:
            for kind, part in zip(self.parts, node[1:], strict=False):
                is_plain = type(part) is kind and kind in PLAIN
                parts.append(part if is_plain else walk.part(kind, part))
            parts += walk.values(node[rest:])
            walk.has_shared = walk.refs != refs
            value = self.join(*parts)
        except ImportError as error:
            if error is walk.raised:
                raise
            name, why = f"{self.module}.{self.first}", f"{self.module} is not installed here"
            known = tuple(part for part in parts if part is not walk)
            value = Record(name, "missing", ("reason", "parts"), (why, known))
        walk.in_key = in_key
        if is_numbered:
            walk.known[number] = value
        return value


# -- references and remote objects


def _ref(walk: Decoding, number: int) -> Any:
    if not 0 <= number < len(walk.known):
        malformed("a reference to nothing")
    value = walk.known[number]
    if value is _UNFINISHED:
        malformed("a reference to something unfinished")
    walk.refs += 1
    return value


def _remote(walk: Decoding, ident: int, kind: str, text: str) -> Any:
    if ident < 0 or len(kind) > walk.limits.text or len(text) > walk.limits.text:
        malformed("an id that is none, or a text that is too long")
    return walk.callback(walk.options.remote, ident, kind, text)


def _unpickle(walk: Decoding, data: Buffer) -> Any:
    if walk.options.unpickle is None:
        malformed("a pickle, which this side never opens")
    return walk.callback(walk.options.unpickle, bytes(data))


def _remote_object(walk: Encoding, value: RemoteObject) -> Node:
    if value.owner is not walk.options.owner:
        raise Refused(
            f"{value!r} belongs to another sandbox, or to this one before it was replaced; make it"
            " again here"
        )
    return ["object", value.id]


Row("ref", "builtins.", (int,), tuple, _ref, walks=True)
Row("remote", "builtins.", (int, str, str), tuple, _remote, numbered=True, walks=True)
Row("object", "builtins.", (int,), tuple, lambda walk, n: _remote(walk, n, "", ""), walks=True)
Row("pickle", "builtins.", (bytes,), tuple, _unpickle, numbered=True, walks=True)


# -- numbers and text


_INT: Final = Row(  # not decimal digits, which take quadratic time
    "int",
    "builtins.int",
    (re.compile("-?0x[0-9a-f]+"),),
    lambda v: [hex(v)],
    lambda text: int(text, 16),
)
_FLOAT: Final = Row("float", "builtins.float", (re.compile("nan|-?inf"),), lambda v: [repr(v)])
_TEXT: Final = Row(
    "text",
    "builtins.str",
    (bytes,),
    lambda v: [v.encode("utf-8", "surrogatepass")],
    lambda data: str(data, "utf-8", "surrogatepass"),
    numbered=True,
    identity=True,
)
Row(
    "bytes",
    "builtins.bytes memoryview",
    (bytes,),
    lambda v: [bytes(v)],
    numbered=True,
    identity=True,
)
Row("bytearray", "builtins.bytearray", (bytes,), lambda v: [bytes(v)], numbered=True)
Row("complex", "builtins.complex", (float, float), "real imag")
Row("range", "builtins.range", (int, int, int), "start stop step")
ENCODERS[id(type(...))] = Row("ellipsis", "builtins.", (), lambda v: (), lambda: ...).encode
ENCODERS[id(type(NotImplemented))] = Row(
    "notimplemented", "builtins.", (), lambda v: (), lambda: NotImplemented
).encode


def _int(walk: Encoding, value: int) -> Node:
    return value if INT_MIN <= value <= INT_MAX else _INT.encode(walk, value)


def _float(walk: Encoding, value: float) -> Node:
    return value if isfinite(value) else _FLOAT.encode(walk, value)


def _str(walk: Encoding, value: str) -> Node:
    is_short = len(value) <= INLINE_TEXT and (value.isascii() or is_utf8(value))
    return value if is_short else _TEXT.encode(walk, value)


# -- containers

_DICTS: Final[dict[str, Any]] = {"dict": dict, "ordered": OrderedDict, "counter": Counter}
_CODES: Final = {int: "q", float: "d"}


def _list(walk: Encoding, value: list[Any]) -> Node:
    if (seen := walk.reference(value)) is not None:
        return seen
    walk.number(value)
    walk.enter(len(value))
    node = _packed(walk, value) if len(value) > PACKED else None
    if node is None:
        node = ["list", *walk.values(value)]
    walk.depth += 1
    return node


def _to_list(walk: Decoding, node: list[Any]) -> list[Any]:
    value: list[Any] = walk.note([])
    if PLAIN.issuperset(map(type, node)):
        value += node
        del value[0]
    else:
        value += walk.values(node[1:])
    return value


def _packed(walk: Encoding, items: list[Any]) -> Node:
    """Numbers of one exact type as one buffer, or None."""
    try:
        (kind,) = set(map(type, items))
        data = memoryview(array.array(_CODES[kind], items)).cast("B")
    except Exception:  # other types; an int beyond 64 bits; a metaclass whose hash raises
        return None
    return ["packed", "list", _CODES[kind], walk.blob(data)]


def _to_packed(walk: Decoding, _: str, code: str, data: Buffer) -> list[Any]:
    walk.spend(len(data) // 8)
    numbers: array.array[Any] = array.array(code)
    numbers.frombytes(data)
    return numbers.tolist()


def is_short_texts(items: Any) -> bool:
    """Whether all items are texts that stand for themselves; faster than to look at each."""
    try:
        return (
            set(map(type, items)) == {str}
            and max(map(len, items)) <= INLINE_TEXT
            and "".join(items).isascii()
        )
    except Exception:  # a metaclass whose hash raises
        return False


def _tuple(walk: Encoding, value: tuple[Any, ...]) -> Node:
    walk.enter(len(value))
    node = ["tuple", *walk.values(value)]
    walk.depth += 1
    return node


def _to_tuple(walk: Decoding, node: list[Any]) -> tuple[Any, ...]:
    return tuple(walk.values(node[1:]))


def _set(walk: Encoding, value: set[Any] | frozenset[Any]) -> Node:
    if type(value) is set:
        if (seen := walk.reference(value)) is not None:
            return seen
        walk.number(value)
    walk.enter(len(value))
    node = [type(value).__name__, *map(walk.key, tuple(value))]
    walk.depth += 1
    return node


def _to_set(walk: Decoding, node: list[Any]) -> set[Any]:
    value: set[Any] = walk.note(set())
    value.update(walk.keys([*map(walk.key, node[1:])]))
    return value


def _to_frozenset(walk: Decoding, node: list[Any]) -> frozenset[Any]:
    return frozenset(walk.keys([*map(walk.key, node[1:])]))


def _dict(tag: str, walk: Encoding, value: Any) -> Node:
    if (seen := walk.reference(value)) is not None:
        return seen
    walk.number(value)
    items = tuple(_DICTS[tag].items(value))  # a copy: `remote` may run code that changes the dict
    walk.enter(2 * len(items))
    node: list[Any] = [tag]
    for key, item in items:
        is_short = type(key) is str and len(key) <= INLINE_TEXT and key.isascii()
        node.append(key if is_short else walk.key(key))
        node.append(walk.value(item))
    walk.depth += 1
    return node


def _to_dict(tag: str, walk: Decoding, node: list[Any]) -> Any:
    if not len(node) % 2:
        malformed("a key without a value")
    value = walk.note(_DICTS[tag]())
    keys: list[Any] = []
    items: list[Any] = []
    parts = iter(node[1:])
    for part in parts:
        keys.append(part if type(part) is str else walk.key(part))
        part = next(parts)
        items.append(part if type(part) in PLAIN else walk.value(part))
    for key, item in zip(walk.keys(keys), items, strict=True):
        value[key] = item
    return value


def _to_deque(maxlen: Any, *items: Any) -> deque[Any]:
    if maxlen is not None and (type(maxlen) is not int or not len(items) <= maxlen <= INT_MAX):
        malformed("a deque longer than it may be")
    return deque(items, maxlen)


def _split_slice(walk: Encoding, value: slice) -> tuple[Any, ...]:
    if walk.in_key:
        malformed("a key that is not hashable in older versions of Python")
    return value.start, value.stop, value.step


Row("deque", "collections.deque", (Any, ...), lambda v: (v.maxlen, *v), _to_deque)
Row("slice", "builtins.slice", (Any, Any, Any), _split_slice, lambda _, *v: slice(*v), walks=True)
_NUMBERS: Final = (re.compile("list"), re.compile("[qd]"), bytes)
Row("packed", "builtins.", _NUMBERS, tuple, _to_packed, numbered=True, walks=True)
Row(
    "numbers",
    "array.array",
    (re.compile("[bBhHiIlLqQfd]"), bytes),
    lambda v: (v.typecode, v.tobytes()),
    lambda code, data: array.array(code, bytes(data)),
    numbered=True,
)


# -- dates and times

_ZONE_KEY: Final = re.compile(r"[A-Za-z0-9_+\-]{1,40}(/[A-Za-z0-9_+\-]{1,40}){0,3}")
_of_time: Final = attrgetter("hour", "minute", "second", "microsecond", "fold")


def zone(tzinfo: Any, moment: Any = None) -> Any:
    """A time zone as a part: a timezone, or a tuple of the key and the offset at `moment`, for a
    decoder that lacks the key. Other kinds of tzinfo would have to be called for their offset."""
    if tzinfo is None or type(tzinfo) is datetime.timezone:
        return tzinfo
    if type(tzinfo) is not import_module("zoneinfo").ZoneInfo or type(tzinfo.key) is not str:
        malformed("a time zone of an unknown kind")
    offset = tzinfo.utcoffset(moment)
    return tzinfo.key, None if offset is None else offset // datetime.timedelta(seconds=1)


def to_zone(part: Any) -> Any:
    if type(part) is tuple:
        key, offset = part
        if type(key) is not str or not _ZONE_KEY.fullmatch(key):
            malformed("a time zone that is none")
        if key in _zones():
            return import_module("zoneinfo").ZoneInfo(key)
        return datetime.timezone(datetime.timedelta(seconds=offset or 0), key)
    if part is not None and type(part) is not datetime.timezone:
        malformed("a time zone that is none")
    return part


@functools.cache
def _zones() -> frozenset[str]:
    # ZoneInfo opens files, and modules of the tzdata package, by name: only names that this
    # machine lists.
    return frozenset(import_module("zoneinfo").available_timezones())


def _to_time(*parts: Any) -> Any:
    """A time of four numbers or a datetime of seven, the fold, and the zone."""
    *numbers, fold, tz = parts
    make: Any = datetime.time if len(numbers) == 4 else datetime.datetime
    return make(*numbers, to_zone(tz), fold=fold)


Row("date", "datetime.date", (int, int, int), "year month day")
Row(
    "time",
    "datetime.time",
    (*[int] * 5, Any),
    lambda v: (*_of_time(v), zone(v.tzinfo)),
    _to_time,
)
Row(
    "datetime",
    "datetime.datetime",
    (*[int] * 8, Any),
    lambda v: (v.year, v.month, v.day, *_of_time(v), zone(v.tzinfo, v)),
    _to_time,
)
Row("timedelta", "datetime.timedelta", (int, int, int), "days seconds microseconds")
Row(
    "timezone",
    "datetime.timezone",
    (Any, Any),
    lambda v: (*v.__getinitargs__(), None)[:2],
    lambda offset, name: datetime.timezone(offset, *[name] * (name is not None)),
)
Row("zone", "zoneinfo.ZoneInfo", (Any, Any), zone, lambda *part: to_zone(part))

# -- exact numbers, UUIDs, paths, pictures

_DECIMAL: Final = re.compile(r"-?(\d+(\.\d+)?(E[+-]\d{1,19})?|Infinity|s?NaN\d*)", re.ASCII)


def _fraction(above: Any, below: Any) -> tuple[int, int]:
    is_int = type(above) is int and type(below) is int
    if not is_int or max(above.bit_length(), below.bit_length()) > FRACTION_BITS:
        malformed("a fraction of very large parts")
    return above, below


def to_picture(mime: str, width: int, height: int, data: Buffer) -> Picture:
    if not 0 <= min(width, height) <= max(width, height) <= 1 << 20:
        malformed("a picture of an absurd size")
    return Picture(mime, bytes(data), width, height)


Row("decimal", "decimal.Decimal", (_DECIMAL,), lambda v: [str(v)])
Row(
    "fraction",
    "fractions.Fraction",
    (int, int),
    lambda v: _fraction(v.numerator, v.denominator),
    lambda *v: import_module("fractions").Fraction(*_fraction(*v)),
)
Row("uuid", "uuid.UUID", (re.compile("[0-9a-f]{32}"),), lambda v: [v.hex])
Row("path", "pathlib.PosixPath", (str,), lambda v: [str(v)])
Row("purepath", "pathlib.PurePosixPath", (str,), lambda v: [str(v)])
Row("windowspath", "pathlib.PureWindowsPath", (str,), lambda v: [str(v)])
PICTURE: Final = (re.compile("|".join(map(re.escape, MIMES))), int, int, bytes)
"""The parts of a picture."""
Row("picture", "fumehood.wire.records.Picture", PICTURE, "mime width height data", to_picture)


# -- records: classes recognized by their shape


def _record(
    walk: Encoding, value: Any, kind: str, name: str, names: Any, split: Callable[[Any], Any]
) -> Node:
    is_numbered = kind in ("dataclass", "instance")
    if is_numbered and (seen := walk.reference(value, hashable=kind == "instance")) is not None:
        return seen
    values = walk.split(split, value)
    if values is None or len(values) != len(names):
        return walk.fallback(value)
    if is_numbered:
        walk.number(value)
    walk.enter(len(values))
    in_key, walk.in_key = walk.in_key, walk.in_key and not _hashes_by_name(kind, values)
    node = ["record", kind, name, list(names), *map(walk.value, values)]
    walk.in_key = in_key
    walk.depth += 1
    return node


def _known_record(walk: Encoding, value: Record) -> Node:
    values = attrgetter("_values")
    return _record(walk, value, value._kind, value._type_name, value._names, values)


def _hashes_by_name(kind: str, values: Sequence[Any]) -> bool:
    """Whether a record hashes by identity or name, so that its values need not be hashable."""
    return kind in ("instance", "missing") or kind == "enum" and values[0] is not None


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
        or kind == "enum"
        and names != ["name", "value"]
    ):
        malformed("a record whose kind, name or fields are wrong")
    record = Record(name, kind, tuple(names))
    if kind in ("dataclass", "instance"):
        walk.note(record)
    in_key, walk.in_key = walk.in_key, walk.in_key and not _hashes_by_name(kind, parts)
    object.__setattr__(record, "_values", tuple(walk.values(parts)))
    walk.in_key = in_key
    if kind == "enum" and type(record._values[0]) not in (str, type(None)):
        malformed("a member of an enum without a name")
    return record


def _fields(names: tuple[str, ...], value: Any) -> Iterable[Any]:
    return [getattr(value, name) for name in names]


def _record_shape(kind: Any, mro: tuple[type, ...]) -> Encode | None:
    split: Callable[[Any], Iterable[Any]]
    if inherits(mro, getattr(sys.modules.get("enum"), "Enum", mro)):
        shape, names, split = "enum", ("name", "value"), attrgetter("_name_", "_value_")
    elif inherits(mro, tuple) and hasattr(kind, "_fields"):
        shape, names, split = "namedtuple", kind._fields, tuple.__iter__
    elif hasattr(kind, "__dataclass_fields__"):
        by_identity = kind.__hash__ is object.__hash__
        shape = "dataclass" if kind.__hash__ is None else "instance" if by_identity else "frozen"
        # By name: code may have a private copy of the dataclasses module, with other marks.
        fields = kind.__dataclass_fields__.items()
        names = tuple(name for name, field in fields if field._field_type.name == "_FIELD")
        split = functools.partial(_fields, names)
    else:
        return None
    if type(names) is not tuple or len(set(names)) != len(names):
        return None
    if any(type(name) is not str or not is_utf8(name) for name in names):
        return None
    title = qualified_name(kind)
    return lambda walk, value: _record(walk, value, shape, title, names, split)


# -- exceptions

EXCEPTIONS: Final[dict[str, type[BaseException]]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}
"""The exceptions that come back as what they were, without aliases (IOError)."""


def _exception_shape(kind: Any, mro: tuple[type, ...]) -> Encode | None:
    if inherits(mro, BaseException):
        is_built_in = any(kind is built_in for built_in in EXCEPTIONS.values())
        return (_BUILT_IN if is_built_in else _RAISED).encode
    return None


def _split_error(value: Any) -> Iterable[Any]:
    if type(value) is RemoteError:
        return value.type_name[:1000], *value.args
    if isinstance(value, OSError):  # its `args` lack the names of files
        return qualified_name(type(value)), *OSError.__reduce__(value)[1]
    return qualified_name(type(value)), *value.args


def _to_raised(name: str, *args: Any) -> BaseException:
    if len(name) > 1000:
        malformed("an exception of an absurd name")
    return RemoteError(name, *args)


def _to_error(walk: Decoding, name: str, *args: Any) -> BaseException:
    # str() of a real exception is the repr of its arguments, and with shared parts that can be
    # endless.
    kind = None if walk.has_shared else EXCEPTIONS.get(name)
    return (kind and _built_in(kind, args)) or _to_raised(name, *args)


_BUILT_IN: Final = Row(
    "error",
    "builtins.",
    (str, ...),
    lambda walk, v: _split_error(v),
    _to_error,
    numbered=True,
    identity=True,
    walks=True,
)
_RAISED: Final = Row(
    "raised", "builtins.", (str, ...), _split_error, _to_raised, numbered=True, identity=True
)


def _built_in(kind: type[BaseException], args: tuple[Any, ...]) -> BaseException | None:
    """The real exception, or None if this Python does not make one of these arguments."""
    try:
        if issubclass(kind, SyntaxError):
            # Without the place: printing a SyntaxError may open the file that it names.
            error: BaseException = kind(*args[:1])
            error.args = args
            return error
        if issubclass(kind, (UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError)):
            # Its text is read between two indices; some Pythons do not check them.
            *_, text, start, end, _reason = args
            if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
                return None
        return kind(*args)
    except Exception:
        return None


# -- the tables of built-in types

_BUILT_IN_TYPES: Final[dict[type, Encode]] = {
    **dict.fromkeys((type(None), bool), lambda _, value: value),
    int: _int,
    float: _float,
    str: _str,
    list: _list,
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    **{kind: functools.partial(_dict, tag) for tag, kind in _DICTS.items()},
    defaultdict: functools.partial(_dict, "dict"),  # its factory does not travel
    RemoteObject: _remote_object,
    Record: _known_record,
    _TupleRecord: _known_record,
}
ENCODERS.update((id(kind), encode) for kind, encode in _BUILT_IN_TYPES.items())
DECODERS.update(
    {
        "list": _to_list,
        "tuple": _to_tuple,
        "set": _to_set,
        "frozenset": _to_frozenset,
        **{tag: functools.partial(_to_dict, tag) for tag in _DICTS},
        "record": _to_record,
    }
)
SHAPES.extend((_record_shape, _exception_shape))


# -- the two ends

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

    def __init__(
        self,
        remote: Callable[[object], tuple[int, str, str]] | None = None,
        pickle: Callable[[object], bytes] | None = None,
        limits: ValueLimits = ValueLimits(),
        *,
        owner: object = None,
    ) -> None:
        self.remote, self.pickle, self.limits, self.owner = remote, pickle, limits, owner

    def encode(self, value: object) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of a value. ValueError for what cannot be sent; it names the
        type or the limit. Buffers may be views of the value's memory: send them before it changes.
        """
        if _is_its_own_node(value):
            return value, []  # type: ignore[return-value]
        walk = Encoding(self)
        try:
            return walk.value(value), walk.buffers
        except RecursionError:
            raise Refused("the value is nested too deeply") from None

    def encode_remote(self, value: object) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of what `remote` says about a value of any type."""
        walk = Encoding(self)
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
    not copied: arrays use them as their memory.
    """

    def __init__(
        self,
        remote: Callable[[int, str, str], object] | None = None,
        unpickle: Callable[[bytes], object] | None = None,
        limits: ValueLimits = ValueLimits(),
        *,
        owner: object = None,
    ) -> None:
        self.remote = remote or (lambda ident, kind, text: RemoteObject(ident, kind, text, owner))
        self.unpickle, self.limits = unpickle, limits

    def decode_call(self, node: Any, buffers: Sequence[Buffer] = ()) -> Any:
        """What `encode_call` encoded, or any other value that the node stands for."""
        if type(node) is list and len(node) == 3 and node[0] == "tuple" and node[2] == _NO_KEYWORDS:
            args = node[1]
            is_few = type(args) is list and args[:1] == ["tuple"] and len(args) <= _FEW + 1
            if is_few and PLAIN.issuperset(map(type, args)):
                return tuple(args[1:]), {}
        return self.decode(node, buffers)

    def decode(self, node: Any, buffers: Sequence[Buffer] = ()) -> Any:
        """The value of a node."""
        if type(node) in PLAIN:
            return node
        walk = Decoding(self, buffers)
        try:
            return walk.value(node)
        # Wrong parts make constructors raise; also RecursionError and MemoryError.
        except Exception as error:
            if error is walk.raised or isinstance(error, WorkerProtocolError):
                raise
            malformed(f"{type(error).__name__} while it was put together")


# These fill the tables above.
from fumehood.wire import arrays as _arrays  # noqa: E402
from fumehood.wire import tables as _tables  # noqa: E402

__all__ = ["Picture", "Record", "RemoteError", "RemoteObject", "_arrays", "_tables"]
