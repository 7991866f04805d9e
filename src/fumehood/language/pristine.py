"""Library classes and functions stay as they were: what a cell changes on them is put back when the cell ends.

Inline, code shares the host's classes, and `Counter.update = mine` is one plain instruction that no check can tell from `self.update = mine`.
So the variables of the classes and functions of every module that code can see are written down when the module is first seen, and compared
after each cell that can set attributes at all. In a jail the process is the code's own and this is not needed.
"""

from __future__ import annotations

import operator
import sys
import types
from collections.abc import Iterable
from typing import Any

_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_class_dict = type.__dict__["__dict__"].__get__
_class_mro = type.__dict__["__mro__"].__get__


class Pristine:
    """Knows how library classes and functions looked before code could reach them."""

    def __init__(self) -> None:
        self._classes: dict[type, dict[str, Any]] = {}
        self._functions: dict[types.FunctionType, dict[str, Any]] = {}
        self._packages: set[str] = set()

    def watch(self, module: types.ModuleType) -> None:
        """Write down the classes and functions of a module's whole package, with their ancestors and metaclasses."""
        package = module.__name__.partition(".")[0]
        if package in self._packages:
            return
        self._packages.add(package)
        for name, member in list(sys.modules.items()):
            if isinstance(member, types.ModuleType) and (name == package or name.startswith(package + ".") or member is module):
                self._watch_values(list(vars(member).values()))

    def watch_functions(self, values: Iterable[Any]) -> None:
        """The same for single functions, such as the guards that all sessions share."""
        self._watch_values([value for value in values if isinstance(value, types.FunctionType)])

    def _watch_values(self, values: list[Any]) -> None:
        for value in values:
            if isinstance(value, type):
                for cls in (*_class_mro(value), *_class_mro(type(value))):
                    if cls not in self._classes and not cls.__flags__ & _IMMUTABLE:
                        self._classes[cls] = dict(_class_dict(cls))
            elif isinstance(value, types.FunctionType):
                self._functions.setdefault(value, dict(value.__dict__))

    def refresh(self) -> None:
        """Take things as they are now: what the host itself changed between two cells stays."""
        for cls in self._changed_classes():
            self._classes[cls] = dict(_class_dict(cls))
        for function in self._changed_functions():
            self._functions[function] = dict(function.__dict__)

    def put_back(self) -> list[str]:
        """Undo every change; gives the names of what had been changed."""
        changed: list[str] = []
        for cls in self._changed_classes():
            changed += self._restore_class(cls, dict(_class_dict(cls)), self._classes[cls])
        for function in self._changed_functions():
            changed.append(f"{function.__module__}.{function.__qualname__}")
            function.__dict__.clear()
            function.__dict__.update(self._functions[function])
        return changed

    def _changed_classes(self) -> list[type]:
        changed = []
        for cls, before in self._classes.items():
            now = _class_dict(cls)
            if len(now) != len(before) or not all(map(operator.is_, now.values(), before.values())) or [*now] != [*before]:
                changed.append(cls)
        return changed

    def _changed_functions(self) -> list[types.FunctionType]:
        return [function for function, before in self._functions.items() if not _same(function.__dict__, before)]

    def _restore_class(self, cls: type, now: dict[str, Any], before: dict[str, Any]) -> list[str]:
        changed = []
        for name in {*now, *before}:
            if name in _KEPT_BY_PYTHON or name.startswith("_abc_"):
                continue
            if name not in before:
                type.__delattr__(cls, name)
            elif name not in now or now[name] is not before[name]:
                type.__setattr__(cls, name, before[name])
            else:
                continue
            changed.append(f"{cls.__module__}.{cls.__qualname__}.{name}")
        if not changed:
            self._classes[cls] = now  # only what Python keeps for itself is new
        return changed


# Python and its library write these into class dictionaries themselves, when they are first asked for.
_KEPT_BY_PYTHON = frozenset(
    "__annotations__ __annotations_cache__ __annotate_func__ __static_attributes__ __firstlineno__ __abstractmethods__"
    " __parameters__ __protocol_attrs__ __non_callable_proto_members__ __callable_proto_members_only__ __dict__ __weakref__".split()
)


def _same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    return left.keys() == right.keys() and all(left[name] is right[name] for name in left)
