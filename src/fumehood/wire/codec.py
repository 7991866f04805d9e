"""The engine of the value codec: two walks, and the tables they look things up in. What the tables
hold is listed in values.py.

Encoding  picks by exact type, one dictionary lookup per value: `ENCODERS[type(value)](walk, value)
-> node` (by way of ROWS). Decoding  picks by tag: `DECODERS[node[0]](walk, node) -> value`, and
believes nothing. See values.py for what is promised about it.

Numbers. Things that have an identity worth keeping are numbered in the order in which their nodes
begin, on both sides alike, so `["ref", 3]` needs no mark on what it points at. `note()` gives a
number to something that exists already and may be pointed at from inside itself (a list);
`reserve()`/`fill()` do so for something that exists only once its parts are there (an exception).
Only what cannot be hashed by its parts is ever numbered. A key is therefore always a tree, and
hashing it takes time in proportion to what was sent; a key made of shared parts could take 2^n
steps to hash or compare. Long texts are numbered too, but not inside a key: two keys that share a
text of 100 MB could be made to be compared again and again.
"""

from __future__ import annotations

import binascii
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias

from fumehood.errors import WorkerProtocolError
from fumehood.wire.records import RemoteObject
from fumehood.wire.show import qualified_name

Node: TypeAlias = "bool | int | float | str | list[Any] | None"
Buffer: TypeAlias = bytes | bytearray | memoryview

INLINE_TEXT: Final = 2048
"""Characters of a text that still stands in the header; a longer one is cheaper as a buffer."""
INLINE_BYTES: Final = 96
"""Bytes that still stand in the header, as base64: a buffer of its own costs more than that."""
NESTED_LEAVES: Final = 16
"""Levels that the parts of one leaf add (a time zone in a timestamp in an interval): allowed on top
of `depth` when decoding."""

FRAGILE: Final = 1000
"""Deques and arrays of objects in one value that may hold references. Unlike other containers these
take themselves apart by plain recursion, so a long chain of them, which references can make at no
depth of nesting, would overflow the stack of who drops it."""

PLAIN: Final = frozenset({type(None), bool, int, float, str})
INT_MIN: Final = -(1 << 63)
INT_MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """How much one value may be. The encoder raises ValueError, the decoder WorkerProtocolError."""

    depth: int = 200
    """Containers inside containers."""
    items: int = 5_000_000
    """Items of all containers together. An array of numbers counts as one, a list of numbers as its
    length."""
    buffers: int = 30_000
    """Buffers of one value; what would need more stands in the header instead."""
    text: int = 10_000
    """Characters that a RemoteObject says of itself; the encoder cuts, the decoder refuses."""
    collisions: int = 50_000
    """Comparisons between keys of equal hash: numbers and tuples with equal hashes are easily made,
    and each pair costs time."""


class Refused(ValueError):
    """The whole value cannot be sent: a limit, or something in it that nothing can be done about.
    Never hidden behind a RemoteObject."""


class Unsupported(Exception):
    """A value of a known type that the codec does not carry after all; it goes the way of an
    unknown one."""


class CallbackRaised(Exception):
    """Carries an exception of the caller's own `remote` or `unpickle` out of a decoder, which
    otherwise raises one type only."""

    def __init__(self, error: Exception) -> None:
        self.error = error


ENCODERS: dict[type, Callable[[Encoding, Any], Node]] = {}
DECODERS: dict[str, Callable[[Decoding, list[Any]], Any]] = {}
LATE: dict[str, Callable[[Any], dict[type, Callable[[Encoding, Any], Node]]]] = {}
"""Rows that exist only once a module is imported: module → function that makes them. Nothing is
imported in order to encode."""
SHAPES: list[Callable[[type, tuple[type, ...]], Callable[[Encoding, Any], Node] | None]] = []
"""For types that have no row: functions that recognize a family (enum members, dataclasses, …) by
looking at the class alone."""

HASHABLE: set[str] = set()
"""Tags whose values can be keys."""
HASHABLE_BY_PARTS: dict[str, Callable[[list[Any]], list[Any] | None]] = {}
"""Tags whose values can be keys if certain of their nodes can: node → those nodes, or None for one
that cannot."""

ROWS: dict[int, Callable[[Encoding, Any], Node]] = {}
"""ENCODERS by the identity of the type: a metaclass may say that it equals `int`, or raise when it
is hashed."""

_late_done: set[str] = set()


def add_rows(rows: dict[type, Callable[[Encoding, Any], Node]]) -> None:
    ENCODERS.update(rows)
    ROWS.update({id(kind): row for kind, row in rows.items()})


