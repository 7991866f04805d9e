"""What a sandbox sent, made safe to show: values as bounded text (a tiny value may have a repr of
10^20 characters, or one that raises), text without terminal escapes, HTML in a frame."""

from __future__ import annotations

import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from fumehood.errors import CellStopped

_MAX_DIGITS = 4000
_MAX_ITEMS = 100
_MAX_DEPTH = 6

FIELDS: dict[type, Callable[[Any], tuple[str, str, Iterator[tuple[str, Any]]]]] = {}
"""Classes that are shown as their fields: what gives the name, the brackets and the fields."""

# Whole sequences first, so that colored output leaves its words and not "[31mwords[0m". Safety is
# the second expression: it leaves no character that can start a sequence, in 7-bit or 8-bit form.
_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """The text as a screen may get it: without escape sequences and control characters, which can
    rewrite the screen, set the clipboard or answer the shell, and with lone surrogates written as
    escapes. Newlines and tabs stay."""
    return clean_text(_CONTROLS.sub("", _SEQUENCES.sub("", text.replace("\r\n", "\n"))))


def clean_text(text: str) -> str:
    """The text with lone surrogates, which no encoding has, written as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def one_line(text: str, limit: int) -> str:
    """The text on one line: control characters are escaped, and a long text is cut."""
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    )


_FRAME_HEAD = (
    "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; img-src data:;"
    " font-src data:; style-src 'unsafe-inline'\">"
    "<meta http-equiv='x-dns-prefetch-control' content='off'>"
    "<style>body{margin:0;font:13px sans-serif}table{border-collapse:collapse;border:0}"
    "th,td{padding:4px 8px;text-align:right;border:0}tr:nth-child(even){background:#f5f5f5}"
    "svg{max-width:100%;height:auto}</style>"
)


def framed(content: str) -> str:
    """HTML or SVG from a sandbox as an element for a page of the host.

    In the page itself, its scripts would run with the rights of the notebook. The frame's `sandbox`
    attribute allows no scripts, forms, popups or access to the page, and its policy loads nothing
    from a network, so that it cannot send data to one either.
    """
    from html import escape  # late: sandboxes import this module, and never need it

    content = content.encode("utf-8", "replace").decode()
    rows = content.count("<tr")
    height = min(30 * rows + 20, 500) if rows else 400
    return (
        f'<iframe sandbox="" referrerpolicy="no-referrer" srcdoc="{escape(_FRAME_HEAD + content)}"'
        f' style="width:100%;height:{height}px;border:0;background:#fff;color-scheme:light">'
        "</iframe>"
    )


def table_html(value: Any) -> str | None:
    """The HTML of a data frame; None for anything else."""
    if not _is(type(value), "pandas", "DataFrame") or _holds_nested(value):
        return None
    html: str = value.to_html(max_rows=20, max_cols=20, show_dimensions=len(value) > 20)
    return html


def bounded_repr(value: Any, limit: int = 4000) -> str:
    """repr(value) in at most about `limit` characters. Raises only CellStopped; other types' own
    `__repr__` is called, its result cut."""
    text = _Reprs(limit).of(value, 0)
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def type_name(value: Any) -> str:
    """The name of a value's type, read past whatever its metaclass says."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


_MODULE: Final = type.__dict__["__module__"]
_QUALNAME: Final = type.__dict__["__qualname__"]


def qualified_name(kind: type) -> str:
    """`module.Class` as UTF-8 text of at most 200 characters, read past any metaclass. The module
    is left out if it is builtins or __main__."""
    try:
        name, module = _QUALNAME.__get__(kind), _MODULE.__get__(kind)
        if type(module) is str and module not in ("builtins", "__main__", ""):
            name = f"{module}.{name}"
        text: str = str.__str__(name).encode("utf-8", "replace").decode()
    except Exception:  # code may assign anything to the module or name of a class
        return "object"
    return text[:200]


