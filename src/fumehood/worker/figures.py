"""matplotlib in a sandbox: it draws without a screen, its fonts are looked for once, and what it
shows is shown through us."""

from __future__ import annotations

import functools
import importlib
import json
import logging
import math
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Protocol


class Shower(Protocol):
    """Who shows figures: the displays of a cell."""

    def show_figures(self, close: bool = True) -> None: ...

    def show_figure(self, figure: Any) -> None: ...


_shower: Shower | None = None
"""Where `plt.show()` shows. A runner has one session."""
_finished: list[Any] = []
"""Managers of figures that `plt.show()` has shown. As in a script, code can still look at them and
save them; as in a notebook, what it draws next is a new figure."""
_LOOKS = ("savefig", "draw", "gci", "gca")


def show_with(shower: Shower | None) -> None:
    """From here on `plt.show()` shows there."""
    global _shower
    _shower = shower
    _finished.clear()


def figure_managers() -> list[Any]:
    if "matplotlib.pyplot" not in sys.modules:
        return []
    managers = sys.modules["matplotlib._pylab_helpers"].Gcf.get_all_fig_managers()
    return sorted(
        managers, key=lambda manager: manager.num if type(manager.num) is int else math.inf
    )


def close(manager: Any) -> None:
    sys.modules["matplotlib._pylab_helpers"].Gcf.destroy(manager)


def prepare_matplotlib(
    directory: str | None = None, *, load: bool = True, system_fonts: bool = False
) -> bool:
    """Make matplotlib draw without a screen and show through us, whenever it is imported; and, with
    `load`, import it now.

    To be called before matplotlib is imported: in the zygote, so that looking for fonts and filling
    caches happens once and every sandbox inherits it, and with `load=False` wherever it may be
    imported later. `directory` is where matplotlib may keep its list of fonts; with none, or one
    that cannot be written to, it gets a temporary one, which is removed after loading, and where
    there can be none, it does without.
    `system_fonts` keeps the fonts that are not matplotlib's own: for a jail that contains them.
    Gives whether matplotlib is loaded; if it is missing or broken, code that imports it will be
    told so by Python.
    """
    is_own = directory is None or not _is_writable(directory)
    home = _temporary_directory() if is_own else directory
    os.environ["MPLBACKEND"] = "agg"
    if home is not None:
        os.environ["MPLCONFIGDIR"] = home
    # Not by a backend of our own: `matplotlib.use("Agg")`, which much code calls, would disable it.
    change_when_loaded("matplotlib.pyplot", _take_over)
    _Hook.changes["matplotlib"] = _load_without_cache
    if not load:
        return "matplotlib.pyplot" in sys.modules
    before = set(threading.enumerate())
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
        if not system_fonts:
            _forget_system_fonts()
        _draw_once(pyplot)
    except Exception:
        return False
    finally:
        if is_own and home is not None:
            shutil.rmtree(home, ignore_errors=True)
        for thread in set(threading.enumerate()) - before:
            # The timer of the font search. A process with two threads gets no new namespaces.
            thread.join(5)
    return True


def _is_writable(directory: str) -> bool:
    try:
        Path(directory).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(directory, os.W_OK | os.X_OK)


def _temporary_directory() -> str | None:
    try:
        return tempfile.mkdtemp(prefix="matplotlib-")
    except OSError:
        return None


def _forget_system_fonts() -> None:
    """A font that is in the list and not in the jail would make matplotlib look for all fonts again
    when it is first needed."""
    manager = sys.modules["matplotlib.font_manager"].fontManager
    own = sys.modules["matplotlib"].get_data_path() + os.sep
    for name in ("ttflist", "afmlist"):
        setattr(
            manager, name, [font for font in getattr(manager, name) if font.fname.startswith(own)]
        )


def _draw_once(pyplot: Any) -> None:
    """A first drawing loads and caches what every drawing needs, on classes too, where it would
    pass for a change the code made."""
    figure, axes = pyplot.subplots()
    try:
        axes.plot([0, 1], label="a", marker="o")
        axes.set_title("a $x^2$")
        axes.legend()
        figure.savefig(BytesIO(), format="png", bbox_inches="tight")
    finally:
        pyplot.close(figure)
        _close_fonts()


def _close_fonts() -> None:
    """Forget the fonts that were opened, not where they are: a sandbox inherits no open files, and
    a font that reads from one that is not there any more draws nothing."""
    for name in ("_get_font", "get_font"):  # where matplotlib keeps them, or older versions did
        clear = getattr(
            getattr(sys.modules["matplotlib.font_manager"], name, None), "cache_clear", None
        )
        if clear is not None:
            clear()


Load = Callable[[Any], None]


class _Hook:
    """Changes modules as soon as they are loaded."""

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


def change_when_loaded(name: str, change: Callable[[Any], None]) -> None:
    """Call `change` with a module: now if it is loaded, and else when it is."""

    def load_and_change(load: Load, module: Any) -> None:
        load(module)
        change(module)

    _Hook.changes[name] = load_and_change
    if _Hook not in sys.meta_path:
        sys.meta_path.insert(0, _Hook)
    if name in sys.modules:
        change(sys.modules[name])


