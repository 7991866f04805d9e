"""How variables that were sent to a sandbox are told to the model: name, type and what helps to use
them, never the whole value.

Each takes a line, or a line and an indented block. Whatever comes from the value itself is quoted
or in that block: it cannot begin a line of its own, so that no text in a table can pass for a part
of the task.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from fumehood.agent.describing.text import quoted_line
from fumehood.agent.describing.values import (
    PATIENCE,
    Patience,
    Texts,
    dataclass_fields,
    is_a,
    value_text,
)
from fumehood.wire.records import Record, RemoteObject, TupleRecord
from fumehood.wire.show import qualified_name

PER_VARIABLE: Final = 600
"""Characters that are told of one variable."""

IN_ALL: Final = 6_000
"""Characters that are told of all variables; of those that are left out, the names."""

_NAME: Final = 80
_NAMES: Final = 400
_ROWS: Final = 3
_CELL: Final = 24
_COLUMNS: Final = 8
_SAMPLE: Final = 1_000
_MEASURED: Final = 1_000_000
"""Items of an array whose least and greatest are looked for: a millisecond."""


def describe_variables(variables: Mapping[str, Any]) -> str:
    """What a model is told of variables that its code will find. Raises nothing, whatever the
    values are."""
    told: list[str] = []
    room = IN_ALL
    names = [*variables]
    seconds = 2 * PATIENCE  # for all, and no more than half of it for one
    for name in names:
        patience = Patience(before := min(PATIENCE, seconds))
        text = _variable(name, variables[name], patience)
        seconds -= before - patience.left
        if len(text) > room:
            break
        told.append(text)
        room -= len(text) + 1
    left_out = names[len(told) :]
    if left_out:
        told.append(_names(left_out))
    return "\n".join(told)


def _names(names: list[str]) -> str:
    shown = ""
    for count, name in enumerate(names):
        if len(shown) > _NAMES:
            return f"- and {len(names):,} more variables: {shown}, … {len(names) - count:,} more"
        shown += (", " if shown else "") + quoted_line(str(name), _NAME)
    return f"- and {len(names):,} more variable{'s' if len(names) > 1 else ''}: {shown}"


def _variable(name: str, value: Any, patience: Patience) -> str:
    title, *block = description(value, PER_VARIABLE - 60, patience=patience)
    first = f"- {quoted_line(str(name), _NAME)}: {title}"
    return within([first, *(f"    {line}" for line in block)], PER_VARIABLE)


def within(lines: list[str], limit: int) -> str:
    """As many of the lines as there is room for."""
    text = "\n".join(lines)
    if len(text) <= limit:
        return text
    return text[: limit - 2].rstrip() + " …"


@dataclass(frozen=True, slots=True)
class Asked:
    """How much is to be said of a value: characters, rows of a table, and seconds that it may
    take."""

    room: int
    rows: int
    patience: Patience

    @property
    def is_long(self) -> bool:
        return self.rows > _ROWS

    def text(self, value: Any, limit: int | None = None) -> str:
        return value_text(value, self.room if limit is None else limit, self.patience)

    def row(self, items: list[Any], size: int, room: int) -> str:
        """A few items, of `size` that there are."""
        return f"[{Texts(room, self.patience).several(items, size)}]"


def description(
    value: Any, room: int, rows: int = _ROWS, patience: Patience | None = None
) -> list[str]:
    """What there is to say of a value: a line that says what it is, and more lines if it is a table
    or such. All of them are fit to be shown: no line holds a newline or a control character. `rows`
    is how many rows of a table are shown."""
    asked = Asked(room, rows, Patience(PATIENCE) if patience is None else patience)
    for describe in _KINDS:
        try:
            lines = describe(value, asked)
        except Exception:  # a library's object that is broken in a way that nobody foresaw
            continue
        if lines is not None:
            return [quoted_line(line, room) for line in lines]
    return [quoted_line(f"{qualified_name(type(value))}: {asked.text(value)}", room)]


# -- kinds of values

Description = Iterable[str] | None
"""Lines, or None from a function that is not for this kind of value."""


def _scalar(value: Any, asked: Asked) -> Description:
    if value is None or type(value) in (bool, int, float, complex):
        return [f"{type(value).__name__} = {asked.text(value)}" if value is not None else "None"]
    return None


def _text(value: Any, asked: Asked) -> Description:
    kind = type(value)
    for base, unit in ((str, "character"), (bytes, "byte"), (bytearray, "byte")):
        if issubclass(kind, base):
            size = base.__len__(value)
            return [
                f"{qualified_name(kind)}, {size:,} {unit}{'' if size == 1 else 's'}:"
                f" {asked.text(value, min(asked.room - 60, 300))}"
            ]
    return None


def _container(value: Any, asked: Asked) -> Description:
    kind = type(value)
    for base in (list, tuple, set, frozenset):
        if kind is base:
            size = len(value)
            return [
                f"{kind.__name__} of {_items(size, value)}: {asked.text(value, asked.room - 80)}"
            ]
    if kind is dict:
        keys, values = _kinds_of(value), _kinds_of(value.values())
        pairs = (
            f" of {len(value):,} {'pair' if len(value) == 1 else 'pairs'}, {keys} to {values}"
            if value
            else ", empty"
        )
        return [f"dict{pairs}: {asked.text(value, asked.room - 80)}"]
    return None


def _items(size: int, value: Iterable[Any]) -> str:
    return f"{size:,} {'item' if size == 1 else 'items'}" + (
        f", {_kinds_of(value)}" if size else ""
    )


def _kinds_of(items: Iterable[Any]) -> str:
    """The types of the first many items."""
    kinds = list({type(item): None for item in islice(items, _SAMPLE)})
    names = [qualified_name(kind)[-60:] for kind in kinds[:3]]
    return " or ".join(names) + (f" or {len(kinds) - 3} other types" if len(kinds) > 3 else "")


def _array(value: Any, asked: Asked) -> Description:
    if not is_a(value, "numpy", "ndarray"):
        return None
    shape = " x ".join(f"{side:,}" for side in value.shape) or "no dimensions"
    title = f"{qualified_name(type(value))}, {quoted_line(str(value.dtype), 80)}, {shape}"
    if (
        type(value) is sys.modules["numpy"].ndarray
        and value.dtype.kind in "iuf"
        and 0 < value.size <= _MEASURED
    ):
        numpy = sys.modules["numpy"]
        least, greatest = numpy.fmin.reduce(value, axis=None), numpy.fmax.reduce(value, axis=None)
        title += f", from {least.item()} to {greatest.item()}"
    if not value.size:
        return [title]
    if value.ndim == 2 and asked.is_long:
        lines = [
            asked.row(line[:20].tolist(), value.shape[1], asked.room // 4)
            for line in value[: asked.rows]
        ]
        return [title, *lines, *_more(len(value), asked.rows, "rows")]
    head = value.flat[: 200 if asked.is_long else 20].tolist()
    return [
        f"{title}:"
        f" {asked.row(head, value.size, min(asked.room - len(title) - 20, 160 * asked.rows))}"
    ]


def _more(size: int, shown: int, what: str) -> list[str]:
    return [f"… {size - shown:,} more {what}"] if size > shown else []


def _frame(value: Any, asked: Asked) -> Description:
    if not is_a(value, "pandas", "DataFrame"):
        return None
    height, width = value.shape
    lines = [f"{qualified_name(type(value))}, {height:,} rows x {width:,} columns"]
    if width:
        lines.append(f"columns: {_columns(value, asked)}")
    if width and height:
        lines += table(
            value, asked.rows, min(width, 2 * _COLUMNS if asked.is_long else _COLUMNS), asked
        )
        lines += _more(height, asked.rows, "rows") if asked.is_long else []
    return lines


def _columns(frame: Any, asked: Asked) -> str:
    """Names and types."""
    texts = Texts(max(asked.room // 3, 60), asked.patience)

    def each() -> Iterator[str]:
        for name, dtype in zip(
            frame.columns[:100].tolist(), frame.dtypes.iloc[:100].tolist(), strict=False
        ):
            kind = f" ({quoted_line(str(dtype), 40)})"
            texts.room -= len(kind)
            yield texts.of(name) + kind

    return texts.joined(each(), frame.shape[1])


def table(frame: Any, rows: int, columns: int, asked: Asked) -> list[str]:
    """The first rows and columns of a DataFrame, in columns. Cells are cut: pandas would spell out
    all that they hold first."""
    head = frame.iloc[:rows, :columns]
    grid = [
        [
            "",
            *(_cell(name, asked) for name in head.columns.tolist()),
            *(["…"] if frame.shape[1] > columns else []),
        ]
    ]
    cells = [
        [_cell(item, asked) for item in head.iloc[:, place].tolist()] for place in range(columns)
    ]
    for number, label in enumerate(head.index.tolist()):
        grid.append(
            [
                _cell(label, asked),
                *(column[number] for column in cells),
                *(["…"] if frame.shape[1] > columns else []),
            ]
        )
    widths = [max(len(row[place]) for row in grid) for place in range(len(grid[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in grid
    ]


def _cell(value: Any, asked: Asked) -> str:
    text = value if type(value) is str and value.isprintable() else asked.text(value, _CELL)
    for kind in ("Timestamp", "Timedelta"):
        if is_a(value, "pandas", kind):
            text = str(value).removesuffix(" 00:00:00")
    return quoted_line(text, _CELL)


def _series(value: Any, asked: Asked) -> Description:
    for kind in ("Series", "Index"):
        if is_a(value, "pandas", kind):
            name = "" if value.name is None else f", named {asked.text(value.name, 40)}"
            title = (
                f"{qualified_name(type(value))}, {len(value):,} items of"
                f" {quoted_line(str(value.dtype), 80)}{name}"
            )
            if kind == "Index" or not asked.is_long:
                head = value[:20].tolist() if kind == "Index" else value.iloc[:20].tolist()
                return [
                    f"{title}:"
                    f" {asked.row(head, len(value), min(asked.room - len(title) - 10, 200))}"
                ]
            head = value.iloc[: asked.rows]
            pairs = [
                (_cell(label, asked), _cell(item, asked))
                for label, item in zip(head.index.tolist(), head.tolist(), strict=True)
            ]
            wide = max((len(label) for label, _ in pairs), default=0)
            return [
                title,
                *(f"{label.ljust(wide)}  {item}" for label, item in pairs),
                *_more(len(value), asked.rows, "items"),
            ]
    return None


def _image(value: Any, asked: Asked) -> Description:
    if not is_a(value, "PIL.Image", "Image"):
        return None
    return [
        f"{qualified_name(type(value))}, {value.mode}, {value.size[0]} x {value.size[1]} pixels"
    ]


def _callable(value: Any, asked: Asked) -> Description:
    if type(value) not in _CALLABLES:
        return None
    kind = "class" if type(value) is type else "function"
    signature = asked.patience.wait_for(lambda: bounded_signature(value))
    shown = signature if isinstance(signature, str) else "(…)"
    name = value.__name__ if type(value.__name__) is str else kind
    return [f"{kind} {name}{shown}"]


_CALLABLES: Final = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def bounded_signature(function: Callable[..., Any]) -> str:
    """The signature, with defaults and annotations that may be anything."""
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(
            default=(
                parameter.empty
                if parameter.default is parameter.empty
                else _Words(value_text(parameter.default, 40))
            ),
            annotation=(
                parameter.empty
                if parameter.annotation is parameter.empty
                else _Words(_annotation(parameter.annotation))
            ),
        )
        for parameter in islice(signature.parameters.values(), 30)
    ]
    returned = signature.return_annotation
    if returned is not signature.empty:
        returned = _Words(_annotation(returned))
    return str(signature.replace(parameters=parameters, return_annotation=returned))


def _annotation(annotation: Any) -> str:
    if type(annotation) is str:
        return annotation[:80]
    return qualified_name(annotation) if type(annotation) is type else value_text(annotation, 80)


class _Words:
    """Stands for something of which only words are to be shown."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _module(value: Any, asked: Asked) -> Description:
    return [asked.text(value).strip("<>")] if issubclass(type(value), type(sys)) else None


