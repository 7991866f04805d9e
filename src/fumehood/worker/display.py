"""Rich results: what a value looks like, as MIME types with their data, and pyplot's figures shown
as they would be in a notebook.

A bundle is made inside the sandbox by methods that the code may have written. Each of them may
raise, give the wrong type or far too much; it then costs its own format and nothing else. The
runner limits the time (`Limits.display_seconds` at the end of a cell): `CellStopped` is the one
exception that passes through here. The host trusts nothing in a bundle; the checks are here to keep
honest code's results usable.

Pyplot's figures are shown by `plt.show()`, by `fig.show()`, by `display(fig)` and, those still
open, at the end of the cell; a figure that has not changed since it was last shown is not shown
again.
"""

from __future__ import annotations

import ast
import base64
import functools
import importlib
import itertools
import json
import math
import re
import sys
import types
import warnings
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from io import BytesIO
from pathlib import Path
from typing import Any

from fumehood.errors import CellStopped
from fumehood.language.magics import parsed
from fumehood.wire import messages
from fumehood.wire.show import bounded_repr, clean_text, safe_str, type_name
from fumehood.worker import figures

MAX_BUNDLE_BYTES = 16 * 1024 * 1024
_MAX_TEXT = 20_000
_MAX_FORMATS = 32
_MAX_WARNINGS = 5
_MAX_PIXELS = 4_000_000  # about what a screen shows, and more than a model looks at
_MAX_ROWS, _MAX_COLUMNS = 200, 50

Bundle = dict[str, str | bytes]

# The methods by which an object offers formats, with the format of each. Looked for on its type
# only.
METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
)

# What the data of a format must be; the first row whose pattern fits holds.
_KINDS = (
    (re.compile(r"text/.*|image/svg\+xml|application/(javascript|xml|x-latex)"), "text", "a str"),
    (re.compile(r"application/(.*\+)?json"), "json", "what JSON can say, or a str that holds JSON"),
    (
        re.compile(r"(image|audio|video)/.*|application/pdf"),
        "binary",
        "bytes, or a str that holds base64, which notebooks use too",
    ),
    (re.compile(r".*"), "any", "a format we do not know: str or bytes, as it is"),
)
_MIME_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,40}/[a-z0-9][a-z0-9.+-]{0,80}")

PLAIN = frozenset(
    {
        type(None),
        bool,
        int,
        float,
        complex,
        str,
        bytes,
        bytearray,
        list,
        tuple,
        set,
        frozenset,
        dict,
        range,
        slice,
    }
)

_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__


# -- one value


def mime_bundle(value: Any, max_bytes: int = MAX_BUNDLE_BYTES) -> Bundle:
    """Every format a value offers, `text/plain` always among them. Raises nothing but
    `CellStopped`.

    All the data together is at most about `max_bytes`; what was left out for that, or because its
    method raised, is named in the text.
    """
    return _look_at(value, max_bytes).finished()


def last_value_bundle(value: Any, max_bytes: int = MAX_BUNDLE_BYTES) -> Bundle | None:
    """The bundle of a cell's value; None if it would say no more than the value's repr does, as for
    a number, a list or an array."""
    if type(value) in PLAIN:
        return None
    formats = _look_at(value, max_bytes)
    return formats.finished() if len(formats.data) > 1 or formats.notes else None


def _look_at(value: Any, max_bytes: int) -> _Formats:
    formats = _Formats(max_bytes)
    formats.keep_text(bounded_repr(value, min(_MAX_TEXT, max_bytes)))
    if type(value) in PLAIN:
        return formats
    for module, name, mime, make in _LIBRARY_FORMS:
        if _is_a(value, module, name):
            with warnings.catch_warnings(record=True) as caught, _Attempt(formats, mime):
                formats.keep(mime, make(value))
            # Said here, they stand by the picture they are about; printed, they would name a line
            # of this file.
            said = dict.fromkeys(
                safe_str(warning.message, 300)
                for warning in caught[:100]
                if isinstance(warning.message, Warning)
            )
            formats.notes += [f"{mime}: {text}" for text in list(said)[:_MAX_WARNINGS]]
            return formats
    with _Attempt(formats, "_repr_mimebundle_"):
        method = _offered(value, "_repr_mimebundle_")
        if method is not None:
            formats.keep_all(_without_metadata(method(include=None, exclude=None)))
    for name, mime in METHODS:
        with _Attempt(formats, mime):
            method = None if mime in formats.data else _offered(value, name)
            if method is not None:
                formats.keep(mime, _without_metadata(method()))  # None: not for this value
    return formats


