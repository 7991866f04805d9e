"""matplotlib in a sandbox: it draws without a screen, its fonts are looked for once, and what it
shows is shown through us."""

from __future__ import annotations

import functools
import importlib
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
from typing import Any, Protocol


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
    _watch_pyplot()
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


class _PyplotWatch:
    """Stands in `sys.meta_path` and changes pyplot as soon as it is loaded, whichever backend the
    code then asks for.

    A backend of our own would be the other way; `matplotlib.use("Agg")`, which much code says,
    would switch it off.
    """

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in ("matplotlib", "matplotlib.pyplot"):
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                if name == "matplotlib":
                    _load_without_cache(load, module)
                    return
                load(module)
                _take_over(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


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


def _watch_pyplot() -> None:
    if _PyplotWatch not in sys.meta_path:
        sys.meta_path.insert(0, _PyplotWatch)
    if "matplotlib.pyplot" in sys.modules:
        _take_over(sys.modules["matplotlib.pyplot"])


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