def guarded(function: Callable[[Encoding, Any], Node]) -> Callable[[Encoding, Any], Node]:
    """For rows of libraries' types: whatever goes wrong inside, the value is then an unknown
    one."""

    def encode(walk: Encoding, value: Any) -> Node:
        mark = walk.mark()
        try:
            return function(walk, value)
        except (Refused, RecursionError):
            raise
        except Exception:
            walk.roll_back(mark)
            return walk.fallback(value)

    return encode


def encodes(
    *kinds: type,
) -> Callable[[Callable[[Encoding, Any], Node]], Callable[[Encoding, Any], Node]]:
    """Puts a row into ENCODERS."""

    def add(function: Callable[[Encoding, Any], Node]) -> Callable[[Encoding, Any], Node]:
        add_rows(dict.fromkeys(kinds, function))
        return function

    return add


def decodes(
    tag: str, *, key: bool = False
) -> Callable[[Callable[[Decoding, Any], Any]], Callable[[Decoding, Any], Any]]:
    """Puts a row into DECODERS; `key` says that what comes back is hashable whatever it holds."""

    def add(function: Callable[[Decoding, Any], Any]) -> Callable[[Decoding, Any], Any]:
        DECODERS[tag] = function
        if key:
            HASHABLE.add(tag)
        return function

    return add


_MRO: Final = type.__dict__["__mro__"]