def _is_a(value: Any, module: str, name: str) -> bool:
    """isinstance for a class of a library that may not be loaded; asks neither the value nor its
    metaclass."""
    cls = getattr(sys.modules.get(module), "__dict__", {}).get(name)
    return cls is not None and any(base is cls for base in _mro(type(value)))


def _offered(value: Any, name: str) -> Any:
    """The method a value's type has under this name, bound to it. Not what its instance or
    `__getattr__` says: a proxy or a mock answers to any name. A class is no instance of itself, so
    a class whose instances have the method is not asked."""
    for cls in _mro(type(value)):
        namespace = _namespace(cls)
        if name in namespace:
            found = namespace[name]
            bind = getattr(type(found), "__get__", None)
            return found if bind is None else bind(found, value, type(value))
    return None


def _without_metadata(result: Any) -> Any:
    """A method may give (data, metadata); nobody here uses the second."""
    return (
        result[0]
        if type(result) is tuple and len(result) == 2 and type(result[1]) is dict
        else result
    )


class _Attempt:
    """What is done in this context may raise anything: it costs the format."""

    def __init__(self, formats: _Formats, what: str) -> None:
        self._formats = formats
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        if kind is None or error is None or issubclass(kind, CellStopped):  # not error.__class__
            return False
        if kind is _TooLarge:
            self._formats.notes.append(f"{self._what} left out: {error}")
        elif kind is not NotImplementedError:  # the usual way to say "not this one"
            self._formats.notes.append(
                f"{self._what} left out: {type_name(error)[:100]}: {safe_str(error, 300)}"
            )
        return True


def _try(ask: Callable[[], Any], otherwise: Any) -> Any:
    try:
        return ask()
    except CellStopped:
        raise
    except BaseException:
        return otherwise


class _TooLarge(Exception):
    def __init__(self, room: int) -> None:
        super().__init__(f"larger than the {room:,} bytes there is room for")


class _Formats:
    """The formats of one bundle: each of the right type, made of exact builtin types, and all of
    them within the room there is."""

    def __init__(self, max_bytes: int) -> None:
        self.data: Bundle = {}
        self.notes: list[str] = []
        self._text = ""
        self._max_text = min(_MAX_TEXT, max_bytes)
        self._room = max_bytes

    def keep_all(self, formats: Any) -> None:
        """Keep what is usable of a dict of formats; anything but a dict is not."""
        if not isinstance(formats, dict):
            return
        for mime, data in list(itertools.islice(dict.items(formats), _MAX_FORMATS)):
            if isinstance(mime, str):
                name = str.__str__(mime)[:200].strip().lower()
                if _MIME_TYPE.fullmatch(name):
                    with _Attempt(self, name):
                        self.keep(name, data)

    def keep(self, mime: str, data: Any) -> None:
        """Keep one format. Data of the wrong type is dropped; what is too large raises."""
        if data is None or mime == "text/plain":
            if isinstance(data, str):
                self.keep_text(data)
            return
        kind = next(kind for pattern, kind, _ in _KINDS if pattern.fullmatch(mime))
        checked = _CHECKS[kind](data, self._room)
        if checked is None:
            return
        size = len(checked if isinstance(checked, bytes) else checked.encode())
        if size > self._room:
            raise _TooLarge(self._room)
        self._room -= size
        self.data[mime] = checked

    def keep_text(self, text: str) -> None:
        text = clean_text(str.__str__(text)[: self._max_text + 1])
        self.data["text/plain"] = self._text = (
            text if len(text) <= self._max_text else text[: max(self._max_text - 1, 0)] + "…"
        )

    def finished(self) -> Bundle:
        if self.notes:
            notes = "\n".join(f"[{note}]" for note in self.notes)
            self.data["text/plain"] = "\n".join(filter(None, (self._text, clean_text(notes))))
        return self.data


def _checked_text(data: Any, room: int) -> str | None:
    if not isinstance(data, str):
        return None
    if str.__len__(data) > room:
        raise _TooLarge(room)
    return clean_text(str.__str__(data))


