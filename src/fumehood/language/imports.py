"""Which modules a cell may import. Statements are checked before the cell runs, calls while it
runs; libraries import what they need.

The list guides models and gives auditors a record. It is not a security boundary: code can reach
every module of the process in other ways, and the jail holds all of them.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fumehood.default_imports import CAPABILITY_IMPORTS
from fumehood.errors import ForbiddenImport
from fumehood.language.source import FILE_PREFIX, ImportStatement
from fumehood.policy import Policy
from fumehood.results import Violation

_MOST_NAMED = 10
_WORKSPACE = ("/home/user/", "/tmp/", "/labs/")
_OWN_PACKAGES = "/home/user/.packages"
"""What code installed itself."""
# Named to a model whose policy adds fewer than ten.
_OFTEN_USED = "math statistics random datetime json re collections itertools csv decimal".split()


class ImportRules:
    """The imports of one session."""

    def __init__(self, policy: Policy) -> None:
        self.imported: dict[str, None] = {}  # by the running cell
        self._is_installed = False
        self.after_import: Callable[[str], None] = lambda name: None
        """Called when a cell has imported a module."""
        self.obey(policy)

    def obey(self, policy: Policy) -> None:
        """Go on under a policy that authorizes other imports."""
        self._policy = policy
        self._known: dict[str, bool] = {}
        paths = (path for path in sys.path if path.startswith("/") and path != _OWN_PACKAGES)
        self._libraries = tuple(f"{path}/" for path in paths)

    def install(self) -> None:
        """Check what cells import by a call, from now on."""
        self._is_installed = True
        original, original_import_module = builtins.__import__, importlib.import_module

        def __import__(
            name: Any, globals: Any = None, locals: Any = None, fromlist: Any = (), level: Any = 0
        ) -> Any:
            # C functions import what they need with an empty list, in the name of their caller.
            if level or type(fromlist) is list or not _called_by_cell():
                return original(name, globals, locals, fromlist, level)
            self._check(name, fromlist or ())
            module = original(name, globals, locals, fromlist, level)
            self._see(name)
            return module

        def import_module(name: str, package: str | None = None) -> types.ModuleType:
            if not _called_by_cell():
                return original_import_module(name, package)
            self._check(name, ())
            module = original_import_module(name, package)
            self._see(name)
            return module

        builtins.__import__ = __import__
        importlib.import_module = import_module

    def violations(self, statements: Iterable[ImportStatement]) -> list[Violation]:
        """Statements that are not authorized. One inside of `try` is refused when it runs."""
        found = []
        for line, column, module, names, is_tried in statements:
            if not self._is_installed:
                self.imported[module] = None  # nothing sees it when it runs
            for refused in () if is_tried else self._refused(module, names):
                name, why = f"import {refused}", "this module is not authorized"
                found.append(Violation(line, column, "import", name, why, self._how_to(refused)))
        return sorted(found, key=lambda violation: (violation.line, violation.column))

    def advice(self, refused: str) -> str:
        """One line for a model: modules that it may use."""
        names = (self._policy.closest(refused) or "*", *self._policy.imports, *_OFTEN_USED)
        known = [name for name in dict.fromkeys(names) if name != "*" and self._is_authorized(name)]
        more = ", …" if len(self._policy.authorized_imports) > _MOST_NAMED else ""
        return f"authorized imports: {', '.join(known[:_MOST_NAMED])}{more}"

    def _how_to(self, name: str) -> str:
        top = name.partition(".")[0]
        for capability, modules in CAPABILITY_IMPORTS.items():
            if name in modules or top in modules:
                return f'allow it with {capability}=True or additional_authorized_imports=["{top}"]'
        return f'allow it with additional_authorized_imports=["{name}"]'

    def _check(self, name: Any, fromlist: Any) -> None:
        if not isinstance(name, str):
            return  # the real function says what is wrong with it
        for refused in self._refused(name, fromlist):
            raise ForbiddenImport(
                f"import {refused}: this module is not authorized ({self._how_to(refused)})\n"
                f"{self.advice(refused)}",
                name=refused,
            )

    def _see(self, name: str) -> None:
        if name not in self.imported:
            self.imported[name] = None
            self.after_import(name)

    def _refused(self, name: str, members: Sequence[str]) -> list[str]:
        """What is not authorized of `import name`, or of `from name import members`."""
        if self._is_authorized(name) or not self._is_library(name.partition(".")[0]):
            return []
        if not self._policy.is_package_of_authorized(name):
            return [name]
        # A package that is there only for its authorized parts: which of them are wanted?
        return [
            child
            for child in (f"{name}.{member}" for member in members)
            if not self._is_authorized(child) and not self._policy.is_package_of_authorized(child)
        ]

    def _is_authorized(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = name == "__main__" or self._policy.authorizes(name)
        return known

    def _is_library(self, name: str) -> bool:
        """Whether a module is the machine's, and not the code's own or nowhere."""
        try:
            spec = importlib.util.find_spec(name)
        except (ValueError, ImportError):
            return True
        if spec is None:
            return False
        origin = spec.origin or ""  # libraries may be installed below a workspace directory
        return origin.startswith(self._libraries) or not origin.startswith(_WORKSPACE)


def _called_by_cell() -> bool:
    """Whether the caller of the calling function is code of a cell, or text that it executes."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == "<string>":
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(FILE_PREFIX)
