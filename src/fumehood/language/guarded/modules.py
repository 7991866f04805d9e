"""Modules as code sees them: views that hold the authorized public names and nothing behind them.

A view is a plain module object of the session's own. A name is copied into it when code first asks
for it, and writing to a view never reaches the real module. A module found inside a module is a
view too, or absent.
"""

from __future__ import annotations

import builtins
import copy
import importlib
import operator
import sys
import types
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from fumehood.errors import ForbiddenImport, ForbiddenName
from fumehood.grants import DANGEROUS_IMPORTS, DEFAULT_IMPORTS
from fumehood.language.guarded.blocked_names import BLOCKED_NAMES
from fumehood.language.guarded.check import why_not_member, why_not_module
from fumehood.language.imports import ImportRules
from fumehood.policy import Policy

# C functions import these when they are called, through the __import__ of the code that calls them;
# what it returns they do not use.
_IMPORTED_BY_C = {
    "_strptime": "time.strptime and datetime.strptime",
    "_pydecimal": "decimal, for subclasses",
    "numpy": "numpy's C code, for its own Python half",
}

# Unguarded functions and types that a module may hold under any name.
_UNGUARDED_BUILTINS = (
    "open eval exec compile getattr setattr delattr vars globals locals input __import__ breakpoint"
)
_UNGUARDED = {
    id(value)
    for value in (
        *(getattr(builtins, name) for name in _UNGUARDED_BUILTINS.split()),
        operator.attrgetter,
        operator.methodcaller,
        types.CodeType,
        types.FrameType,
        sys._getframe,
    )
}

_COPIED = (list, dict, set, bytearray, types.SimpleNamespace)
"""Code gets a copy of such a value, and of a decimal context: the library's own must not change."""

_TEXTS = ("__doc__", "__version__", "__author__")