def _checked_binary(data: Any, room: int) -> bytes | None:
    if isinstance(data, bytes):
        if bytes.__len__(data) > room:
            raise _TooLarge(room)
        return bytes.__getitem__(data, slice(None)) or None  # a subclass loses its own ways
    if isinstance(data, str):
        if str.__len__(data) > room * 2:  # base64, with its line ends, takes 1.4 times as much
            raise _TooLarge(room)
        try:
            return base64.b64decode("".join(str.__str__(data).split()), validate=True) or None
        except ValueError:
            return None
    return None


def _checked_json(data: Any, room: int) -> str | None:
    if isinstance(data, str):
        text = _checked_text(data, room)
        try:
            json.loads(text or "")
        except (ValueError, RecursionError):
            return None
        return text
    parts: list[str] = []
    size = 0
    try:
        # In parts: a list that holds another one twice, and so on fifty times, is small here and
        # has 10^15 characters of JSON.
        for part in json.JSONEncoder(allow_nan=False).iterencode(data):
            parts.append(part)
            size += len(part)
            if size > room:
                raise _TooLarge(room)
    except (TypeError, ValueError, RecursionError):
        return None
    return "".join(parts)


def _checked_any(data: Any, room: int) -> str | bytes | None:
    return _checked_text(data, room) if isinstance(data, str) else _checked_binary(data, room)


_CHECKS: dict[str, Callable[[Any, int], str | bytes | None]] = {
    "text": _checked_text,
    "json": _checked_json,
    "binary": _checked_binary,
    "any": _checked_any,
}


# -- libraries' values


def _frame_html(frame: Any) -> str | None:
    """A table with as many rows and columns as pandas itself would show, and never more than ours.
    Its options are read, not changed."""
    get_option = sys.modules["pandas"].get_option
    if get_option("display.notebook_repr_html") is False:
        return None
    if not _is_a(frame, "pandas", "DataFrame"):
        frame = frame.to_frame()
    rows, columns = (
        _at_most(_MAX_ROWS, get_option("display.max_rows")),
        _at_most(_MAX_COLUMNS, get_option("display.max_columns")),
    )
    if len(frame) > rows:
        rows = _at_most(rows, get_option("display.min_rows"))
    html: str = frame.to_html(
        max_rows=rows,
        max_cols=columns,
        show_dimensions=len(frame) > rows or len(frame.columns) > columns,
    )
    return html


def _at_most(most: int, wanted: Any) -> int:
    # None is no limit, 0 the terminal's.
    return min(most, wanted) if isinstance(wanted, int) and wanted > 0 else most


_PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
_NEAREST_PNG_MODE = {"PA": "RGBA", "La": "LA", "RGBa": "RGBA", "F": "L", "I": "I;16"}


def _image_png(image: Any) -> bytes:
    """A PIL image, made smaller if it is a large one."""
    if image.width * image.height > _MAX_PIXELS:
        scale = math.sqrt(_MAX_PIXELS / (image.width * image.height))
        image = image.resize(
            (max(1, int(image.width * scale)), max(1, int(image.height * scale))), reducing_gap=2.0
        )
    if image.mode not in _PNG_MODES:
        image = image.convert(_NEAREST_PNG_MODE.get(image.mode, "RGB"))
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _figure_png(figure: Any) -> bytes | None:
    """A figure at its own resolution or, if it is a large one, at as much as there are pixels. An
    empty one has no picture."""
    if not _has_content(figure):
        return None
    width, height = map(float, figure.get_size_inches())
    # One piece of text far outside the axes makes a "tight" picture of any size. A canvas of one
    # pixel is enough to measure on.
    measuring = importlib.import_module("matplotlib.backends.backend_agg").RendererAgg(
        1, 1, figure.dpi
    )
    box = figure.get_tightbbox(measuring)
    is_near = box.width <= 2 * width + 2 and box.height <= 2 * height + 2
    area = max(width * height, box.width * box.height if is_near else 0)
    dpi = min(float(figure.dpi), math.sqrt(_MAX_PIXELS / area))
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, bbox_inches="tight" if is_near else None)
    return buffer.getvalue()


def _has_content(figure: Any) -> bool:
    return len(figure.get_children()) > 1  # the first is its background


# Classes of libraries whose own methods give too much, too little or nothing.
_LIBRARY_FORMS: tuple[tuple[str, str, str, Callable[[Any], str | bytes | None]], ...] = (
    ("matplotlib.figure", "Figure", "image/png", _figure_png),  # has no method for it
    ("PIL.Image", "Image", "image/png", _image_png),  # gives PNG and JPEG of the full size
    (
        "pandas",
        "DataFrame",
        "text/html",
        _frame_html,
    ),  # gives all rows if the code has lifted the limit for printing
    ("pandas", "Series", "text/html", _frame_html),  # has no method for it
)

