"""Library classes and functions stay as they were: what a cell changes on them is put back when the
cell ends, and before any tool runs.

Inline, code shares the host's classes, and `Counter.update = mine` is one plain instruction that no
check can tell from `self.update = mine`. So the classes, functions and objects of every module that
code can see are written down when the module is first seen: their variables, the lists and
dictionaries among these, and what abstract classes have registered. In a jail the process is the
code's own and this is not needed.
"""

from __future__ import annotations

import _abc  # type: ignore[import-not-found]
import contextlib
import functools
import operator
import sys
import threading
import types
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import EnumType
from functools import partial
from typing import Any

_is = operator.is_
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_class_dict = type.__dict__["__dict__"].__get__
_class_mro = type.__dict__["__mro__"].__get__

# Python and its library write these into class dictionaries themselves, when they are first asked
# for.
_KEPT_BY_PYTHON = frozenset(
    "__annotations__ __annotations_cache__ __annotate_func__ __static_attributes__ __firstlineno__"
    " __abstractmethods__"
    " __parameters__ __protocol_attrs__ __non_callable_proto_members__"
    " __callable_proto_members_only__ __dict__ __weakref__"
    # the last two are weakref.finalize's, set when anybody makes one
    " __slotnames__ _dirty _registered_with_atexit".split()
)
_FUNCTION_PARTS = (
    "__name__ __qualname__ __module__ __doc__ __code__ __defaults__ __kwdefaults__".split()
)

# Dictionaries on classes that the library fills as it is used: re.I | re.M is made when it is first
# asked for, and weakref.finalize has a list of all finalizers, the host's too. Put back, one that
# has run would run again, and close a file of the host's.
_CACHES = frozenset({"_value2member_map_", "_registry"})

# Packages whose objects are not constants: they change as the library, or a host's other threads,
# use them.
_STATEFUL = frozenset({"_weakrefset", "asyncio", "random", "threading", "weakref"})

# What code can reach before it imports anything.
_SHARED = (
    "fumehood.errors",
    "fumehood.language.guarded.access",
    "fumehood.language.guarded.builtins",
    "fumehood.language.guarded.output",
    "fumehood.language.guarded.replacements",
    "fumehood.language.guarded.session",
    "fumehood.language.run",
)

# Packages whose classes are behind the objects of others: a queue has a threading.Condition,
# typing.Counter is collections.Counter.
_BEHIND = {
    "asyncio": (
        "fumehood.language.loop",
        "threading",
        "weakref",
        "_weakrefset",
        "contextlib",
        "enum",
    ),
    "contextlib": ("_collections_abc",),
    "queue": ("threading",),
    "random": ("_random",),
    "re": ("enum",),
    "typing": ("collections", "_collections_abc", "contextlib", "re", "abc"),
    "uuid": ("enum",),
    "weakref": ("_weakrefset", "_collections_abc"),
    "collections": ("_collections_abc",),
}

# functools.total_ordering names the functions it gives to classes when it first does so. Now
# they have their names.
for _root in ("__lt__", "__le__", "__gt__", "__ge__"):
    functools.total_ordering(type("Ordered", (), {_root: lambda self, other: NotImplemented}))