def _record(value: Any, asked: Asked) -> Description:
    """Dataclasses, and records of them that came out of a sandbox: a line for each field, if there
    are few."""
    if type(value) in (Record, TupleRecord):
        if value._kind in ("enum", "missing"):
            return [asked.text(value)]
        title, fields = value._type_name, [*zip(value._names, value._values, strict=False)]
    elif type(type(value)) is type and "__dataclass_fields__" in type(value).__dict__:
        title, fields = qualified_name(type(value)), [*dataclass_fields(value)]
    else:
        return None
    shown = [
        f"{name} = {asked.text(item, max(asked.room // (len(fields) + 1), 40))}"
        for name, item in fields[:12]
    ]
    return [
        f"{title}, {len(fields)} field{'' if len(fields) == 1 else 's'}",
        *shown,
        *_more(len(fields), 12, "fields"),
    ]


def _remote(value: Any, asked: Asked) -> Description:
    return (
        [f"{value.type_name}: {asked.text(value, asked.room - 40)}"]
        if type(value) is RemoteObject
        else None
    )


# The first that is for a value describes it.
_KINDS: Final[tuple[Callable[[Any, Asked], Description], ...]] = (
    _scalar,
    _text,
    _container,
    _array,
    _frame,
    _series,
    _image,
    _callable,
    _module,
    _remote,
    _record,
)