# What a notebook shows besides: for whoever draws it anew.
_NUMBERS: tuple[tuple[str, str, str, Callable[[Any], str | None]], ...] = (
    ("matplotlib.figure", "Figure", messages.CHART, figures.chart_json),
    ("pandas", "DataFrame", messages.TABLE, figures.table_json),
)


# -- the displays of a cell


class Displays:
    """What a cell shows. `display` is the function that code gets: a plain one, so that it leads
    nowhere."""

    def __init__(
        self, send: Callable[[Bundle], None], limit: int, max_bytes: int = MAX_BUNDLE_BYTES
    ) -> None:
        self._send = send
        self._limit = limit
        self._max_bytes = max_bytes
        self._numbers = itertools.count(1)  # next() is one step, whatever threads the code has
        self.is_used = False
        """Whether the cell has shown anything."""
        self.surplus = 0
        """How many displays were left out."""
        self._shown: list[Any] = []
        self.for_notebook = False
        self.display = self._make_display()

    def new_cell(self) -> None:
        """Count from zero. From here on `plt.show()` shows here."""
        figures.show_with(self)
        self._numbers, self.surplus, self.is_used = itertools.count(1), 0, False
        self._shown.clear()

    def end_cell(self, value: Any = None) -> Bundle | None:
        """Show the figures still open and close them. Gives what there is to show of the cell's
        value, unless it was shown already."""
        try:
            _try(figures.close_finished, None)
            self.show_figures()
            return None if self.is_shown(value) else last_value_bundle(value, self._max_bytes)
        finally:
            self._shown.clear()

    def is_shown(self, figure: Any) -> bool:
        """Whether it is a figure that this cell has shown."""
        return any(other is figure for other in self._shown)

    def bundle(self, value: Any) -> Bundle:
        """Every format of a value; in a notebook, with the numbers that it shows. A figure counts
        as shown from here on."""
        formats = _look_at(value, self._max_bytes)
        for module, name, mime, make in _NUMBERS if self.for_notebook else ():
            if _is_a(value, module, name):
                _try(lambda mime=mime, make=make: formats.keep(mime, make(value)), None)  # type: ignore[misc]
        if _is_a(value, "matplotlib.figure", "Figure"):
            self._remember(value)
        return formats.finished()

    @property
    def note(self) -> str:
        """What the cell is told about displays that were left out."""
        return f"[{self.surplus:,} more displays left out: a cell may show {self._limit:,}]"

    def show_figures(self, close: bool = True) -> None:
        """Show pyplot's open figures in the order of their numbers, and close them, whatever
        happens."""
        try:
            for manager in _try(figures.figure_managers, []):
                self.show_figure(_try(lambda manager=manager: manager.canvas.figure, None))  # type: ignore[misc]
        finally:
            if close:
                self.close_figures()

    def close_figures(self) -> None:
        for manager in _try(figures.figure_managers, []):
            _try(lambda manager=manager: figures.close(manager), None)  # type: ignore[misc]

    def show_figure(self, figure: Any) -> None:
        """Show a figure unless it is empty or was shown as it is now."""
        was_shown = self.is_shown(figure)
        if _try(lambda: _has_content(figure) and not (was_shown and figure.stale is False), False):
            self._show(lambda: self.bundle(figure))
            self._remember(figure)

    def _show(self, make: Callable[[], Bundle]) -> None:
        number, self.is_used = next(self._numbers), True
        self.surplus = max(0, number - self._limit)
        if number <= self._limit:
            self._send(make())

    def _remember(self, figure: Any) -> None:
        _try(lambda: setattr(figure, "stale", False), None)  # a change of the figure sets it again
        self.is_used = True
        self._shown = [*(other for other in self._shown if other is not figure), figure]

    def _make_display(self) -> Callable[..., None]:
        def display(*objs: Any, raw: bool = False, **ignored: Any) -> None:
            """Show objects. With raw=True each is a dict of MIME types and their data."""
            for obj in objs:
                if raw and not isinstance(obj, dict):
                    takes = "display(raw=True) takes dicts of MIME types and data"
                    raise TypeError(f"{takes}, not {type_name(obj)}")
                self._show(lambda obj=obj: self._raw_bundle(obj) if raw else self.bundle(obj))  # type: ignore[misc]
                if not raw and _is_a(obj, "matplotlib.figure", "Figure"):
                    self._remember(obj)

        return display

    def _raw_bundle(self, formats: dict[Any, Any]) -> Bundle:
        kept = _Formats(self._max_bytes)
        kept.keep_all(formats)
        return kept.finished() or mime_bundle(formats, self._max_bytes)


