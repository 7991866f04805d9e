"""Rich results: what a value looks like, as MIME types with their data; matplotlib's figures, shown
as in a notebook; and the numbers behind charts and tables.

Methods that the code may have written make a bundle inside the sandbox. Each of them may raise,
return the wrong type or far too much; it then costs its own format and nothing else. The runner
limits the time (`Limits.display_seconds` at the end of a cell): `CellStopped` is the only exception
that passes through here. The host trusts nothing in a bundle; the checks keep honest code's results
usable.

Figures are shown by `plt.show()`, `fig.show()` and `display(fig)`. Those still open are shown at
the end of the cell. A figure that has not changed since it was last shown is not shown again.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import functools
import importlib
import itertools
import json
import logging
import math
import os
import re
import shutil
import sys
import tempfile
import textwrap
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from fumehood.errors import CellStopped
from fumehood.language.source import as_python
from fumehood.wire import messages
from fumehood.wire.show import bounded_repr, clean_text, safe_str, type_name

MAX_BUNDLE_BYTES = 16 * 1024 * 1024
_MAX_TEXT = 20_000
_MAX_FORMATS = 32
_MAX_WARNINGS = 5
_MAX_PIXELS = 4_000_000  # about what a screen shows, and more than a model looks at
_MAX_ROWS, _MAX_COLUMNS = 200, 50

Bundle = dict[str, str | bytes]

# The methods by which an object offers formats. Only its type is searched for them.
METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
)
_MIME_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,40}/[a-z0-9][a-z0-9.+-]{0,80}")
_TEXT = re.compile(r"text/.*|image/svg\+xml|application/(javascript|xml|x-latex)")
_JSON = re.compile(r"application/(.*\+)?json")
_BINARY = re.compile(r"(image|audio|video)/.*|application/pdf")

_SCALARS = (type(None), bool, int, float, complex, str, bytes, bytearray, range, slice)
PLAIN = frozenset((*_SCALARS, list, tuple, set, frozenset, dict))
"""Types whose values look like their repr."""

_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__


# -- one value


def mime_bundle(value: Any, max_bytes: int = MAX_BUNDLE_BYTES) -> Bundle:
    """Every format a value offers, always with `text/plain`. Raises nothing but `CellStopped`.

    All the data together is at most about `max_bytes`. The text names formats that were left out
    for that, or because their method raised.
    """
    return _formats_of(value, max_bytes).finished()


def last_value_bundle(value: Any, max_bytes: int = MAX_BUNDLE_BYTES) -> Bundle | None:
    """The bundle of a cell's value; None if it would say no more than the value's repr does."""
    if type(value) in PLAIN:
        return None
    formats = _formats_of(value, max_bytes)
    return formats.finished() if len(formats.data) > 1 or formats.notes else None


def _formats_of(value: Any, max_bytes: int) -> _Formats:
    formats = _Formats(max_bytes)
    formats.keep_text(bounded_repr(value, min(_MAX_TEXT, max_bytes)))
    if type(value) in PLAIN:
        return formats
    for module, name, mime, make in _LIBRARY_FORMS:
        if _is_a(value, module, name):
            with warnings.catch_warnings(record=True) as caught, formats.attempt(mime):
                formats.keep(mime, make(value))
            # Printed, they would name a line of this file.
            texts = (
                safe_str(warning.message, 300)
                for warning in caught[:100]
                if isinstance(warning.message, Warning)
            )
            formats.notes += [f"{mime}: {text}" for text in [*dict.fromkeys(texts)][:_MAX_WARNINGS]]
            return formats
    with formats.attempt("_repr_mimebundle_"):
        method = _offered(value, "_repr_mimebundle_")
        if method is not None:
            formats.keep_all(_without_metadata(method(include=None, exclude=None)))
    for name, mime in METHODS:
        with formats.attempt(mime):
            method = None if mime in formats.data else _offered(value, name)
            if method is not None:
                formats.keep(mime, _without_metadata(method()))  # None: not for this value
    return formats


def _is_a(value: Any, module: str, name: str) -> bool:
    """isinstance for a class of a library that may not be loaded. Calls neither the value nor its
    metaclass."""
    cls = getattr(sys.modules.get(module), "__dict__", {}).get(name)
    return cls is not None and any(base is cls for base in _mro(type(value)))


def _offered(value: Any, name: str) -> Any:
    """The method a value's type has under this name, bound to it. Its instance and `__getattr__`
    are not asked: a proxy or a mock answers to any name."""
    for cls in _mro(type(value)):
        namespace = _namespace(cls)
        if name in namespace:
            found = namespace[name]
            bind = getattr(type(found), "__get__", None)
            return found if bind is None else bind(found, value, type(value))
    return None


def _without_metadata(result: Any) -> Any:
    """A method may return (data, metadata)."""
    is_pair = type(result) is tuple and len(result) == 2 and type(result[1]) is dict
    return result[0] if is_pair else result


@contextlib.contextmanager
def _attempt(on_error: Callable[[BaseException], None] = lambda _: None) -> Iterator[None]:
    """Suppress everything that the code raises, but not what stops the cell."""
    try:
        yield
    except BaseException as error:
        if issubclass(type(error), CellStopped):  # isinstance asks error.__class__, which may lie
            raise
        on_error(error)


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

    def attempt(self, what: str) -> contextlib.AbstractContextManager[None]:
        """What is done in this context may raise anything: it costs the format."""

        def note(error: BaseException) -> None:
            if type(error) is _TooLarge:
                self.notes.append(f"{what} left out: {error}")
            elif type(error) is not NotImplementedError:  # the usual way to say "not this one"
                kind, text = type_name(error)[:100], safe_str(error, 300)
                self.notes.append(f"{what} left out: {kind}: {text}")

        return _attempt(note)

    def keep_all(self, formats: Any) -> None:
        """Keep what is usable of a dict of formats; anything but a dict is not."""
        if not isinstance(formats, dict):
            return
        for mime, data in list(itertools.islice(dict.items(formats), _MAX_FORMATS)):
            if isinstance(mime, str):
                name = str.__str__(mime)[:200].strip().lower()
                if _MIME_TYPE.fullmatch(name):
                    with self.attempt(name):
                        self.keep(name, data)

    def keep(self, mime: str, data: Any) -> None:
        """Keep one format. Data of the wrong type is dropped; what is too large raises."""
        if data is None or mime == "text/plain":
            if isinstance(data, str):
                self.keep_text(data)
            return
        checked: str | bytes | None
        if _JSON.fullmatch(mime):
            checked = self._json(data)
        elif _BINARY.fullmatch(mime) and not _TEXT.fullmatch(mime):
            checked = self._decoded(data) if isinstance(data, str) else self._exact(data, bytes)
        else:
            checked = self._exact(data, str)
            if checked is None and not _TEXT.fullmatch(mime):  # a format we do not know
                checked = self._exact(data, bytes)
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

    def _exact(self, data: Any, kind: Any) -> Any:
        """Text or bytes as an exact str or bytes; None if it is neither or empty bytes."""
        if not isinstance(data, kind):
            return None
        if kind.__len__(data) > self._room:
            raise _TooLarge(self._room)
        exact = kind.__getitem__(data, slice(None))
        return clean_text(exact) if isinstance(exact, str) else exact or None

    def _decoded(self, data: str) -> bytes | None:
        """Notebooks write binary data as base64."""
        if str.__len__(data) > self._room * 2:  # with its line ends it takes 1.4 times as much
            raise _TooLarge(self._room)
        try:
            return base64.b64decode("".join(str.__str__(data).split()), validate=True) or None
        except ValueError:
            return None

    def _json(self, data: Any) -> str | None:
        """A value as JSON, or a str that holds JSON."""
        parts: list[str] = []
        size = 0
        try:
            if isinstance(data, str):
                text: str = self._exact(data, str)
                json.loads(text)
                return text
            # In parts: a list that holds another one twice, and so on fifty times, is small here
            # and has 10^15 characters of JSON.
            for part in json.JSONEncoder(allow_nan=False).iterencode(data):
                parts.append(part)
                size += len(part)
                if size > self._room:
                    raise _TooLarge(self._room)
        except (TypeError, ValueError, RecursionError):
            return None
        return "".join(parts)


# -- libraries' values


def _frame_html(frame: Any) -> str | None:
    """A table as pandas itself shows it, with never more rows and columns than ours."""
    pandas = sys.modules["pandas"]
    options: list[Any] = []
    for name, most in (("display.max_rows", _MAX_ROWS), ("display.max_columns", _MAX_COLUMNS)):
        wanted = pandas.get_option(name)  # None is no limit, 0 the terminal's
        options += [name, min(most, wanted or most)]
    if not _is_a(frame, "pandas", "DataFrame"):
        frame = frame.to_frame()
    with pandas.option_context(*options):
        html: str | None = frame._repr_html_()
    return html


_PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
_NEAREST_PNG_MODE = {"PA": "RGBA", "La": "LA", "RGBa": "RGBA", "F": "L", "I": "I;16"}


def _image_png(image: Any) -> bytes:
    """A PIL image, made smaller if it is a large one."""
    if image.width * image.height > _MAX_PIXELS:
        scale = math.sqrt(_MAX_PIXELS / (image.width * image.height))
        size = max(1, int(image.width * scale)), max(1, int(image.height * scale))
        image = image.resize(size, reducing_gap=2.0)
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
    agg = importlib.import_module("matplotlib.backends.backend_agg")
    box = figure.get_tightbbox(agg.RendererAgg(1, 1, figure.dpi))
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
    ("matplotlib.figure", "Figure", "image/png", _figure_png),
    ("PIL.Image", "Image", "image/png", _image_png),
    ("pandas", "DataFrame", "text/html", _frame_html),
    ("pandas", "Series", "text/html", _frame_html),
)


# -- the displays of a cell


class Displays:
    """What a cell shows. `display` is the function that code gets: a plain one, so that it leads
    nowhere."""

    def __init__(self, send: Callable[..., None], limit: int) -> None:
        """`send` is called with each bundle, and with True if that is of a notebook's value."""
        self._send, self._limit = send, limit
        self._numbers = itertools.count(1)  # next() is one step, whatever threads the code has
        self.is_used = False
        """Whether the cell has shown anything."""
        self.surplus = 0
        """How many displays were left out."""
        self._shown: list[Any] = []
        """The figures that the cell has shown."""
        self.for_notebook = False
        self.has_shown_value = False
        """Whether the notebook's last value was shown."""

        def display(*objs: Any, raw: bool = False, **ignored: Any) -> None:
            """Show objects. With raw=True each is a dict of MIME types and their data."""
            for obj in objs:
                if raw and not isinstance(obj, dict):
                    takes = "display(raw=True) takes dicts of MIME types and data"
                    raise TypeError(f"{takes}, not {type_name(obj)}")
                self._show(obj, raw=raw)

        self.display = display

    def new_cell(self) -> None:
        """Count from zero. From here on `plt.show()` shows here."""
        show_with(self)
        self._numbers, self.surplus, self.is_used = itertools.count(1), 0, False
        self._shown.clear()

    def end_cell(self, value: Any = None) -> None:
        """Show the figures still open and close them; then the cell's value, if there is more to
        show than its repr, and it was not shown already."""
        try:
            with _attempt():
                _close_finished()
            self.show_figures()
            bundle = None if self._is_shown(value) else last_value_bundle(value)
        finally:
            self._shown.clear()
        if bundle is not None:
            self._send(bundle)

    def end_notebook_cell(self, value: Any) -> None:
        """Show a cell's value, and then the figures that are still open, as a notebook does."""
        self.has_shown_value = value is None or self._is_shown(value)
        if not self.has_shown_value:
            bundle = self._bundle(value)
            self.has_shown_value = True
            self._send(bundle, True)
            self._remember(value)
        self.end_cell()

    def _is_shown(self, figure: Any) -> bool:
        return any(other is figure for other in self._shown)

    @property
    def note(self) -> str:
        """What the cell prints about displays that were left out."""
        return f"[{self.surplus:,} more displays left out: a cell may show {self._limit:,}]"

    def show_figures(self, close: bool = True) -> None:
        """Show pyplot's open figures in the order of their numbers, and close them, whatever
        happens."""
        try:
            for manager in _figure_managers():
                self.show_figure(manager)
        finally:
            if close:
                self.close_figures()

    def close_figures(self) -> None:
        for manager in _figure_managers():
            with _attempt():
                _close(manager)

    def show_figure(self, manager: Any) -> None:
        """Show the figure of a manager unless it is empty or was shown as it is now."""
        is_new = False
        with _attempt():
            figure = manager.canvas.figure
            was_shown = self._is_shown(figure) and figure.stale is False
            is_new = _has_content(figure) and not was_shown
        if is_new:
            self._show(figure)

    def _show(self, value: Any, *, raw: bool = False) -> None:
        number, self.is_used = next(self._numbers), True
        self.surplus = max(0, number - self._limit)
        if number <= self._limit:
            self._send(_raw_bundle(value) if raw else self._bundle(value))
        self._remember(value)

    def _bundle(self, value: Any) -> Bundle:
        """Every format of a value; in a notebook, with the numbers that it shows."""
        formats = _formats_of(value, MAX_BUNDLE_BYTES)
        if self.for_notebook:
            with _attempt():
                if _is_a(value, "matplotlib.figure", "Figure"):
                    formats.keep(messages.CHART, chart_json(value))
                elif _is_a(value, "pandas", "DataFrame"):
                    formats.keep(messages.TABLE, table_json(value))
        return formats.finished()

    def _remember(self, value: Any) -> None:
        if _is_a(value, "matplotlib.figure", "Figure"):
            with _attempt():
                value.stale = False  # a change of the figure sets it again
            self.is_used = True
            self._shown = [*(other for other in self._shown if other is not value), value]