@dataclass(slots=True)
class _Watched:
    """Something that code can change. `read` gives what it holds, `restore` puts back what it held
    before and gives the names of what had been changed, if code is to know of it."""

    value: Any
    read: Callable[[Any], Mapping[Any, Any]]
    restore: Callable[[Any, dict[Any, Any]], list[str]]
    before: dict[Any, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.write_down()

    def write_down(self) -> None:
        self.before = dict(self.read(self.value))

    def has_changed(self) -> bool:
        """Compares identities only: keys and values could be code's. A key that was added stands
        last, so that looking at the last one is enough."""
        now, before = self.read(self.value), self.before
        if not now or not before:
            return bool(now or before)
        return not (
            len(now) == len(before)
            and all(map(_is, now.values(), before.values()))
            and next(reversed(now)) is next(reversed(before))
        )


class Library:
    """The packages that code of any session has seen, each as it was before. One object serves the
    whole process."""

    def __init__(self) -> None:
        self._packages: set[str] = set()
        self._watched: dict[int, _Watched] = {}
        self._lock = threading.RLock()
        self._cells = 0
        self._is_importing = False

    def see(self, module: types.ModuleType) -> None:
        """Write down a module's package and those behind it, if that has not been done."""
        own = module.__name__.startswith("fumehood.")
        package = module.__name__ if own else module.__name__.partition(".")[0]
        with self._lock:
            for name in (package, *_BEHIND.get(package, ())):
                if name in sys.modules and name not in self._packages:
                    self._packages.add(name)
                    self._watch_package(name)

    def see_shared(self) -> None:
        """Write down what code can reach without importing it: the guards' functions, and the
        library classes behind what they give."""
        for name in _SHARED:
            if name in sys.modules:
                self.see(sys.modules[name])

    @contextlib.contextmanager
    def kept(self, changed: list[str]) -> Iterator[None]:
        """While a cell runs: what it changes is put back at the end, and named in `changed`."""
        with self._lock:
            if self._cells == 0:  # or the changes of another cell would pass for the host's
                self.refresh()
            self._cells += 1
        try:
            yield
        finally:
            with self._lock:
                self._cells -= 1
                changed += self.put_back()

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        """While a real module is imported for a cell: what the cell had changed is put back first,
        what the import changes stays. An import within one has nothing to put back: none of the
        cell's code runs in between."""
        with self._lock:
            if self._is_importing:
                yield
                return
            self.put_back()
            self._is_importing = True
            try:
                yield
            finally:
                self._is_importing = False
                self.refresh()

    def refresh(self) -> None:
        """Take things as they are now: what the host itself changed between two cells stays."""
        for watched in self._changed():
            watched.write_down()
            if watched.restore is _restore_class:
                self._watch_class(watched.value)

    def put_back(self) -> list[str]:
        """Undo every change; gives the names of what had been changed."""
        changed: list[str] = []
        with self._lock:
            for watched in self._changed():
                changed += watched.restore(watched.value, watched.before)
                watched.write_down()
        return changed

    def _changed(self) -> list[_Watched]:
        return [watched for watched in self._watched.values() if watched.has_changed()]

    def _watch_package(self, package: str) -> None:
        has_constants = package in sys.stdlib_module_names and package not in _STATEFUL
        for name, module in list(sys.modules.items()):
            if isinstance(module, types.ModuleType) and f"{name}.".startswith(f"{package}."):
                for value in list(vars(module).values()):
                    self._watch_member(value, has_constants)

    def _watch_member(self, value: Any, has_constants: bool) -> None:
        is_mutable = not type(value).__flags__ & _IMMUTABLE
        if isinstance(value, type):
            for cls in (*_class_mro(value), *_class_mro(type(value))):
                if id(cls) not in self._watched and not cls.__flags__ & _IMMUTABLE:
                    self._watch_class(cls)
        elif id(value) in self._watched or isinstance(value, types.ModuleType):
            return
        elif isinstance(value, types.FunctionType):
            self._watch(value, _function_parts, _restore_function)
        elif has_constants and is_mutable:
            self._watch_object(value)

    def _watch(self, value: Any, read: Any, restore: Any) -> None:
        self._watched[id(value)] = _Watched(value, read, restore)

    def _watch_class(self, cls: type) -> None:
        self._watch(cls, _class_dict, _restore_class)
        variables = _class_dict(cls)
        for name, value in variables.items():
            if type(value) in (dict, list, set) and name not in _CACHES:
                self._watch(value, _items, _restore_items)
        if isinstance(cls, EnumType):
            for member in cls._member_map_.values():
                self._watch_object(member)
        if isinstance(cls, ABCMeta) and "_abc_impl" in variables:
            key = id(variables["_abc_impl"])
            self._watched[key] = _Watched(cls, _registered, _restore_registered)

    def _watch_object(self, value: Any) -> None:
        slots = [
            member
            for base in _class_mro(type(value))
            for member in _class_dict(base).values()
            if type(member) is types.MemberDescriptorType
        ]
        self._watch(value, partial(_members, slots), partial(_restore_members, slots))


def _restore_class(cls: type, before: dict[Any, Any]) -> list[str]:
    now, changed = dict(_class_dict(cls)), []
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
    return changed


def _function_parts(function: types.FunctionType) -> dict[str, Any]:
    parts = {part: getattr(function, part) for part in _FUNCTION_PARTS}
    return {**parts, **function.__dict__} if function.__dict__ else parts


def _restore_function(function: types.FunctionType, before: dict[str, Any]) -> list[str]:
    function.__dict__.clear()
    for name, value in before.items():
        setattr(function, name, value)
    return [f"{function.__module__}.{function.__qualname__}"]


def _items(container: Any) -> dict[Any, Any]:
    return container if type(container) is dict else dict(enumerate(container))


def _restore_items(container: Any, before: dict[Any, Any]) -> list[str]:
    """Of a class. Not reported: the library changes some of these."""
    container.clear()
    if type(container) is list:
        container.extend(before.values())
    else:
        container.update(before if type(container) is dict else before.values())
    return []


def _registered(cls: ABCMeta) -> dict[int, Any]:
    return {id(ref): ref for ref in sorted(_abc._get_dump(cls)[0], key=id)}


def _restore_registered(cls: ABCMeta, before: dict[int, Any]) -> list[str]:
    """Builtin types are taken off an abstract class. Libraries register their own classes when
    they are loaded, which can be at any moment, and a class of the code's own may stay."""
    now = {key: ref() for key, ref in _registered(cls).items()}
    foreign = {
        key
        for key, kind in now.items()
        if key not in before and kind is not None and kind.__module__ == "builtins"
    }
    if not foreign:
        return []
    _abc._reset_registry(cls)
    _abc._reset_caches(cls)
    for key, kind in now.items():
        if key not in foreign and kind is not None:
            cls.register(kind)
    return [f"{cls.__module__}.{cls.__qualname__}"]


def _members(slots: list[Any], value: Any) -> dict[Any, Any]:
    """The variables of an object, in its dictionary and in its slots."""
    found = dict(_variables(value))
    for slot in slots:
        with contextlib.suppress(AttributeError):
            found[slot] = slot.__get__(value)
    return found


def _restore_members(slots: list[Any], value: Any, before: dict[Any, Any]) -> list[str]:
    variables = _variables(value)
    variables.clear()
    variables.update({name: kept for name, kept in before.items() if name not in slots})
    for slot in slots:
        if slot in before:
            slot.__set__(value, before[slot])
        else:
            with contextlib.suppress(AttributeError):
                slot.__delete__(value)
    return []


def _variables(value: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found


LIBRARY = Library()
"""The process's own."""