# -- IPython and PIL


class DisplayObject:
    """Data with a MIME type, from a value, a file or a URL; a URL is shown as text."""

    mime = "text/plain"
    is_binary = False

    def __init__(
        self, data: Any = None, url: str | None = None, filename: Any = None, **options: Any
    ) -> None:
        if filename is not None:
            path = Path(filename)
            data = path.read_bytes() if self.is_binary else path.read_text(encoding="utf-8")
        self.data, self.url, self.filename, self.options = data, url, filename, options

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.data is None:
            return {"text/plain": f"<{type(self).__name__} {self.url or ''}>"}
        text = f"<IPython.display.{type(self).__name__} object>"
        return {"text/plain": text, self.mime: self.data}


class Math(DisplayObject):
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        text = str(self.data).strip("$")
        return {"text/latex": f"$\\displaystyle {text}$", "text/plain": text}


class Image(DisplayObject):
    is_binary = True

    def __init__(self, data: Any = None, url: Any = None, filename: Any = None, **options: Any):
        if isinstance(data, (str, Path)):
            data, filename = None, data
        super().__init__(data, url, filename, **options)
        png = isinstance(self.data, bytes) and self.data.startswith(b"\x89PNG")
        self.mime = "image/png" if png else "image/jpeg"


_SIMPLE = {
    "HTML": "text/html",
    "Markdown": "text/markdown",
    "Latex": "text/latex",
    "SVG": "image/svg+xml",
    "Javascript": "application/javascript",
    "JSON": "application/json",
    "Pretty": "text/plain",
}
_CLASSES = (
    *(type(name, (DisplayObject,), {"mime": mime}) for name, mime in _SIMPLE.items()),
    *(DisplayObject, Math, Image),
)


class IPythonFinder:
    """Provides `IPython.display` with the classes that notebooks use most, where IPython is not
    installed. It belongs at the end of `sys.meta_path`, so that an installed IPython comes first.
    """

    def __init__(self, display: Callable[..., Any]) -> None:
        names: dict[str, Any] = {each.__name__: each for each in _CLASSES}
        names |= {"display": display, "clear_output": lambda wait=False: None}
        self._names: dict[str, dict[str, Any]] = {
            "IPython": {
                "get_ipython": lambda: None,
                "version_info": (8, 24),
                "__path__": [],
            },
            "IPython.display": names,
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in self._names else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(self._names[module.__name__])


def show_through(display: Callable[..., Any]) -> None:
    """Make an installed IPython and PIL show in the sandbox what they would show on a screen."""

    def change_ipython(module: Any) -> None:
        module.display = display

    def change_pil(module: Any) -> None:
        def show(self: Any, title: str | None = None) -> None:
            """Show the picture as a result of the cell."""
            display(self)

        module.Image.show = show

    figures.change_when_loaded("IPython.core.display_functions", change_ipython)
    figures.change_when_loaded("PIL.Image", change_pil)


# -- cells of notebooks


_LINE_END = re.compile(r"\r\n|\r|\n")
_REMEMBERED_CHARACTERS = 20_000
MOST_CHARACTERS = 16 << 20
"""Of an exception's message. Some who run code in notebooks have it raise what they want of it."""


def shows_value(code: str) -> bool:
    """Whether a cell's last statement is an expression, and no semicolon behind it asks to be
    spared of its value."""
    return _remembered(code) if len(code) <= _REMEMBERED_CHARACTERS else _shows_value(code)


def _shows_value(code: str) -> bool:
    try:
        body = parsed(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return False
    line = _LINE_END.split(code)[last.end_lineno - 1]
    return not line.encode()[last.end_col_offset :].lstrip().startswith(b";")


_remembered = functools.lru_cache(maxsize=32)(_shows_value)
"""The same text often runs again."""


def show(displays: Displays, value: Any, send: Callable[[Bundle, bool], None]) -> None:
    """Show a cell's value, and then the figures that are still open: in that order a notebook shows
    them."""
    if value is not None and not displays.is_shown(value):
        send(displays.bundle(value), True)
    displays.end_cell()
