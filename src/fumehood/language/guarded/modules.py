"""Modules as code sees them: views that hold the authorized public names and nothing behind them.

A view is a plain module object of the session's own. Names are copied into it when first asked for,
so that `np.dot` is a dictionary hit from then on, and writing to a view never reaches the real
module. A module found inside a module is a view too, or absent.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import operator
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from fumehood.errors import ForbiddenImport, ForbiddenName
from fumehood.grants import DANGEROUS_IMPORTS, DEFAULT_IMPORTS
from fumehood.language.guarded.check import why_not_member, why_not_module
from fumehood.language.guarded.doors import DOORS
from fumehood.policy import Policy

# C functions import these when they are called, through the __import__ of the code that calls them;
# what it returns they do not use.
_IMPORTED_BY_C = {
    "_strptime": "time.strptime and datetime.strptime",
    "_pydecimal": "decimal, for subclasses",
    "numpy": "numpy's C code, for its own Python half",
}

# Unguarded doors that a module may hold under any name.
_UNGUARDED = {
    id(value)
    for value in (
        *(
            getattr(builtins, n)
            for n in "open eval exec compile getattr setattr delattr vars globals locals input __import__ breakpoint".split()  # noqa: E501
        ),
        operator.attrgetter,
        operator.methodcaller,
        types.CodeType,
        types.FrameType,
        sys._getframe,
    )
}

_REPLACED = {module for (module, _member), door in DOORS.items() if door.verdict == "replaced"}
"""Modules of which a session has names of its own, which are made by more than copying."""

_FREE_DUNDERS = ("__doc__", "__version__", "__author__")


class Modules:
    """The modules of one session. `replace` gives the guarded version of a name that doors.py says
    is replaced."""

    def __init__(
        self,
        policy: Policy,
        replace: Callable[[str, str], Any],
        on_view: Callable[[types.ModuleType], None],
        importing: Callable[[], contextlib.AbstractContextManager[None]],
    ) -> None:
        self._policy = policy
        self._replace = replace
        self._on_view = on_view
        self._importing = importing
        self._views: dict[str, types.ModuleType] = {}
        self._unfilled: dict[str, Callable[[], None]] = {}
        """Views that have not all their names yet, by name, with what gives them these."""
        self._seen: set[str] = set()
        """Modules of which code has something."""
        self.imported: dict[str, None] = {}

    def obey(self, policy: Policy) -> None:
        self._policy = policy

    # -- what the guards call

    def import_top(self, name: str) -> types.ModuleType:
        """`import a.b.c`: loads all of it and gives `a`."""
        self._named_view(name)
        top = name.partition(".")[0]
        parts = name.split(".")
        for end in range(1, len(parts)):  # `import os.path` makes os.path readable through os
            vars(self._view(".".join(parts[:end]))).setdefault(
                parts[end], self._view(".".join(parts[: end + 1]))
            )
        return self._filled(top)

    def import_as(self, name: str) -> types.ModuleType:
        """`import a.b.c as d`."""
        self._named_view(name)
        return self._filled(name)

    def import_from(self, name: str, wanted: tuple[str, ...]) -> tuple[Any, ...]:
        """`from a.b import c, d`: all that is missing or refused is reported together."""
        view = self._named_view(name)
        found, problems = [], []
        for member in wanted:
            try:
                found.append(self._member(view, name, member))
            except ForbiddenName as error:
                problems.append(str(error))
            except AttributeError as error:
                why = self.why_missing(error)
                if why is None:
                    raise ImportError(
                        f"cannot import name {member!r} from {name!r}", name=name
                    ) from None
                problems.append(why)
        if problems:
            raise ForbiddenImport("; ".join(problems), name=name)
        return tuple(found)

    def import_star(self, name: str) -> dict[str, Any]:
        """`from a import *`."""
        self._named_view(name)
        view = self._filled(name)
        found = {}
        for member in view.__all__:
            try:
                found[member] = self._member(view, name, member)
            except AttributeError:
                continue
        return found

    def builtin_import(
        self, name: Any, globals: Any = None, locals: Any = None, fromlist: Any = (), level: Any = 0
    ) -> Any:
        """`__import__`, as code or a C function calls it."""
        if not isinstance(name, str):
            raise TypeError(f"__import__() argument 1 must be str, not {type(name).__name__}")
        name = str.__str__(name)
        if level:
            raise ForbiddenImport(
                "a cell is not part of a package: import by the full name", name=name
            )
        if type(fromlist) is list and not fromlist and self._is_imported_by_c(name):
            importlib.import_module(name)
            return types.ModuleType(name)  # empty: the C function looks the module up itself
        return self.import_as(name) if fromlist else self.import_top(name)

    def _is_imported_by_c(self, name: str) -> bool:
        """Whether a name that code itself may not import is one that a C function may be importing
        now."""
        if why_not_module(name, self._policy) is None:
            return False
        if name in sys.modules or name in _IMPORTED_BY_C:
            return True
        package, *parts = name.split(".")
        own = package in _IMPORTED_BY_C and package in self._policy.imports
        return own and bool(parts) and parts[0] in ("_core", "core") and "__main__" not in parts

    def changed(self, module: str, member: str, original: Any) -> Any:
        """What code has assigned to a module's name in its view (`sys.stdout = buffer`), or the
        original."""
        view = self._views.get(module)
        return original if view is None else vars(view).get(member, original)

    def made(self) -> Mapping[str, types.ModuleType]:
        """The views that code has got so far, by the names of their modules."""
        return self._views

    # -- views

    def _named_view(self, name: str) -> types.ModuleType:
        """The view of a module that code names; refused with a reason when it is not authorized."""
        why = why_not_module(name, self._policy)
        if why is not None:
            close = self._policy.closest(name)
            meant = f" Did you mean {close}?" if close and close != name else ""
            raise ForbiddenImport(
                f"import {name}: {why}.{meant} Authorized:"
                f" {', '.join(self._policy.authorized_imports)}",
                name=name,
            )
        view = self._view(name)
        self._see(name, sys.modules[name])
        self.imported[name] = None
        return view

    def _view(self, name: str) -> types.ModuleType:
        view = self._views.get(name)
        if view is None:
            real = sys.modules.get(name)
            if isinstance(real, types.ModuleType) and _is_loaded(real):
                view = self._new_view(name, real)
            else:
                with self._importing():
                    view = self._new_view(name, importlib.import_module(name))
        return view

    def _filled(self, name: str) -> types.ModuleType:
        """A view with all that it ever has, if that is known."""
        view = self._view(name)
        fill = self._unfilled.get(name)
        if fill is not None:
            fill()
        return view

    def _new_view(self, name: str, real: types.ModuleType) -> types.ModuleType:
        """A view without names. A standard module's is filled when code has the module itself, and
        is then as fast as that; of one that code has only names from, or that stands in another,
        most would be copied for nobody. Other modules may load their parts late, so their names are
        looked up when each is first asked for."""
        view = self._views[name] = types.ModuleType(name)  # at once: modules may hold each other
        own = vars(view)
        for dunder in _FREE_DUNDERS:
            value = getattr(real, dunder, None)
            if isinstance(value, str):
                own[dunder] = str(value)
        own["__dir__"] = lambda: sorted(self._public(name, real))

        def fill() -> None:
            """From any thread: whoever asks meanwhile finds the names that are there, or comes here
            too."""
            self._see(name, real)
            own.setdefault("__all__", self._public(name, real))
            with self._looking_into(name):
                for member in self._names_of(name, real):
                    if member not in own:
                        with contextlib.suppress(AttributeError):
                            own.setdefault(member, self._resolve(view, real, name, member))
            self._unfilled.pop(name, None)
            own.pop("__getattr__", None)  # with it, Python looks names up the slow way

        def __getattr__(member: str) -> Any:
            if name in self._unfilled:
                fill()
                return getattr(view, member)
            return self._one(view, real, name, member)

        if self._is_complete(name, real):
            self._unfilled[name] = fill
        own["__getattr__"] = __getattr__
        return view

    def _one(self, view: types.ModuleType, real: types.ModuleType, name: str, member: str) -> Any:
        """One name of a module, which its view has from then on."""
        self._see(name, real)
        with self._looking_into(name):
            value = (
                self._public_names(name, real)
                if member == "__all__"
                else self._resolve(view, real, name, member)
            )
        return vars(view).setdefault(member, value)

    def _see(self, name: str, real: types.ModuleType) -> None:
        if name not in self._seen:
            self._seen.add(name)
            self._on_view(real)

    def _public(self, name: str, real: types.ModuleType) -> list[str]:
        with self._looking_into(name):
            return self._public_names(name, real)

    def _looking_into(self, name: str) -> contextlib.AbstractContextManager[None]:
        """While names of a module are copied: one that is not a standard module may load parts of
        itself, and names that are replaced are made by more than copying."""
        is_plain = name not in _REPLACED and name.partition(".")[0] in sys.stdlib_module_names
        return contextlib.nullcontext() if is_plain else self._importing()

    def _is_complete(self, name: str, real: types.ModuleType) -> bool:
        return name.partition(".")[0] in sys.stdlib_module_names and "__getattr__" not in vars(real)

    def _names_of(self, name: str, real: types.ModuleType) -> list[str]:
        grant = self._policy.grant(name)
        if grant is not None and grant.only is not None:
            return sorted(grant.only)
        return [
            member for member in [*vars(real)] if not member.startswith("_")
        ]  # a copy: another thread may be importing a part of it

    def why_missing(self, error: BaseException) -> str | None:
        """If an AttributeError is about a name that a view leaves out: the reason."""
        if (
            type(error) is AttributeError
            and isinstance(error.obj, types.ModuleType)
            and isinstance(error.name, str)
        ):
            name = vars(error.obj).get("__name__")
            if isinstance(name, str) and self._views.get(name) is error.obj:
                try:
                    self._resolve(error.obj, importlib.import_module(name), name, error.name)
                except ForbiddenName as refusal:
                    return str(refusal)
                except AttributeError:
                    return None
        return None

    def _public_names(self, name: str, real: types.ModuleType) -> list[str]:
        listed = getattr(real, "__all__", None)
        grant = self._policy.grant(name)
        if grant is not None and grant.only is not None:
            members = sorted(grant.only)
        elif isinstance(listed, (list, tuple)):
            members = list(listed)
        else:
            members = [
                n
                for n, value in [*vars(real).items()]
                if not n.startswith("_") and not isinstance(value, types.ModuleType)
            ]
        return [
            n for n in members if hasattr(real, n) and why_not_member(name, n, self._policy) is None
        ]

    def _member(self, view: types.ModuleType, name: str, member: str) -> Any:
        """A name taken by `from name import member`; a submodule that is not loaded yet is
        loaded."""
        try:
            if name in self._unfilled and member not in vars(view):
                return self._one(view, sys.modules[name], name, member)
            return getattr(view, member)
        except ForbiddenName:
            raise
        except AttributeError:
            child = f"{name}.{member}"
            if why_not_module(child, self._policy) is None:
                try:
                    return self._view(child)
                except ModuleNotFoundError:
                    pass
            raise

    def _resolve(
        self, view: types.ModuleType, real: types.ModuleType, name: str, member: str
    ) -> Any:
        """One name of a module, looked at once."""
        if member.startswith("__") and member.endswith("__"):
            # What Python itself looks for on a module (__path__, __wrapped__ …) is simply not
            # there.
            raise AttributeError(
                f"module {name!r} has no attribute {member!r}", name=member, obj=view
            )
        why = why_not_member(name, member, self._policy)
        if why is not None:
            raise ForbiddenName(f"{name}.{member}: {why}", name=member, obj=view)
        door = DOORS.get((name, member))
        if door is not None and door.verdict == "replaced" and hasattr(real, member):
            return self._replace(name, member)
        try:
            value = vars(real)[member] if member in vars(real) else self._load(real, member)
        except AttributeError:
            # Not `raise … from error`: the original's `obj` is the real module.
            raise AttributeError(
                f"module {name!r} has no attribute {member!r}", name=member, obj=view
            ) from None
        if isinstance(value, types.ModuleType):
            return self._module_inside(view, value, name, member)
        if self._is_hidden(real, name, member, value):
            raise ForbiddenName(
                f"{name}.{member}: not one of this module's public names", name=member, obj=view
            )
        return (
            value.copy() if type(value) in (list, dict, set, bytearray) else value
        )  # the library's own must not change

    def _load(self, real: types.ModuleType, member: str) -> Any:
        """A name that a module makes when it is first asked for, which may import anything."""
        with self._importing():
            return getattr(real, member)

    def _module_inside(
        self, view: types.ModuleType, value: types.ModuleType, name: str, member: str
    ) -> types.ModuleType:
        # A part of the module, or another one under its own name (matplotlib.pyplot.cm is
        # matplotlib.cm), if that is authorized.
        for own_name in (f"{name}.{member}", vars(value).get("__name__")):
            if (
                isinstance(own_name, str)
                and sys.modules.get(own_name) is value
                and why_not_module(own_name, self._policy) is None
            ):
                return self._view(own_name)
        raise ForbiddenName(
            f"{name}.{member}: a module that is not authorized", name=member, obj=view
        )

    def _is_hidden(self, real: types.ModuleType, name: str, member: str, value: Any) -> bool:
        if name in self._policy.imports and name in DANGEROUS_IMPORTS:
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


def _is_loaded(module: types.ModuleType) -> bool:
    """Not still being imported, by another thread."""
    return not getattr(module.__spec__, "_initializing", False)