def _load_without_cache(load: Callable[[Any], None], matplotlib: Any) -> None:
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
        logging.getLogger(name).addFilter(_is_not_of_cache)
    tempfile.mkdtemp = mkdtemp  # type: ignore[assignment]
    try:
        load(matplotlib)
        for directory in (matplotlib.get_configdir, matplotlib.get_cachedir):  # it remembers them
            directory()
    finally:
        tempfile.mkdtemp = make


def _is_not_of_cache(record: logging.LogRecord) -> bool:
    return re.search("mkdir -p|cache", str(record.msg)) is None


def _take_over(pyplot: Any) -> None:
    pyplot.show = show
    for name in ("gca", "gcf"):
        if not hasattr(getattr(pyplot, name), "__wrapped__"):
            setattr(pyplot, name, _begins_anew(getattr(pyplot, name)))
    manager = sys.modules["matplotlib.backend_bases"].FigureManagerBase
    if manager.show is not _show_one:  # setting it again would look like a change by the code
        manager.show = _show_one


def show(*args: Any, block: Any = None, **ignored: Any) -> None:
    """Show all open figures. They are finished then, unless block=False or the interactive mode
    says that they stay."""
    block = args[0] if args else block
    if _shower is not None:
        _shower.show_figures(close=False)
        if not sys.modules["matplotlib"].is_interactive() if block is None else block:
            new = [each for each in figure_managers() if each not in _finished]
            if new:
                close_finished()
            _finished.extend(new)


def _begins_anew(current: Callable[..., Any]) -> Callable[..., Any]:
    """gca or gcf: a library that asks for the current figure is about to draw (plt.plot is one, and
    so is pandas). Code of a cell has no `__spec__`."""

    @functools.wraps(current)
    def get(*args: Any, **options: Any) -> Any:
        caller = sys._getframe(1)
        if _finished and caller.f_globals.get("__spec__") and caller.f_code.co_name not in _LOOKS:
            close_finished()
        return current(*args, **options)

    return get


def close_finished() -> None:
    while _finished:
        close(_finished.pop())


def _show_one(self: Any) -> None:
    """Show this figure."""
    if _shower is not None:
        _shower.show_figure(self.canvas.figure)


# -- charts


_MOST_POINTS = 20_000
_MOST_CELLS = 20_000


def table_json(frame: Any) -> str | None:
    """A data frame as a JSON object of its columns; None for one that is larger than anybody would
    read."""
    if len(frame) * max(1, len(frame.columns)) > _MOST_CELLS:
        return None
    columns = {str(name): [_plain(item) for item in frame[name].tolist()] for name in frame.columns}
    return json.dumps(columns, allow_nan=False)


def chart_json(figure: Any) -> str | None:
    """What a figure shows; None for one with nothing in it. Several axes make one chart of
    charts."""
    charts = [chart for chart in map(_chart, figure.axes) if chart is not None]
    if not charts:
        return None
    together = (
        charts[0]
        if len(charts) == 1
        else {"type": "superchart", "title": _suptitle(figure), "elements": charts}
    )
    return json.dumps(together, allow_nan=False)


def _suptitle(figure: Any) -> str:
    text = getattr(figure, "_suptitle", None)
    return str(text.get_text())[:1000] if text is not None else ""


def _chart(axes: Any) -> dict[str, Any] | None:
    if not axes.has_data() and not axes.patches:
        return None
    found = ((kind, read(axes)) for kind, read in _KINDS)
    kind, elements = next(
        ((kind, elements) for kind, elements in found if elements), ("unknown", [])
    )
    chart: dict[str, Any] = {"type": kind, "title": _text(axes.get_title()), "elements": elements}
    if kind not in ("pie", "unknown"):
        for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            chart |= {
                f"{name}_label": _text(axis.get_label_text()),
                f"{name}_unit": _unit(axis.get_label_text()),
            }
            if kind in ("line", "scatter"):
                chart |= {
                    f"{name}_scale": _scale(axis),
                    f"{name}_ticks": [_plain(tick) for tick in axis.get_ticklocs()[:1000]],
                    f"{name}_tick_labels": [
                        _text(label.get_text()) for label in axis.get_ticklabels()[:1000]
                    ],
                }
    return chart


# -- kinds, each with how it is recognized and read