def safe_str(error: BaseException, limit: int = 4000) -> str:
    """str(error) for an exception whose `__str__` may do anything."""
    try:
        text = str(error)
    except CellStopped:
        return "<no message: its __str__ does not return>"
    except BaseException as second:
        return f"<no message: its __str__ raised {type_name(second)}>"
    text = str.__str__(text)
    return (
        text if len(text) <= limit else text[:limit] + f"… ({len(text) - limit:,} more characters)"
    )


class _Reprs:
    """Renders values until `room` characters are used."""

    def __init__(self, limit: int) -> None:
        self.room = limit

    def of(self, value: Any, depth: int) -> str:
        kind, before = type(value), self.room
        try:
            text = self._text(value, kind, depth)
        except CellStopped:
            raise  # the time of the caller is over as well
        except BaseException as error:
            text = f"<{type_name(value)} object whose repr raised {type_name(error)}>"
        self.room = min(self.room, before - (2 if kind in _BRACKETS else len(text)))
        return text

    def _text(self, value: Any, kind: type, depth: int) -> str:
        if kind is int and value.bit_length() > _MAX_DIGITS * 3:
            return f"<int of {value.bit_length():,} bits>"
        if kind is str or kind is bytes or kind is bytearray:
            room = max(self.room, 0)
            return repr(value[:room]) + ("…" if len(value) > room else "")
        if kind in _BRACKETS:
            return self._container(value, kind, depth)
        if kind in FIELDS:
            name, brackets, fields = FIELDS[kind](value)
            name = one_line(name, 80)
            opening = f"{name}(" if brackets == "()" else f"<{name} "
            labelled = ((f"{one_line(label, 40)}=" * bool(label), item) for label, item in fields)
            return self._items(opening, labelled, brackets[1], depth, None)
        if kind is slice:
            return self._call("slice", (value.start, value.stop, value.step), depth)
        if issubclass(kind, BaseException) and _of_type(kind, "__repr__") is _ERROR_REPR:
            return self._call(type_name(value), _args_of(value), depth)
        text = str.__str__(self._library(value, kind, depth) or repr(value))
        return text if len(text) <= self.room else text[: max(self.room, 0)] + "…"

    def _container(self, value: Any, kind: type, depth: int) -> str:
        opening, closing = _BRACKETS[kind]
        if not value:
            return _EMPTY.get(kind, opening + closing)
        if kind is deque and value.maxlen is not None:
            closing = f"], maxlen={value.maxlen})"
        elif kind is defaultdict:
            opening = f"defaultdict({self.of(value.default_factory, depth + 1)}, {{"
        elif kind is tuple and len(value) == 1:
            closing = ",)"
        items: Any = value
        if kind is Counter and all(type(count) is int for count in value.values()):
            items = dict(value.most_common())  # as Counter's own repr orders them
        if issubclass(kind, dict):
            items = items.items()
        if not issubclass(kind, dict) or kind is OrderedDict and _AS_PAIRS:
            labelled = (("", item) for item in items)
        else:
            labelled = ((f"{self.of(key, depth + 1)}: ", item) for key, item in items)
        return self._items(opening, labelled, closing, depth, len(value))

    def _call(self, name: str, parts: tuple[Any, ...], depth: int) -> str:
        """A call with these arguments, which the value's own repr would spell out in full."""
        return self._items(f"{name}(", (("", part) for part in parts), ")", depth, len(parts))

    def _items(
        self,
        opening: str,
        items: Iterable[tuple[str, Any]],
        closing: str,
        depth: int,
        count: int | None,
    ) -> str:
        """Items with labels between brackets; `count` of them, if that is known."""
        if depth >= _MAX_DEPTH or self.room <= 0:
            return f"{opening}…{closing}"
        parts: list[str] = []
        for label, item in items:
            if len(parts) >= _MAX_ITEMS or self.room <= 0:
                parts.append("…" if count is None else f"… {count - len(parts):,} more")
                break
            parts.append(label + self.of(item, depth + 1))
            self.room -= 2
        return opening + ", ".join(parts) + closing

    def _library(self, value: Any, kind: type, depth: int) -> str | None:
        """An array or a table that holds Python objects: the library would print each in full.
        None for anything else."""
        if _is(kind, "numpy", "ndarray") and value.dtype.hasobject:
            many = value.size > _MAX_ITEMS
            items = value.ravel()[: _MAX_ITEMS + 1].tolist() if many else value.tolist()
            return f"array({self.of(items, depth + 1)}, dtype=object)"
        for name in ("DataFrame", "Series"):
            if _is(kind, "pandas", name) and _holds_nested(value):
                shape = " x ".join(map(str, value.shape))
                return f"<{name} of {shape} with nested objects>"
        return None