class Modules:
    """The modules of one session. `replace` gives the guarded version of a name that
    blocked_names.py says is replaced, `see` is called before code gets the first name of a module,
    and `importing` is the context in which library code runs for an import."""

    def __init__(
        self,
        policy: Policy,
        imports: ImportRules,
        replace: Callable[[str, str], Any],
        see: Callable[[types.ModuleType], None],
        importing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.policy = policy
        self._imports = imports
        self._replace = replace
        self._see = see
        self._importing = importing
        self._views: dict[str, types.ModuleType] = {}

    # -- what the guards call

    def import_top(self, name: str) -> types.ModuleType:
        """`import a.b.c`: loads all of it and gives `a`."""
        self.import_as(name)
        parts = name.split(".")
        for end in range(1, len(parts)):  # `import os.path` makes os.path readable through os
            vars(self._view(".".join(parts[:end]))).setdefault(
                parts[end], self._view(".".join(parts[: end + 1]))
            )
        return self._view(parts[0])

    def import_as(self, name: str) -> types.ModuleType:
        """`import a.b.c as d`. Refused with a reason when the module is not authorized."""
        why = why_not_module(name, self.policy)
        if why is not None:
            raise ForbiddenImport(f"import {name}: {why}. {self._imports.advice(name)}", name=name)
        view = self._view(name)
        self._imports.imported[name] = None
        return view

    def import_from(self, name: str, wanted: tuple[str, ...]) -> tuple[Any, ...]:
        """`from a.b import c, d`: all that is refused is reported together."""
        view = self.import_as(name)
        found, problems = [], []
        for member in wanted:
            try:
                found.append(self._member(view, name, member))
            except ForbiddenName as error:
                problems.append(str(error))
            except AttributeError:
                message = f"cannot import name {member!r} from {name!r}"
                raise ImportError(message, name=name) from None
        if problems:
            raise ForbiddenImport("; ".join(problems), name=name)
        return tuple(found)

    def import_star(self, name: str) -> dict[str, Any]:
        """`from a import *`."""
        view = self.import_as(name)
        return {member: getattr(view, member) for member in view.__all__ if hasattr(view, member)}

    def builtin_import(
        self, name: Any, globals: Any = None, locals: Any = None, fromlist: Any = (), level: Any = 0
    ) -> Any:
        """`__import__`, as code or a C function calls it."""
        if not isinstance(name, str):
            raise TypeError(f"__import__() argument 1 must be str, not {type(name).__name__}")
        name = str.__str__(name)
        if level:
            message = "a cell is not part of a package: import by the full name"
            raise ForbiddenImport(message, name=name)
        if type(fromlist) is list and not fromlist and self._is_imported_by_c(name):
            importlib.import_module(name)
            return types.ModuleType(name)  # empty: the C function looks the module up itself
        return self.import_as(name) if fromlist else self.import_top(name)

    def _is_imported_by_c(self, name: str) -> bool:
        """Whether a name that code itself may not import is one that a C function may be importing
        now."""
        if why_not_module(name, self.policy) is None:
            return False
        if name in sys.modules or name in _IMPORTED_BY_C:
            return True
        package, *parts = name.split(".")
        own = package in _IMPORTED_BY_C and package in self.policy.imports
        return own and bool(parts) and parts[0] in ("_core", "core") and "__main__" not in parts

    def changed(self, module: str, member: str, original: Any) -> Any:
        """What code has assigned to a module's name in its view (`sys.stdout = buffer`), or the
        original."""
        view = self._views.get(module)
        return original if view is None else vars(view).get(member, original)

    # -- views

    def _view(self, name: str) -> types.ModuleType:
        if name in self._views:
            return self._views[name]
        real: Any = sys.modules.get(name)
        is_loaded = isinstance(real, types.ModuleType)
        if not is_loaded or getattr(real.__spec__, "_initializing", False):  # by another thread
            with self._importing():
                real = importlib.import_module(name)
        self._see(real)
        view = self._views[name] = types.ModuleType(name)
        own = vars(view)
        own |= {
            text: str(value)
            for text in _TEXTS
            if isinstance(value := getattr(real, text, None), str)
        }
        own["__dir__"] = lambda: sorted(self._public(name, real))

        def __getattr__(member: str) -> Any:
            if member == "__all__":
                return self._public(name, real)
            return own.setdefault(member, self._resolve(view, real, name, member))

        own["__getattr__"] = __getattr__
        return view

    def _public(self, name: str, real: types.ModuleType) -> list[str]:
        listed = getattr(real, "__all__", None)
        grant = self.policy.grant(name)
        if grant is not None and grant.only is not None:
            members = sorted(grant.only)
        elif isinstance(listed, (list, tuple)):
            members = list(listed)
        else:  # of a copy: another thread may be importing a part of it
            members = [
                member
                for member, value in [*vars(real).items()]
                if not member.startswith("_") and not isinstance(value, types.ModuleType)
            ]
        return [
            member
            for member in members
            if hasattr(real, member) and why_not_member(name, member, self.policy) is None
        ]

    def _member(self, view: types.ModuleType, name: str, member: str) -> Any:
        """A name taken by `from name import member`; a submodule that is not loaded yet is
        loaded."""
        try:
            return getattr(view, member)
        except ForbiddenName:
            raise
        except AttributeError:
            child = f"{name}.{member}"
            if why_not_module(child, self.policy) is None:
                try:
                    return self._view(child)
                except ModuleNotFoundError:
                    pass
            raise

    def _resolve(
        self, view: types.ModuleType, real: types.ModuleType, name: str, member: str
    ) -> Any:
        """One name of a module, looked at once."""

        def refusal(why: str) -> ForbiddenName:
            return ForbiddenName(f"{name}.{member}: {why}", name=member, obj=view)

        # The original's error has the real module as its `obj`.
        missing = AttributeError(
            f"module {name!r} has no attribute {member!r}", name=member, obj=view
        )
        if member.startswith("__") and member.endswith("__"):
            raise missing  # what Python itself looks for on a module (__path__, __wrapped__ …)
        why = why_not_member(name, member, self.policy)
        if why is not None:
            raise refusal(why)
        if member in vars(real):
            value = vars(real)[member]
        else:
            with self._importing():  # a module may load its parts late
                value = getattr(real, member, missing)
            if value is missing:
                raise missing
        row = BLOCKED_NAMES.get((name, member))
        if row is not None and row.verdict == "replaced":
            with self._importing():
                return self._replace(name, member)
        if isinstance(value, types.ModuleType):
            # A part of the module, or another one under its own name (matplotlib.pyplot.cm is
            # matplotlib.cm).
            for own_name in (f"{name}.{member}", vars(value).get("__name__")):
                if (
                    isinstance(own_name, str)
                    and sys.modules.get(own_name) is value
                    and why_not_module(own_name, self.policy) is None
                ):
                    return self._view(own_name)
            raise refusal("a module that is not authorized")
        if self._is_hidden(real, name, member, value):
            raise refusal("not one of this module's public names")
        is_context = type(value).__module__ == "decimal" and type(value).__name__ == "Context"
        return copy.copy(value) if type(value) in _COPIED or is_context else value

    def _is_hidden(self, real: types.ModuleType, name: str, member: str, value: Any) -> bool:
        if name in self.policy.imports and name in DANGEROUS_IMPORTS:
            return False  # authorized by name, and warned about
        if id(value) in _UNGUARDED:
            return True
        # A standard module's list of public names is complete; what else stands in it was imported
        # for its own use.
        listed = getattr(real, "__all__", None)
        row = DEFAULT_IMPORTS.get(name)
        return (
            name.partition(".")[0] in sys.stdlib_module_names
            and listed is not None
            and member not in listed
            and not (row and row.only)
        )
