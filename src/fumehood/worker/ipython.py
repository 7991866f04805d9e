"""What notebooks import from IPython, for cells in a sandbox.

Where IPython is installed, its own classes are used, and its `display` shows in the sandbox. Where
it is not, `IPython.display` is a module with the classes that code uses most. It is found last, so
that an installed IPython always comes first.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any


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
        self.data, self.url, self.filename = data, url, filename
        self.options = options

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.data is None:
            return {"text/plain": f"<{type(self).__name__} {self.url or ''}>"}
        return {
            self.mime: self.data,
            "text/plain": f"<IPython.display.{type(self).__name__} object>",
        }


class HTML(DisplayObject):
    mime = "text/html"


class Markdown(DisplayObject):
    mime = "text/markdown"


class Latex(DisplayObject):
    mime = "text/latex"


class Math(Latex):
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        text = str(self.data).strip("$")
        return {self.mime: f"$\\displaystyle {text}$", "text/plain": text}


class SVG(DisplayObject):
    mime = "image/svg+xml"


class Javascript(DisplayObject):
    mime = "application/javascript"


class Pretty(DisplayObject):
    pass


class JSON(DisplayObject):
    mime = "application/json"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {self.mime: self.data, "text/plain": json.dumps(self.data)}


class Image(DisplayObject):
    is_binary = True

    def __init__(self, data: Any = None, url: Any = None, filename: Any = None, **options: Any):
        if isinstance(data, (str, Path)):
            data, filename = None, data
        super().__init__(data, url, filename, **options)
        png = isinstance(self.data, bytes) and self.data.startswith(b"\x89PNG")
        self.mime = "image/png" if png else "image/jpeg"


def clear_output(wait: bool = False) -> None:
    """Do nothing: what a cell has printed stays."""


def get_ipython() -> None:
    """There is no shell of IPython here."""


_CLASSES = (DisplayObject, HTML, Markdown, Latex, Math, SVG, Javascript, Pretty, JSON, Image)


class Finder:
    """Finds `IPython` and `IPython.display` when nothing else does."""

    def __init__(self, display: Callable[..., Any]) -> None:
        parts: dict[str, Any] = {each.__name__: each for each in _CLASSES}
        parts |= {"display": display, "clear_output": clear_output}
        self._names: dict[str, dict[str, Any]] = {
            "IPython": {"get_ipython": get_ipython, "version_info": (8, 24), "__path__": []},
            "IPython.display": parts,
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in self._names else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(self._names[module.__name__])


class Shower:
    """Has modules show in the sandbox what they would show on the machine's screen: those that are
    loaded, and later ones when they are."""

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display = display
        self._names = {"IPython.core.display_functions", "PIL.Image"}
        for name in self._names & sys.modules.keys():
            self._change(sys.modules[name])

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self._names:
            return None
        self._names.remove(name)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: types.ModuleType) -> None:
                load(module)
                self._change(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def _change(self, module: Any) -> None:
        display = self._display
        if module.__name__ != "PIL.Image":
            module.display = display
            return

        def show(self: Any, title: str | None = None) -> None:
            """Show the picture as a result of the cell."""
            display(self)

        module.Image.show = show