def _raw_bundle(formats: dict[Any, Any]) -> Bundle:
    kept = _Formats(MAX_BUNDLE_BYTES)
    kept.keep_all(formats)
    return kept.finished() or mime_bundle(formats)


@functools.lru_cache(maxsize=8)
def shows_value(code: str) -> bool:
    """Whether a notebook shows the value of a cell: its last statement is an expression, and no
    semicolon follows."""
    try:
        body = as_python(code, ast.parse).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return False
    line = re.split(r"\r\n|\r|\n", textwrap.dedent(code))[last.end_lineno - 1]
    return not line.encode()[last.end_col_offset :].lstrip().startswith(b";")


# -- changing libraries when they are imported

Load = Callable[[Any], None]


class _Hook:
    """Changes modules when they are imported."""

    changes: ClassVar[dict[str, Callable[[Load, Any], None]]] = {}
    """By name: called with what loads a module, and the module."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        change = cls.changes.get(name)
        spec = None if change is None else PathFinder.find_spec(name, path)
        if change is not None and spec is not None and spec.loader is not None:
            load = spec.loader.exec_module
            spec.loader.exec_module = lambda module: change(load, module)  # type: ignore[method-assign]
        return spec


def _change_when_loaded(name: str, change: Callable[[Any], None]) -> None:
    """Call `change` with a module: now if it is loaded, and else when it is."""

    def load_and_change(load: Load, module: Any) -> None:
        load(module)
        change(module)

    _Hook.changes[name] = load_and_change
    if _Hook not in sys.meta_path:
        sys.meta_path.insert(0, _Hook)
    if name in sys.modules:
        change(sys.modules[name])


def show_through(display: Callable[..., Any]) -> None:
    """Make IPython and PIL show in the sandbox what they would show on a screen."""

    def change_ipython(module: Any) -> None:
        module.display = display

    def change_pil(module: Any) -> None:
        module.Image.show = lambda self, title=None: display(self)

    _change_when_loaded("IPython.core.display_functions", change_ipython)
    _change_when_loaded("PIL.Image", change_pil)
    sys.meta_path.append(IPythonFinder(display))


class DisplayObject:
    """Data with a MIME type, from a value, a file or a URL; a URL is shown as text."""

    mime = "text/plain"
    is_binary = False

    def __init__(
        self, data: Any = None, url: str | None = None, filename: Any = None, **options: Any
    ) -> None:
        if self.is_binary and isinstance(data, (str, Path)):
            data, filename = None, data
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

    @property
    def mime(self) -> str:  # type: ignore[override]
        is_png = isinstance(self.data, bytes) and self.data.startswith(b"\x89PNG")
        return "image/png" if is_png else "image/jpeg"


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
        package = {"get_ipython": lambda: None, "version_info": (8, 24), "__path__": []}
        self._names = {"IPython": package, "IPython.display": names}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in self._names else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(self._names[module.__name__])


# -- matplotlib

_shower: Displays | None = None
"""Where `plt.show()` shows. A runner has one session."""
_finished: list[Any] = []
"""Managers of figures that `plt.show()` has shown. As in a script, code can still look at them and
save them; as in a notebook, what it draws next is a new figure."""
_LOOKS = ("savefig", "draw", "gci", "gca")


def show_with(shower: Displays | None) -> None:
    """From here on `plt.show()` shows there."""
    global _shower
    _shower = shower
    _finished.clear()


def _figure_managers() -> list[Any]:
    if "matplotlib.pyplot" not in sys.modules:
        return []
    with _attempt():
        managers = sys.modules["matplotlib._pylab_helpers"].Gcf.get_all_fig_managers()
        return sorted(managers, key=lambda each: each.num if type(each.num) is int else math.inf)
    return []


def _close(manager: Any) -> None:
    sys.modules["matplotlib._pylab_helpers"].Gcf.destroy(manager)


def prepare_matplotlib() -> None:
    """Make matplotlib draw without a screen and show through us, whenever it is imported."""
    os.environ["MPLBACKEND"] = "agg"
    # Not by a backend of our own: `matplotlib.use("Agg")`, which much code calls, would disable it.
    _change_when_loaded("matplotlib.pyplot", _take_over)
    _Hook.changes["matplotlib"] = _load_without_cache


def load_matplotlib() -> None:
    """Import matplotlib in the zygote, so that it looks for fonts and fills caches once for every
    sandbox. If it is missing or broken, code that imports it sees the error."""
    prepare_matplotlib()
    before = {*threading.enumerate()}
    with contextlib.suppress(OSError):
        os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="matplotlib-")
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
        # A font that is in the list and not in the jail would make matplotlib look for all fonts
        # again when it is first needed.
        fonts, own = sys.modules["matplotlib.font_manager"], sys.modules["matplotlib"]
        for name in ("ttflist", "afmlist"):
            listed = getattr(fonts.fontManager, name)
            kept = [each for each in listed if each.fname.startswith(own.get_data_path() + os.sep)]
            setattr(fonts.fontManager, name, kept)
        _draw_once(pyplot)
        # A sandbox inherits no open files, and a font that reads from one draws nothing.
        getattr(fonts, "_get_font", fonts.get_font).cache_clear()
    except Exception:
        return
    finally:
        shutil.rmtree(os.environ.pop("MPLCONFIGDIR", ""), ignore_errors=True)
        for thread in {*threading.enumerate()} - before:
            # The timer of the font search. A process with two threads gets no new namespaces.
            thread.join(5)


def _draw_once(pyplot: Any) -> None:
    """A first drawing loads and caches what every drawing needs, on classes too, where it would
    look like a change that the code made."""
    figure, axes = pyplot.subplots()
    try:
        axes.plot([0, 1], label="a", marker="o")
        axes.set_title("a $x^2$")
        axes.legend()
        figure.savefig(BytesIO(), format="png", bbox_inches="tight")
    finally:
        pyplot.close(figure)


def _load_without_cache(load: Load, matplotlib: Any) -> None:
    """matplotlib refuses to be imported if it cannot make a directory for its cache. If there is no
    writable directory, give it one that exists, and drop its warnings that it cannot write there.
    """
    make = tempfile.mkdtemp

    def mkdtemp(*args: Any, **options: Any) -> str:
        try:
            return str(make(*args, **options))
        except OSError:
            return os.devnull

    for name in ("matplotlib", "matplotlib.font_manager"):
        logging.getLogger(name).addFilter(
            lambda record: re.search("mkdir -p|cache", str(record.msg)) is None
        )
    tempfile.mkdtemp = mkdtemp  # type: ignore[assignment]
    try:
        load(matplotlib)
        for directory in (matplotlib.get_configdir, matplotlib.get_cachedir):  # it remembers them
            directory()
    finally:
        tempfile.mkdtemp = make


def _take_over(pyplot: Any) -> None:
    pyplot.show = _show_all
    for name in ("gca", "gcf"):
        if not hasattr(getattr(pyplot, name), "__wrapped__"):
            setattr(pyplot, name, _begins_anew(getattr(pyplot, name)))
    manager = sys.modules["matplotlib.backend_bases"].FigureManagerBase
    if manager.show is not _show_one:  # setting it again would look like a change by the code
        manager.show = _show_one


def _show_all(*args: Any, block: Any = None, **ignored: Any) -> None:
    """Show all open figures. They are finished then, unless block=False or the interactive mode
    says that they stay."""
    block = args[0] if args else block
    if _shower is not None:
        _shower.show_figures(close=False)
        if not sys.modules["matplotlib"].is_interactive() if block is None else block:
            new = [each for each in _figure_managers() if each not in _finished]
            if new:
                _close_finished()
            _finished.extend(new)


def _begins_anew(current: Callable[..., Any]) -> Callable[..., Any]:
    """gca or gcf: a library that calls it is about to draw (plt.plot is one, and so is pandas).
    Code of a cell has no `__spec__`."""

    @functools.wraps(current)
    def get(*args: Any, **options: Any) -> Any:
        caller = sys._getframe(1)
        if _finished and caller.f_globals.get("__spec__") and caller.f_code.co_name not in _LOOKS:
            _close_finished()
        return current(*args, **options)

    return get


def _close_finished() -> None:
    while _finished:
        _close(_finished.pop())


def _show_one(self: Any) -> None:
    """Show this figure."""
    if _shower is not None:
        _shower.show_figure(self)


# -- the numbers of charts and tables

_MOST_POINTS = 20_000
_MOST_CELLS = 20_000

Element = dict[str, Any]


def table_json(frame: Any) -> str | None:
    """A data frame as a JSON object of its columns; None for a large one."""
    if len(frame) * max(1, len(frame.columns)) > _MOST_CELLS:
        return None
    columns = {str(name): [_plain(item) for item in frame[name].tolist()] for name in frame.columns}
    return json.dumps(columns, allow_nan=False)


def chart_json(figure: Any) -> str | None:
    """What a figure shows; None for one with nothing in it. Several axes make one chart of
    charts."""
    charts = [_chart(axes) for axes in figure.axes if axes.has_data() or axes.patches]
    if not charts:
        return None
    title = getattr(figure, "_suptitle", None)
    text = "" if title is None else _text(title)
    whole = {"type": "superchart", "title": text, "elements": charts}
    return json.dumps(charts[0] if len(charts) == 1 else whole, allow_nan=False)


def _chart(axes: Any) -> Element:
    kind, elements = "unknown", []
    # Only pies have wedges; boxes are made of lines; lines are drawn onto charts of every kind.
    for name, read in (
        ("pie", _wedges),
        ("box_and_whisker", _boxes),
        ("bar", _bars),
        ("scatter", lambda axes: _points(_of_type(axes.collections, "PathCollection"))),
        ("line", lambda axes: _points(axes.lines[:1000])),
    ):
        if elements := read(axes):
            kind = name
            break
    chart: Element = {"type": kind, "title": str(axes.get_title())[:1000], "elements": elements}
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)) if elements and kind != "pie" else ():
        label = str(axis.get_label_text())[:1000]
        unit = re.search(r".*(?:\((.*)\)|\[(.*)\])\s*$", label)  # `Time (s)`, `Weight [kg]`
        chart[f"{name}_label"] = label
        chart[f"{name}_unit"] = (unit[1] or unit[2] or "").strip() or None if unit else None
        if kind in ("line", "scatter"):
            formatter = type(axis.get_major_formatter()).__name__
            categorical = "categorical" if formatter == "StrCategoryFormatter" else axis.get_scale()
            is_date = formatter.endswith("DateFormatter")
            chart[f"{name}_scale"] = "datetime" if is_date else str(categorical)
            chart[f"{name}_ticks"] = [_plain(tick) for tick in axis.get_ticklocs()[:1000]]
            chart[f"{name}_tick_labels"] = [*map(_text, axis.get_ticklabels()[:1000])]
    return chart


def _wedges(axes: Any) -> list[Element]:
    wedges = _of_type(axes.patches, "Wedge")[:_MOST_POINTS]
    # With percentages there are two texts to a wedge.
    labels = axes.texts[:: max(1, len(axes.texts) // max(1, len(wedges)))]
    return [
        {
            "label": "" if label is None else _text(label),
            "angle": _plain(abs(wedge.theta2 - wedge.theta1)),
            "radius": _plain(wedge.r),
        }
        for wedge, label in zip(wedges, itertools.chain(labels, itertools.repeat(None)))  # noqa: B905
    ]


def _boxes(axes: Any) -> list[Element]:
    """Each box is a closed line of five points. Its whiskers, caps, median and outliers follow it
    in the list of lines."""
    found: list[Element] = []
    labels = [*map(_text, axes.get_xticklabels())]
    ends: list[float] = []
    for line in axes.lines[:1000]:
        xs, ys = ([_plain(number) or 0.0 for number in each] for each in line.get_data())
        if len(ys) == 5 and (xs[0], ys[0]) == (xs[4], ys[4]):
            low, high, ends = min(ys), max(ys), []
            box: Element = {
                "label": labels[len(found)] if len(found) < len(labels) else "",
                "min": low,
                "first_quartile": low,
                "median": (low + high) / 2,
                "third_quartile": high,
                "max": high,
                "outliers": [],
            }
            width = max(xs) - min(xs)
            found.append(box)
        elif found and len(ys) == 2 and xs[0] == xs[1] and line.get_linestyle() != "None":
            ends += ys
            box["min"], box["max"] = min(ends), max(ends)
        elif found and len(ys) == 2 and ys[0] == ys[1] and math.isclose(abs(xs[1] - xs[0]), width):
            box["median"] = ys[0]
        elif found and line.get_linestyle() == "None":
            box["outliers"] += ys[:_MOST_POINTS]
    return found


def _bars(axes: Any) -> list[Element]:
    found = []
    for number, group in enumerate(_of_type(axes.containers, "BarContainer")):
        is_sideways = getattr(group, "orientation", None) == "horizontal"
        axis = axes.yaxis if is_sideways else axes.xaxis
        ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
        labels = {round(float(place), 6): _text(label) for place, label in ticks}
        for bar in group.patches[:_MOST_POINTS]:
            x, y, width, height = bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()
            middle = float(y + height / 2 if is_sideways else x + width / 2)
            found.append(
                {
                    "label": labels.get(round(middle, 6)) or f"{middle:g}",
                    "value": _plain(width if is_sideways else height),
                    "group": _label(group, f"Group {number}"),
                }
            )
    return found


def _points(artists: list[Any]) -> list[Element]:
    found = []
    for number, artist in enumerate(artists):
        points = artist.get_xydata() if hasattr(artist, "get_xydata") else artist.get_offsets()
        every = max(1, math.ceil(len(points) / _MOST_POINTS))
        pairs = [[_plain(x), _plain(y)] for x, y in points[::every]]
        found.append({"label": _label(artist, f"Line {number}"), "points": pairs})
    return found


def _of_type(artists: Any, name: str) -> list[Any]:
    return [artist for artist in artists if type(artist).__name__ == name]


def _label(artist: Any, otherwise: str) -> str:
    name = str(artist.get_label())[:1000]
    return otherwise if not name or name.startswith("_") else name


def _plain(value: Any) -> Any:
    """A value as JSON has it: null for a number that JSON does not have, text for other types."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)[:1000]
    return number if math.isfinite(number) else None


def _text(label: Any) -> str:
    return str(label.get_text())[:1000]