class Encoding:
    """One value on its way out. Calls nothing of an object it does not know, except through the
    caller's `remote` or `pickle`."""

    __slots__ = (
        *(
            "buffers",
            "depth",
            "hashables",
            "in_key",
            "items",
            "kept",
            "limits",
            "numbers",
            "open",
            "owner",
            "pickle",
            "remote",
            "shapes",
        ),
        *("fragile", "refs", "unsorted"),
    )

    def __init__(
        self,
        limits: ValueLimits,
        remote: Callable[[object], tuple[int, str, str]] | None,
        pickle: Callable[[object], bytes] | None,
        owner: object,
    ) -> None:
        self.limits = limits
        self.remote = remote
        self.pickle = pickle
        self.owner = owner
        self.depth = limits.depth
        self.items = limits.items
        self.buffers: list[bytes | memoryview] = []
        self.numbers: dict[int, int] = {}
        self.kept: list[
            object
            # keeps what is numbered alive: the id of an object that died may be given to another
        ] = []
        self.open: set[int] = set()
        self.hashables: set[int] = set()
        self.in_key = 0
        self.unsorted = 0  # see columns.py
        self.refs = 0
        self.fragile = FRAGILE
        self.shapes: dict[int, tuple[type, Callable[[Encoding, Any], Node] | None]] = {}

    def value(self, value: Any) -> Node:
        encode = ROWS.get(id(type(value)))
        return self.unknown(value) if encode is None else encode(self, value)

    def key(self, value: Any) -> Node:
        """A node that will be hashable where it is decoded. What is hashable only here stays
        here."""
        mark = self.mark()
        self.in_key += 1
        node = self.value(value)
        self.in_key -= 1
        if type(node) is not list or self.is_key(node):
            return node
        self.roll_back(mark)
        return self.fallback(value)

    def is_key(self, node: Any) -> bool:
        if type(node) is not list or node[0] in HASHABLE:
            return True
        if node[0] == "ref":
            return node[1] in self.hashables
        rule = HASHABLE_BY_PARTS.get(node[0])
        parts = rule(node) if rule is not None else None
        return parts is not None and all(map(self.is_key, parts))

    # -- levels and numbers

    def enter(self, items: int) -> None:
        """Go one level down into a container of so many items; the caller raises `depth` again when
        done."""
        self.depth -= 1
        self.items -= items + 1
        if self.depth < 0:
            raise Refused(f"the value is nested deeper than {self.limits.depth} levels")
        if self.items < 0:
            raise Refused(f"the value holds more than {self.limits.items:,} items")

    def seen(self, value: object) -> Node:
        """A reference, if this very object was encoded before; else None."""
        number = self.numbers.get(id(value))
        if number is None:
            return None
        if number in self.open:
            raise Unsupported("it contains itself")
        return self.ref(number)

    def ref(self, number: int) -> Node:
        self.refs += 1
        return ["ref", number]

    def note(self, value: object, *, key: bool = False) -> int:
        number = len(self.kept)
        self.numbers[id(value)] = number
        self.kept.append(value)
        if key:
            self.hashables.add(number)
        return number

    def reserve(self, value: object, *, key: bool = False) -> int:
        number = self.note(value, key=key)
        self.open.add(number)
        return number

    def fill(self, number: int) -> None:
        self.open.discard(number)

    def closes(self, refs: int) -> None:
        """Called at the end of a deque or array of objects with the count of references at its
        beginning; see FRAGILE."""
        if self.refs != refs:
            self.fragile -= 1
            if self.fragile < 0:
                raise Unsupported("too many deques or arrays that hold references")

    def mark(self) -> tuple[int, int, int, int]:
        return len(self.kept), len(self.buffers), self.depth, self.in_key

    def roll_back(self, mark: tuple[int, int, int, int]) -> None:
        """Forget all that was numbered and put aside since: the node it belonged to is not sent."""
        kept, buffers, self.depth, self.in_key = mark
        for number in range(kept, len(self.kept)):
            if self.numbers.get(id(self.kept[number])) == number:
                del self.numbers[id(self.kept[number])]
            self.open.discard(number)
            self.hashables.discard(number)
        del self.kept[kept:], self.buffers[buffers:]

    # -- bytes and text

    def blob(self, data: bytes | memoryview) -> int | str:
        """Raw bytes: the index of a buffer, or base64 when short."""
        if len(data) <= INLINE_BYTES or len(self.buffers) >= self.limits.buffers:
            return binascii.b2a_base64(data, newline=False).decode()
        self.buffers.append(data)
        return len(self.buffers) - 1

    def words(self, text: str) -> Node:
        """A text that is part of something else, so it gets no number."""
        if len(text) <= INLINE_TEXT and (text.isascii() or is_utf8(text)):
            return text
        return ["text", self.blob(text.encode("utf-8", "surrogatepass"))]

    # -- what has no row

    def unknown(self, value: Any) -> Node:
        number = self.numbers.get(id(value))
        if number is not None and number not in self.open:
            return self.ref(number)
        mark = self.mark()
        try:
            encode = self.shape(type(value))
            if encode is not None:
                return encode(self, value)
        except (Refused, RecursionError):
            raise
        except Exception:
            self.roll_back(
                mark
            )  # whatever a class does when it is looked at, its instance is then an unknown object
        return self.fallback(value)

    def shape(self, kind: type) -> Callable[[Encoding, Any], Node] | None:
        for module, rows in LATE.items():
            if module not in _late_done and module in sys.modules:
                try:
                    add_rows(rows(sys.modules[module]))
                except Exception:
                    continue  # half imported: the next unknown value tries again
                _late_done.add(module)
        found = ROWS.get(id(kind))
        if found is not None:
            return found
        if id(kind) in self.shapes:
            return self.shapes[id(kind)][1]
        mro = _MRO.__get__(kind)
        found = next(filter(None, (recognize(kind, mro) for recognize in SHAPES)), None)
        self.shapes[id(kind)] = kind, found
        return found

    def fallback(self, value: object) -> Node:
        """For what the codec does not carry: a name for it, a pickle of it, or ValueError."""
        number = self.numbers.get(id(value))
        if number is not None and number in self.hashables and number not in self.open:
            return self.ref(number)
        if self.remote is not None:
            self.note(value, key=True)
            ident, kind, text = self.remote(value)
            return ["remote", ident, self.cut(kind), self.cut(text)]
        name = qualified_name(type(value))
        if self.pickle is not None:
            self.note(value, key=True)
            try:
                data = self.pickle(value)
            except Exception as error:
                raise Refused(f"a value of type {name} cannot be sent: {error}") from error
            return ["pickle", self.blob(data)]
        raise Refused(f"a value of type {name} cannot be sent")

    def cut(self, text: str) -> Node:
        limit = self.limits.text
        return self.words(text if len(text) <= limit else text[: limit - 1] + "…")