def _wedges(axes: Any) -> list[dict[str, Any]]:
    wedges = [patch for patch in axes.patches if type(patch).__name__ == "Wedge"]
    labels = [_text(text.get_text()) for text in axes.texts]
    # With percentages there are two texts to a wedge.
    step = max(1, len(labels) // len(wedges)) if wedges else 1
    return [
        {
            "label": labels[place * step] if place * step < len(labels) else "",
            "angle": _plain(abs(wedge.theta2 - wedge.theta1)),
            "radius": _plain(wedge.r),
        }
        for place, wedge in enumerate(wedges[:_MOST_POINTS])
    ]


def _boxes(axes: Any) -> list[dict[str, Any]]:
    """Boxes with whiskers: closed lines of five points, lines up and down from their middles, and
    one across."""
    lines = [
        [(float(x), float(y)) for x, y in line.get_xydata()[:_MOST_POINTS]]
        for line in axes.lines[:1000]
    ]
    found: list[dict[str, Any]] = []
    labels = [_text(label.get_text()) for label in axes.get_xticklabels()]
    for corners in lines:
        if len(corners) != 5 or corners[0] != corners[-1]:
            continue
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        low, high = min(y for _, y in corners), max(y for _, y in corners)
        middle = (left + right) / 2
        upright = [
            line
            for line in lines
            if len(line) == 2 and all(math.isclose(x, middle) for x, _ in line)
        ]
        level = [line for line in lines if len(line) == 2 and line[0][1] == line[1][1]]
        across = [
            line[0][1]
            for line in level
            if {round(x, 9) for x, _ in line} == {round(left, 9), round(right, 9)}
        ]
        ends = [y for line in upright for _, y in line] or [low, high]
        beyond = [
            y
            for line in lines
            for x, y in line
            if math.isclose(x, middle) and not min(ends) <= y <= max(ends)
        ]
        found.append(
            {
                "label": labels[len(found)] if len(found) < len(labels) else "",
                "min": _plain(min(ends)),
                "first_quartile": _plain(low),
                "median": _plain(across[0] if across else (low + high) / 2),
                "third_quartile": _plain(high),
                "max": _plain(max(ends)),
                "outliers": [_plain(y) for y in beyond],
            }
        )
    return found


def _bars(axes: Any) -> list[dict[str, Any]]:
    ticks, sideways = _tick_labels(axes.xaxis), _tick_labels(axes.yaxis)
    found = []
    for number, group in enumerate(
        group for group in axes.containers if type(group).__name__ == "BarContainer"
    ):
        is_sideways = getattr(group, "orientation", None) == "horizontal"
        name = str(group.get_label())
        for bar in group.patches[:_MOST_POINTS]:
            middle = (
                bar.get_y() + bar.get_height() / 2
                if is_sideways
                else bar.get_x() + bar.get_width() / 2
            )
            label = (sideways if is_sideways else ticks).get(round(float(middle), 6)) or _number(
                middle
            )
            value = bar.get_width() if is_sideways else bar.get_height()
            found.append(
                {
                    "label": label,
                    "value": _plain(value),
                    "group": _text(name) if not name.startswith("_") else f"Group {number}",
                }
            )
    return found


def _tick_labels(axis: Any) -> dict[float, str]:
    labels = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
    return {round(float(place), 6): _text(label.get_text()) for place, label in labels}


def _scattered(axes: Any) -> list[dict[str, Any]]:
    groups = [group for group in axes.collections if type(group).__name__ == "PathCollection"]
    return [
        _points(group.get_label(), group.get_offsets(), number)
        for number, group in enumerate(groups)
    ]


def _lines(axes: Any) -> list[dict[str, Any]]:
    return [
        _points(line.get_label(), line.get_xydata(), number)
        for number, line in enumerate(axes.lines[:1000])
    ]


_KINDS: tuple[tuple[str, Callable[[Any], list[dict[str, Any]]]], ...] = (
    ("pie", _wedges),  # nothing else draws wedges
    ("box_and_whisker", _boxes),  # made of lines, so before them
    ("bar", _bars),
    ("scatter", _scattered),
    ("line", _lines),  # the last: lines are drawn onto charts of every kind
)


# -- values


def _points(label: Any, points: Any, number: int) -> dict[str, Any]:
    name = str(label)
    every = max(1, math.ceil(len(points) / _MOST_POINTS))
    return {
        "label": _text(name) if name and not name.startswith("_") else f"Line {number}",
        "points": [[_plain(x), _plain(y)] for x, y in points[::every]],
    }


def _plain(value: Any) -> Any:
    """A value as JSON has it. What JSON has no number for is null, and what is neither a number nor
    a text is its text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)[:1000]
    return number if math.isfinite(number) else None


def _number(value: Any) -> str:
    return f"{float(value):g}"


def _text(text: Any) -> str:
    return str(text)[:1000]


def _unit(label: Any) -> str | None:
    """What stands in brackets at the end of an axis's label: `Time (s)`, `Weight [kg]`."""
    text = str(label)[:1000].rstrip()
    for opening, closing in ("()", "[]"):
        if text.endswith(closing) and opening in text:
            return text[text.rindex(opening) + 1 : -1].strip() or None
    return None


def _scale(axis: Any) -> str:
    if type(axis.get_major_formatter()).__name__.endswith("DateFormatter"):
        return "datetime"
    if type(axis.get_major_formatter()).__name__ == "StrCategoryFormatter":
        return "categorical"
    return str(axis.get_scale())
