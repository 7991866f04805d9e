"""Values: how a Python value crosses between host and sandbox.

A value becomes a *node*, JSON that stands in a message's header, and *buffers*, raw bytes that
follow it.
None, bool, int within 64 bits, finite float and text stand for themselves. Everything else is a
list that begins with a tag, a plain list included, so nothing can be mistaken for something else.
`bytes` below is the index of a buffer, or base64 text when short; `words` is a text, or `["text",
bytes]` when it is long or holds lone surrogates. Tags with * are numbered (see `ref`).

    tag             parts                                   what comes back
    ref             number                                  the very object that has that number:
                                                            numbers are given as nodes begin
    int             hex | ["bytes", bytes]                  int beyond 64 bits; as bytes two's
                                                            complement, little-endian
    float           "nan" | "inf" | "-inf"                  float
    complex         real, imag                              complex
    text*           bytes (UTF-8, surrogates pass)          str; inside a key it has no number
    bytes*          bytes                                   bytes, also for memoryview; numbered
                                                            when longer than 96 and not in a key
    bytearray*      bytes                                   bytearray
    list* tuple     items…                                  list, tuple
    set* frozenset  keys…                                   set, frozenset
    packed          one of those tags, "q" | "d", bytes     the same of many int64 or float64,
                                                            little-endian; numbered as that tag is
    dict*           key, value, …                           dict, also for defaultdict, whose
                                                            factory stays behind
    ordered*        key, value, …                           OrderedDict
    counter*        key, value, …                           Counter
    deque*          maxlen | null, items…                   deque
    numbers*        code, item size, byte order, bytes      array.array
    range slice     start, stop, step                       range, slice
    ellipsis notimplemented                                 ..., NotImplemented
    date            year, month, day                        date
    time            hour … microsecond, fold, zone          time
    datetime        year … microsecond, fold, zone          datetime
    timedelta       days, seconds, microseconds             timedelta
    timezone        days, seconds, microseconds, words      timezone
    zone            key, offset in seconds | null           ZoneInfo; a timezone of that offset
                                                            where the key is unknown
    decimal         words                                   Decimal
    fraction        numerator, denominator                  Fraction
    uuid            32 hex digits                           UUID
    path            "path" | "pure" | "windows", words      Path, PurePosixPath, PureWindowsPath
    record          kind, type, [names], values…            Record (records.py); numbered if of kind
                                                            dataclass or instance
    error*          type, args…                             a built-in exception; RemoteError if its
                                                            arguments share parts
    raised*         type, args…                             RemoteError
    array*          dtype, [shape], order, writable, bytes  numpy array (arrays.py)
    objects*        [shape], items…                         numpy array of objects
    scalar          dtype, bytes                            numpy scalar; numpy.longlong comes back
                                                            as the int64 it equals
    npstr npbytes   words | bytes                           numpy.str_, numpy.bytes_
    masked*         array, mask array | null, fill value    numpy masked array
    series*         index, name, column                     pandas Series (tables.py)
    frame*          index, columns, column…                 pandas DataFrame; `attrs` stay behind
    index*          column, name, freq | null               pandas Index of the kind that fits the
                                                            column
    rangeindex*     start, stop, step, name                 pandas RangeIndex
    multiindex*     [indexes], [code arrays], [names]       pandas MultiIndex
    nullable strings category instants periods intervals    the kinds of columns, see columns.py
    timestamp       ticks, unit, zone, fold                 pandas Timestamp
    duration        ticks, unit                             pandas Timedelta
    period          ordinal, freq                           pandas Period
    interval        left, right, closed                     pandas Interval
    nat na                                                  pandas NaT, NA
    image*          mode, width, height, palette, transparency, bytes   PIL image
    picture         mime, width, height, bytes              Picture: also what a matplotlib figure
                                                            draws
    remote*         id, type words, repr words              RemoteObject: the object stayed in the
                                                            sandbox
    object          id                                      in the sandbox, that object itself
    pickle*         bytes                                   host to sandbox only; a decoder without
                                                            `unpickle` refuses it

A set or dict of keys with equal hashes, a long chain of deques or object arrays, and large unsorted
categories are refused beyond bounds that ordinary values do not meet: each can make a small node
cost much time, or the stack, on the side that decodes it.

What decoding promises, whatever it is given: it raises WorkerProtocolError and nothing else, takes
memory in proportion to what came in, calls no constructor but those of fixed tables, imports
nothing by a name it was given and never unpickles on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, Final

from fumehood.errors import WorkerProtocolError
from fumehood.wire import arrays, pictures, plain, shapes, standard, tables
from fumehood.wire.codec import (
    INLINE_TEXT,
    INT_MAX,
    INT_MIN,
    PLAIN,
    Buffer,
    CallbackRaised,
    Decoding,
    Encoding,
    Node,
    Refused,
    ValueLimits,
    is_utf8,
)
from fumehood.wire.records import Picture, Record, RemoteError, RemoteObject
from fumehood.wire.shapes import EXCEPTIONS

__all__ = [
    "EXCEPTIONS",
    "INT_MAX",
    "INT_MIN",
    "Buffer",
    "Decoder",
    "Encoder",
    "Node",
    "Picture",
    "Record",
    "RemoteError",
    "RemoteObject",
    "ValueLimits",
    "is_utf8",
]

_ROWS: Final = (
    arrays,
    pictures,
    plain,
    shapes,
    standard,
    tables,
)  # importing them fills the tables
_DEFAULT: Final = ValueLimits()


_FEW: Final = 16
_NO_KEYWORDS: Final = ["dict"]


def _is_its_own_node(value: Any) -> bool:
    """Whether JSON carries a value as it is."""
    kind = type(value)
    if kind is str:
        return len(value) <= INLINE_TEXT and value.isascii()
    if kind is int:
        return bool(INT_MIN <= value <= INT_MAX)
    return value is None or kind is bool or kind is float and isfinite(value)


class Encoder:
    """Makes nodes. One call, one self-contained value: references never point into another.

    `remote` (in a sandbox) names an object the codec does not carry: (id, type name, repr).
    `pickle` (on the host) makes bytes of it. With neither, such an object is a ValueError. `owner`
    is the token that RemoteObjects of the receiving sandbox carry.
    """

    __slots__ = ("_limits", "_owner", "_pickle", "_remote")

    def __init__(
        self,
        remote: Callable[[object], tuple[int, str, str]] | None = None,
        pickle: Callable[[object], bytes] | None = None,
        limits: ValueLimits = _DEFAULT,
        *,
        owner: object = None,
    ) -> None:
        self._remote = remote
        self._pickle = pickle
        self._limits = limits
        self._owner = owner

    def encode(self, value: object) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of a value. Raises ValueError for what cannot be sent; says
        which type or limit.

        Buffers may be views of the value's own memory: send them before the value changes.
        """
        if _is_its_own_node(value):
            return value, []  # type: ignore[return-value]
        walk = Encoding(self._limits, self._remote, self._pickle, self._owner)
        try:
            return walk.value(value), walk.buffers
        except RecursionError:
            raise Refused("the value is nested too deeply") from None

    def encode_remote(self, value: object) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of what `remote` says of a value, whatever its type."""
        walk = Encoding(self._limits, self._remote, self._pickle, self._owner)
        return walk.fallback(value), walk.buffers

    def encode_call(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Node, list[bytes | memoryview]]:
        """The node and the buffers of `(args, kwargs)`. Most calls pass a few plain values, which
        need no walk."""
        if not kwargs and len(args) <= _FEW and all(map(_is_its_own_node, args)):
            return ["tuple", ["tuple", *args], _NO_KEYWORDS], []
        return self.encode((args, kwargs))


class Decoder:
    """Makes values of nodes that may be hostile. Raises WorkerProtocolError, and what `remote` or
    `unpickle` raise.

    `remote` makes what stands for an object that stayed in a sandbox: on the host a RemoteObject
    that carries `owner` (the default), in the sandbox the object itself. Buffers that are
    bytearrays are taken over, not copied: arrays and bytearrays live in them.
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
        except CallbackRaised as carried:
            raise carried.error from None
        # what a constructor says of the parts it was given, or RecursionError, or MemoryError
        except Exception as error:
            raise WorkerProtocolError(
                f"not a value: {type(error).__name__} while it was put together"
            ) from None