class Decoding:
    """One value on its way in. The node and the buffers may be anything at all."""

    __slots__ = (
        "buffers",
        "collisions",
        "depth",
        "fragile",
        "in_key",
        "items",
        "known",
        "limits",
        "refs",
        "remote",
        "unpickle",
        "unsorted",
    )

    def __init__(
        self,
        limits: ValueLimits,
        buffers: Sequence[Buffer],
        remote: Callable[[int, str, str], object],
        unpickle: Callable[[bytes], object] | None,
    ) -> None:
        self.limits = limits
        self.buffers: list[Buffer | None] = list(buffers)
        self.remote = remote
        self.unpickle = unpickle
        self.depth = limits.depth + NESTED_LEAVES
        self.items = limits.items
        self.collisions = limits.collisions
        self.known: list[object] = []
        self.refs = 0
        self.fragile = FRAGILE
        self.in_key = 0
        self.unsorted = 0  # see columns.py

    def value(self, node: Any) -> Any:
        if type(node) is not list:
            if type(node) in PLAIN:
                return node
            malformed(f"a {type(node).__name__} in a node")
        self.depth -= 1
        self.items -= len(node)
        if self.depth < 0:
            malformed("a value nested too deeply")
        if self.items < 0:
            malformed("a value of too many items")
        tag = node[0] if node else None
        decode = DECODERS.get(tag) if type(tag) is str else None
        if decode is None:
            malformed("a node without a known tag")
        value = decode(self, node)
        self.depth += 1
        return value

    # -- numbers

    def note(self, value: Any) -> Any:
        self.known.append(value)
        return value

    def reserve(self) -> int:
        self.known.append(_UNFINISHED)
        return len(self.known) - 1

    def fill(self, number: int, value: Any) -> Any:
        self.known[number] = value
        return value

    def key(self, node: Any) -> Any:
        self.in_key += 1
        value = self.value(node)
        self.in_key -= 1
        return value

    # -- parts of nodes

    def blob(self, part: Any) -> Buffer:
        """The bytes a node names. Each buffer is given out once: otherwise a short node could ask
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
            text = str(self.blob(part[1]), "utf-8", "surrogatepass")
        else:
            text = exactly(str, part)
        if limit is not None and len(text) > limit:
            malformed("a text that is too long for its place")
        return text

    def of(self, kind: type, part: Any) -> Any:
        """A value that has to be of one exact type."""
        value = self.value(part)
        if type(value) is not kind:
            malformed(f"a {type(value).__name__} in place of a {kind.__name__}")
        return value

    def spend(self, items: int) -> None:
        """Items that no node stands for: numbers packed in a buffer."""
        self.items -= items
        if self.items < 0:
            malformed("a value of too many items")

    def keys(self, keys: list[Any]) -> list[Any]:
        """Keys that can go into a dict or set in reasonable time. str and bytes hash with a secret;
        all else can be made to collide."""
        if set(map(type, keys)) <= _SECRETLY_HASHED:
            return keys
        hashes = list(map(hash, keys))
        if len(keys) - len(set(hashes)) > 8:
            self.collisions -= sum(n * (n - 1) // 2 for n in Counter(hashes).values())
            if self.collisions < 0:
                malformed("keys that were made to collide")
        return keys

    def closes(self, refs: int) -> None:
        """Called at the end of a deque or array of objects with the count of references at its
        beginning; see FRAGILE."""
        if self.refs != refs:
            self.fragile -= 1
            if self.fragile < 0:
                malformed("too many deques or arrays that hold references")

    def callback(self, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except Exception as error:
            raise CallbackRaised(error) from error


_UNFINISHED: Final = object()
_SECRETLY_HASHED: Final = frozenset({str, bytes})


def malformed(what: str) -> NoReturn:
    raise WorkerProtocolError(f"not a value: {what}")


def arity(node: list[Any], length: int) -> list[Any]:
    """The parts after the tag, if there are exactly so many."""
    if len(node) != length + 1:
        malformed(f"{node[0]} with {len(node) - 1} parts")
    return node[1:]


def exactly(kind: type, part: Any) -> Any:
    if type(part) is not kind:
        malformed(f"a {type(part).__name__} in place of a {kind.__name__}")
    return part


def is_utf8(text: str) -> bool:
    """Whether a text holds no lone surrogates, which not every JSON parser takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@decodes("ref")
def _ref(walk: Decoding, node: list[Any]) -> Any:
    (number,) = arity(node, 1)
    if type(number) is not int or not 0 <= number < len(walk.known):
        malformed("a reference to nothing")
    value = walk.known[number]
    if value is _UNFINISHED:
        malformed("a reference to something that is not there yet")
    walk.refs += 1
    return value


@decodes("remote", key=True)
def _remote(walk: Decoding, node: list[Any]) -> Any:
    ident, kind, text = arity(node, 3)
    number = walk.reserve()
    if exactly(int, ident) < 0:
        malformed("a negative id")
    limit = walk.limits.text
    return walk.fill(
        number, walk.callback(walk.remote, ident, walk.words(kind, limit), walk.words(text, limit))
    )


@decodes("object", key=True)
def _object(walk: Decoding, node: list[Any]) -> Any:
    (ident,) = arity(node, 1)
    if exactly(int, ident) < 0:
        malformed("a negative id")
    return walk.callback(walk.remote, ident, "", "")


@decodes("pickle", key=True)
def _pickle(walk: Decoding, node: list[Any]) -> Any:
    (data,) = arity(node, 1)
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
