"""A value in a few words: a repr that is bounded in length and in time, whatever the value is.

A value may come from a sandbox, where a few shared lists can have a repr of 10^20 characters, or be
the host's own, whose `__repr__` may raise, never return, or print megabytes. So containers,
records, errors and tables are spelled out here, as far as there is room, and the `__repr__` of
anything else runs in a thread of its own and is given up after a while.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import pathlib
import sys
import threading
import time
import types
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from fumehood.wire.records import Picture, Record, RemoteError, RemoteObject, TupleRecord
from fumehood.wire.show import qualified_name

PATIENCE: Final = 1.0
"""Seconds that all the `__repr__` methods of one value may take together."""

_REST: Final = 20
"""Room for the words on what is left out."""

_MOST_ITEMS: Final = 1_000
_DEEPEST: Final = 6
_MOST_DIGITS: Final = 300

# Types whose own repr is short, quick and theirs: nobody else's code runs in it.
_SPEAKS_FOR_ITSELF: Final[frozenset[type]] = frozenset(
    {type(None), bool, float, complex, type(...), type(NotImplemented), range, Picture}
    | {
        datetime.date,
        datetime.time,
        datetime.datetime,
        datetime.timedelta,
        datetime.timezone,
        uuid.UUID,
        decimal.Decimal,
    }
    | {pathlib.PurePosixPath, pathlib.PureWindowsPath, type(pathlib.Path())}
)

_BRACKETS: Final[dict[type, tuple[str, str]]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    deque: ("deque([", "])"),
    dict: ("{", "}"),
    OrderedDict: ("OrderedDict({", "})"),
    defaultdict: ("defaultdict({", "})"),
    Counter: ("Counter({", "})"),
}
_EMPTY: Final[dict[type, str]] = {set: "set()", frozenset: "frozenset()"}
_MAPPINGS: Final = (dict, OrderedDict, defaultdict, Counter)


def value_text(value: Any, limit: int = 1_000, patience: Patience | None = None) -> str:
    """repr(value) in at most `limit` characters, as good as can be had. Raises nothing. May hold
    anything that a repr can, so also control characters: whoever shows it makes it fit."""
    text = Texts(max(limit - _REST, limit // 2), patience).of(value)
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


_mro: Final = type.__dict__["__mro__"].__get__


def is_a(value: object, module: str, name: str) -> bool:
    """Whether a value is of a library's class. A library that nobody has imported has no values.
    The value is not asked."""
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and any(base is kind for base in _mro(type(value)))


class Texts:
    """Makes the text of one value, in the room and the time that there is."""

    def __init__(self, room: int, patience: Patience | None = None) -> None:
        self.room = room
        self._patience = Patience(PATIENCE) if patience is None else patience
        self._inside: set[int] = set()

    def of(self, value: Any, depth: int = 0) -> str:
        """The text of a value, or of a part of one. What it takes is taken from the room."""
        before = self.room
        try:
            text = self._of(value, depth)
        except (
            Exception
        ) as error:  # a library's object that is broken, or a sandbox's that looks like one
            name, raised = qualified_name(type(value)), qualified_name(type(error))
            text = f"<{name}, which cannot be shown: {raised}>"
        if self.room == before:
            self.room -= len(text)
        return text

    def _of(self, value: Any, depth: int) -> str:
        kind = type(value)
        if kind is int:
            return self._int(value)
        if kind in _SPEAKS_FOR_ITSELF:
            return repr(value)
        if kind is slice:
            if depth >= _DEEPEST or self.room <= 0:
                return "slice(…)"
            return f"slice({', '.join(self.of(part, depth + 1) for part in (value.start, value.stop, value.step))})"  # noqa: E501
        if kind in _BRACKETS:
            return self._container(value, kind, depth)
        if issubclass(kind, (str, bytes, bytearray)):
            return self._string(value)
        if kind is Record or kind is TupleRecord:
            return self._record(value, depth)
        if kind is RemoteObject:
            return self._cut(value.text or f"<{value.type_name}>")
        if issubclass(kind, BaseException):
            return self._error(value, depth)
        if issubclass(kind, type):
            return f"<class {qualified_name(value)}>"
        if issubclass(kind, types.ModuleType):
            return (
                "<module"
                f" {self._cut(str(object.__getattribute__(value, '__dict__').get('__name__')))}>"
            )
        if kind in (types.FunctionType, types.BuiltinFunctionType, types.MethodType):
            return f"<function {self._cut(str(value.__name__))}>"
        return self._of_library(value, depth) or self._of_base(value, depth) or self._other(value)

    def _cut(self, text: str) -> str:
        return text if len(text) <= self.room else text[: max(self.room, 0)] + "…"

    def _int(self, value: int) -> str:
        if value.bit_length() > 3 * _MOST_DIGITS:
            return f"<int of {value.bit_length():,} bits>"
        return repr(value)

    def _string(self, value: Any) -> str:
        base: Any = next(base for base in (str, bytes, bytearray) if issubclass(type(value), base))
        size = base.__len__(value)
        plain = base.__getitem__(value, slice(0, max(self.room, 0)))
        return repr(plain) + ("…" if size > len(plain) else "")

    def _container(self, value: Any, kind: Any, depth: int, name: str = "") -> str:
        opening, closing = _BRACKETS[kind]
        if name:
            opening, closing = f"{name}({opening}", f"{closing})"
        size = kind.__len__(value)
        if not size:
            return _EMPTY.get(kind, opening + closing)
        if depth >= _DEEPEST or self.room <= 0:
            return f"{opening}…{closing}"
        if id(value) in self._inside:
            return f"{opening}...{closing}"  # as Python itself says that a list holds itself
        self.room -= len(opening) + len(closing)
        parts: Iterable[str]
        if issubclass(kind, _MAPPINGS):
            parts = (
                f"{self.of(key, depth + 1)}: {self.of(item, depth + 1)}"
                for key, item in dict.items(value)
            )
        else:
            parts = (self.of(item, depth + 1) for item in kind.__iter__(value))
        self._inside.add(id(value))
        try:
            inside = self.joined(parts, size)
        finally:
            self._inside.discard(id(value))
        return opening + inside + ("," if kind is tuple and size == 1 else "") + closing

    def joined(self, texts: Iterable[str], size: int) -> str:
        """Parts as far as there is room, and how many there are more."""
        taken: list[str] = []
        parts = iter(texts)
        while self.room > 0 and len(taken) < _MOST_ITEMS:
            part = next(parts, None)
            if part is None:
                return ", ".join(taken)
            taken.append(part)
            self.room -= 2
        if len(taken) < size:
            taken.append(f"… {size - len(taken):,} more")
        return ", ".join(taken)

    def several(self, items: Iterable[Any], size: int) -> str:
        """Values as far as there is room, of `size` that there are."""
        return self.joined((self.of(item, 1) for item in items), size)

    def _fields(self, name: str, fields: Iterable[tuple[str, Any]], size: int, depth: int) -> str:
        if depth >= _DEEPEST or self.room <= 0:
            return f"{name}(…)"
        self.room -= len(name) + 2
        return f"{name}({self.joined((f'{field}={self.of(item, depth + 1)}' for field, item in fields), size)})"  # noqa: E501

    def _record(self, value: Record, depth: int) -> str:
        name = self._cut(value._type_name)
        if value._kind == "enum":
            return (
                f"<{name}.{self._cut(str(value._values[0]))}:"
                f" {self.of(value._values[1], depth + 1)}>"
            )
        return self._fields(
            name, zip(value._names, value._values, strict=False), len(value._names), depth
        )

    def _error(self, value: BaseException, depth: int) -> str:
        name = value.type_name if type(value) is RemoteError else qualified_name(type(value))
        arguments = BaseException.__dict__["args"].__get__(value)
        if depth >= _DEEPEST:
            return f"{self._cut(name)}(…)"
        return f"{self._cut(name)}({self.joined((self.of(part, depth + 1) for part in arguments), len(arguments))})"  # noqa: E501

    # -- libraries

    def _of_library(self, value: Any, depth: int) -> str | None:
        """A table or an array inside of something else, in a few words; variables.py has more to
        say of one that stands alone."""
        if is_a(value, "numpy", "ndarray"):
            shape = "x".join(map(str, value.shape)) or "single"
            inside = ""
            if value.size and depth < _DEEPEST:
                self.room -= 20
                inside = f": {self.joined((self.of(item, depth + 1) for item in value.flat[:20].tolist()), value.size)}"  # noqa: E501
            return f"<{shape} array of {self._cut(str(value.dtype))}{inside}>"
        if is_a(value, "numpy", "generic"):
            item = value.item()
            return (
                str(value)
                if value.dtype.kind in "mM" or type(item) is type(value)
                else self._of(item, depth)
            )
        if is_a(value, "pandas", "DataFrame"):
            columns = value.columns
            self.room -= 30
            names = self.joined(
                (self.of(name, depth + 1) for name in columns[:20].tolist()), len(columns)
            )
            return f"<DataFrame of {len(value):,} rows, columns {names}>"
        for name in ("Series", "Index"):
            if is_a(value, "pandas", name):
                self.room -= 30
                items = self.joined(
                    (self.of(item, depth + 1) for item in value[:20].tolist()), len(value)
                )
                return f"<{name} of {self._cut(str(value.dtype))}: {items}>"
        if is_a(value, "PIL.Image", "Image"):
            return f"<image, {value.mode}, {value.size[0]}x{value.size[1]}>"
        if any(
            is_a(value, "pandas", name) for name in ("Timestamp", "Timedelta", "Period", "Interval")
        ):
            return self._cut(repr(value))
        pandas = sys.modules.get("pandas")
        if pandas is not None and (value is pandas.NaT or value is pandas.NA):
            return repr(value)
        return None

    # -- anybody's

    def _of_base(self, value: Any, depth: int) -> str | None:
        """Containers and numbers of classes that have no repr of their own, named tuples and
        dataclasses: nothing of theirs is called."""
        kind = type(value)
        if type(kind) is not type:
            return None  # a metaclass may answer to anything
        method: Any = kind.__repr__
        names = getattr(kind, "_fields", None)
        if issubclass(kind, tuple) and type(names) is tuple and len(names) == tuple.__len__(value):
            return self._fields(
                kind.__name__,
                zip(map(str, names), tuple.__iter__(value), strict=True),
                len(names),
                depth,
            )
        for base in _BRACKETS:
            if issubclass(kind, base) and method is base.__repr__:
                return self._container(value, base, depth, kind.__name__)
        if "__dataclass_fields__" in kind.__dict__ and kind.__dict__["__dataclass_params__"].repr:
            fields = [*dataclass_fields(value)]
            return self._fields(kind.__name__, fields, len(fields), depth)
        if issubclass(kind, int) and method is int.__repr__:
            return self._int(int.__int__(value))
        if issubclass(kind, float) and method is float.__repr__:
            return str(float.__repr__(value))
        if kind is fractions.Fraction:
            return f"Fraction({self._int(value.numerator)}, {self._int(value.denominator)})"
        return None

    def _other(self, value: Any) -> str:
        kind = qualified_name(type(value))
        if type.__getattribute__(type(value), "__repr__") is object.__repr__:
            return f"<{kind} object>"  # its address says nothing
        text = self._patience.wait_for(lambda: str.__str__(repr(value)))
        if isinstance(text, str):
            return self._cut(text)
        return (
            f"<{kind} object whose repr"
            f" {'takes too long' if text is None else f'raised {qualified_name(type(text))}'}>"
        )


def dataclass_fields(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields that a dataclass shows, read from where Python keeps them."""
    kind = type(value)
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        held = {}
    for name, field in kind.__dataclass_fields__.items():
        slot = next((base.__dict__[name] for base in _mro(kind) if name in base.__dict__), None)
        if not field.repr or field._field_type.name != "_FIELD":
            continue
        if name in held:
            yield name, held[name]
        elif type(slot) is types.MemberDescriptorType:
            yield name, slot.__get__(value)


class Patience:
    """Waits for a function that may not return, `seconds` for all calls together."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def wait_for(self, function: Callable[[], str]) -> str | BaseException | None:
        """What it returns or raises, None if it takes too long. It is then stopped at its next line
        of Python; what is one call of C, or catches everything, goes on in a thread that nobody
        waits for."""
        if self.left <= 0:
            return None
        began = time.monotonic()
        end = began + self.left
        got: list[str | BaseException] = []

        def look(frame: types.FrameType, event: str, argument: Any) -> Any:
            if time.monotonic() > end:
                raise _TooLong
            return look

        def work() -> None:
            sys.settrace(look)
            try:
                got.append(function())
            except BaseException as error:
                got.append(error.with_traceback(None))
            finally:
                sys.settrace(None)

        thread = threading.Thread(target=work, name="fumehood-repr", daemon=True)
        thread.start()
        thread.join(self.left)
        self.left = end - time.monotonic()
        return got[0] if got and not isinstance(got[0], _TooLong) else None


class _TooLong(BaseException):
    """Ends a function that takes too long."""