def fields_repr(value: Any, names: Iterable[str], limit: int = 10_000) -> str:
    """`Name(field=…, …)` as a dataclass shows itself, in at most about `limit` characters: for the
    host's records, which hold what a sandbox sent."""
    return call_repr(type_name(value), {name: getattr(value, name) for name in names}, limit)


def call_repr(called: str, arguments: Mapping[str, Any], limit: int = 10_000) -> str:
    """A call with these arguments, in at most about `limit` characters."""
    reprs = _Reprs(limit)
    parts: list[str] = []
    for name, value in arguments.items():
        parts.append(f"{name}={reprs.of(value, 0)}")
        reprs.room -= len(name) + 3
    return f"{called}({', '.join(parts)})"


def _is(kind: type, module: str, name: str) -> bool:
    """Whether this is a library's class itself. A library that is not imported has no values."""
    return kind is getattr(sys.modules.get(module), name, _NONE)


def _holds_nested(table: Any) -> bool:
    """Whether what a table prints of itself, its first and last rows, holds containers of more
    than scalars."""
    columns: list[Any] = []
    for end in (table.iloc[:_ROWS], table.iloc[-_ROWS:]):
        columns.append(end.index)
        if end.ndim == 1:
            columns.append(end)
        else:
            columns += [end.iloc[:, place] for place in range(min(end.shape[1], _ROWS))]
            columns += [end.columns[:_ROWS]]
    return any(
        not _is_shallow(item)
        for column in columns
        if column.dtype == object or str(column.dtype) == "category"
        for item in column.tolist()
    )


def _is_shallow(item: Any) -> bool:
    kind = type(item)
    if kind in _BRACKETS:
        parts = [*item, *item.values()] if isinstance(item, dict) else item
        return len(item) <= _MAX_ITEMS and all(type(part) in _SCALARS for part in parts)
    if kind.__module__.partition(".")[0] in ("numpy", "pandas"):
        return not hasattr(kind, "__len__") or issubclass(kind, (str, bytes))
    return not issubclass(kind, (BaseException, slice, *_BRACKETS))


_NONE: Final = object()
_of_type: Final = type.__getattribute__
_ERROR_REPR: Final = BaseException.__repr__
_args_of: Final = BaseException.__dict__["args"].__get__
_ROWS: Final = 60
_SCALARS: Final = frozenset({str, int, float, bool, type(None), complex, bytes})
_AS_PAIRS: Final = sys.version_info < (3, 12)
"""Whether OrderedDict shows itself as a list of pairs."""
_BRACKETS: Final[dict[type, tuple[str, str]]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
    deque: ("deque([", "])"),
    OrderedDict: ("OrderedDict([", "])") if _AS_PAIRS else ("OrderedDict({", "})"),
    Counter: ("Counter({", "})"),
    defaultdict: ("defaultdict({", "})"),
}
_EMPTY: Final[dict[type, str]] = {
    set: "set()",
    frozenset: "frozenset()",
    OrderedDict: "OrderedDict()",
    Counter: "Counter()",
}
