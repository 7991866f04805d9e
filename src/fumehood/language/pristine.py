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
from collections.abc import Container, Iterator
from enum import EnumType
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
    "__name__",
    "__qualname__",
    "__module__",
    "__doc__",
    "__code__",
    "__defaults__",
    "__kwdefaults__",
)

# Dictionaries on classes that the library fills as it is used: re.I | re.M is made when it is first
# asked for, and weakref.finalize has a list of all finalizers, the host's too. Put back, one that
# has run would run again, and close somebody else's file.
_CACHES = frozenset({"_value2member_map_", "_registry"})

# Packages whose objects are not constants: they change as the library, or a host's other threads,
# use them.
_STATEFUL = frozenset({"_weakrefset", "asyncio", "random", "threading", "weakref"})

# What code can reach before it imports anything.
_SHARED = (
    "fumehood.errors",
    "fumehood.language.access",
    "fumehood.language.builtins",
    "fumehood.language.output",
    "fumehood.language.replacements.functions",
    "fumehood.language.replacements.runtime",
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
    "dataclasses": ("fumehood.language.replacements.records",),
}

# functools.total_ordering names the functions it gives to classes when it first does so, whoever
# asks it to. Now they have their names.
for _root in ("__lt__", "__le__", "__gt__", "__ge__"):
    functools.total_ordering(type("Ordered", (), {_root: lambda self, other: NotImplemented}))


class Library:
    """The packages that code has seen, each as it was. One object serves the whole process; a
    session names the packages it has seen."""

    def __init__(self) -> None:
        self._packages: dict[str, Pristine] = {}
        self._lock = threading.RLock()
        self._cells = 0
        self._is_importing = False

    def see(self, module: types.ModuleType) -> set[str]:
        """Write down a module's package and those behind it, if that has not been done; gives their
        names."""
        own = module.__name__.startswith("fumehood.")
        package = module.__name__ if own else module.__name__.partition(".")[0]
        names = {name for name in (package, *_BEHIND.get(package, ())) if name in sys.modules}
        with self._lock:
            for name in names - self._packages.keys():
                self._packages[name] = Pristine(name, self._packages)
        return names

    def see_shared(self) -> set[str]:
        """What code can reach without importing it: the guards' functions, and the library classes
        behind what they give."""
        return set().union(
            *(self.see(sys.modules[name]) for name in _SHARED if name in sys.modules)
        )

    @contextlib.contextmanager
    def kept(self, seen: set[str], changed: list[str]) -> Iterator[None]:
        """While a cell runs: what it changes is put back at the end, and named in `changed`. `seen`
        may grow meanwhile."""
        with self._lock:
            if (
                self._cells == 0
            ):  # never while another cell runs, whose changes would pass for the host's
                for name in seen:
                    self._packages[name].refresh()
            self._cells += 1
        try:
            yield
        finally:
            with self._lock:
                self._cells -= 1
                changed += self.put_back(seen)

    @contextlib.contextmanager
    def importing(self, seen: set[str]) -> Iterator[None]:
        """While a real module is imported for a cell: what the cell had changed is put back first,
        what the import changes stays. An import within one has nothing to put back: none of the
        cell's code runs in between."""
        with self._lock:
            if self._is_importing:
                yield
                return
            self.put_back(seen)
            self._is_importing = True
            try:
                yield
            finally:
                self._is_importing = False
                for name in seen:
                    self._packages[name].refresh()

    def put_back(self, seen: set[str]) -> list[str]:
        """Undo every change in the packages seen; gives the names of what had been changed."""
        with self._lock:
            return [name for package in sorted(seen) for name in self._packages[package].put_back()]


class Pristine:
    """How the classes, functions and objects of one package looked before code could reach them."""

    def __init__(self, package: str, seen: Container[str]) -> None:
        """`seen` are the packages that code has seen, this one and those that come later."""
        self._seen = seen
        self._classes: dict[type, dict[str, Any]] = {}
        self._functions: dict[types.FunctionType, tuple[dict[str, Any], tuple[Any, ...]]] = {}
        self._containers: dict[int, tuple[Any, Any]] = {}
        self._registries: dict[ABCMeta, frozenset[Any]] = {}
        self._objects: dict[int, _Object] = {}
        self._has_constants = package in sys.stdlib_module_names and package not in _STATEFUL
        for name, module in list(sys.modules.items()):
            if isinstance(module, types.ModuleType) and (
                name == package or name.startswith(package + ".")
            ):
                self._watch_values(list(vars(module).values()))

    # -- writing down

    def _watch_values(self, values: list[Any]) -> None:
        for value in values:
            if isinstance(value, type):
                for cls in (*_class_mro(value), *_class_mro(type(value))):
                    if cls not in self._classes and not cls.__flags__ & _IMMUTABLE:
                        self._write_down(cls)
            elif isinstance(value, types.FunctionType):
                self._functions.setdefault(value, (dict(value.__dict__), _parts(value)))
            elif (
                self._has_constants
                and not type(value).__flags__ & _IMMUTABLE
                and not isinstance(value, types.ModuleType)
            ):
                self._objects.setdefault(id(value), _Object(value))

    def _write_down(self, cls: type) -> None:
        now = self._classes[cls] = dict(_class_dict(cls))
        for name, value in now.items():
            if type(value) in (dict, list, set) and name not in _CACHES:
                self._containers[id(value)] = (value, value.copy())
        if isinstance(cls, EnumType):
            for value in cls._member_map_.values():
                self._objects[id(value)] = _Object(value)
        if isinstance(cls, ABCMeta) and "_abc_impl" in now:
            self._registries[cls] = _registered(cls)

    def refresh(self) -> None:
        """Take things as they are now: what the host itself changed between two cells stays."""
        for cls in self._changed_classes():
            self._write_down(cls)
        for function in self._changed_functions():
            self._functions[function] = (dict(function.__dict__), _parts(function))
        for value, _ in self._changed_containers():
            self._containers[id(value)] = (value, value.copy())
        for cls in self._registries:
            self._registries[cls] = _registered(cls)
        for watched in self._changed_objects():
            watched.write_down()

    # -- putting back

    def put_back(self) -> list[str]:
        """Undo every change; gives the names of what had been changed."""
        changed: list[str] = []
        for (
            value,
            before,
        ) in self._changed_containers():  # not named: the library changes some of these itself
            value.clear()
            value.extend(before) if type(value) is list else value.update(before)
        for cls in self._changed_classes():
            changed += self._restore_class(cls, dict(_class_dict(cls)), self._classes[cls])
        for function in self._changed_functions():
            changed.append(f"{function.__module__}.{function.__qualname__}")
            attributes, parts = self._functions[function]
            for name, value in zip(_FUNCTION_PARTS, parts, strict=True):
                setattr(function, name, value)
            function.__dict__.clear()
            function.__dict__.update(attributes)
        for cls in self._registries:
            changed += self._restore_registry(cls)
        for watched in self._changed_objects():
            watched.put_back()
        return changed

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

    def _restore_registry(self, cls: ABCMeta) -> list[str]:
        """Undo `cls.register(str)`. A class of the code's own may stay registered, and so may those
        of libraries that register themselves when they are loaded, which can be at any moment:
        sqlite3 does, and pandas loads that when it is first needed."""
        now = _registered(cls)
        foreign = [ref for ref in now - self._registries[cls] if self._is_foreign(ref())]
        if not foreign:
            return []
        _abc._reset_registry(cls)
        _abc._reset_caches(cls)
        for ref in now.difference(foreign):
            kept = ref()
            if kept is not None:
                cls.register(kept)
        return [f"{cls.__module__}.{cls.__qualname__}"]

    def _is_foreign(self, cls: Any) -> bool:
        """Whether code could have registered it: it is of the standard library, and of a part that
        code can reach."""
        package = "" if cls is None else str(cls.__module__).partition(".")[0]
        if package not in sys.stdlib_module_names or not (
            cls in self._classes or cls.__flags__ & _IMMUTABLE
        ):
            return False
        return package == "builtins" or package.startswith("_") or package in self._seen

    # -- comparing

    def _changed_classes(self) -> list[type]:
        changed = []
        for cls, before in self._classes.items():
            if not _same(_class_dict(cls), before):
                changed.append(cls)
        return changed

    def _changed_functions(self) -> list[types.FunctionType]:
        plain = [
            function for function, (attributes, _) in self._functions.items() if not attributes
        ]
        if not any(map(_attributes, plain)) and [*map(_parts, self._functions)] == [
            parts for _, parts in self._functions.values()
        ]:
            candidates = [
                function for function, (attributes, _) in self._functions.items() if attributes
            ]
        else:
            candidates = list(self._functions)
        return [
            function
            for function in candidates
            if not _same(function.__dict__, self._functions[function][0])
            or not all(map(_is, _parts(function), self._functions[function][1]))
        ]

    def _changed_containers(self) -> Iterator[tuple[Any, Any]]:
        for value, before in list(self._containers.values()):
            if type(value) is dict:
                same = _same(value, before)
            elif type(value) is list:
                same = len(value) == len(before) and all(map(_is, value, before))
            else:
                same = {*map(id, value)} == {*map(id, before)}
            if not same:
                yield value, before

    def _changed_objects(self) -> list[_Object]:
        return [watched for watched in self._objects.values() if watched.has_changed()]


class _Object:
    """A single object of the library's and its variables: those in its dictionary and those in its
    slots."""

    __slots__ = ("before", "members", "slots", "value", "variables")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.slots = [
            m
            for base in _class_mro(type(value))
            for m in _class_dict(base).values()
            if type(m) is types.MemberDescriptorType
        ]
        try:
            self.variables: dict[str, Any] = object.__getattribute__(value, "__dict__")
        except AttributeError:
            self.variables = {}
        self.write_down()

    def write_down(self) -> None:
        self.before = dict(self.variables)
        self.members = self._read_slots()

    def has_changed(self) -> bool:
        if not _same(self.variables, self.before):
            return True
        return bool(self.slots) and not all(map(_is, self._read_slots(), self.members))

    def put_back(self) -> None:
        self.variables.clear()
        self.variables.update(self.before)
        for slot, member in zip(self.slots, self.members, strict=True):
            if member is not _EMPTY:
                slot.__set__(self.value, member)
            else:
                with contextlib.suppress(AttributeError):
                    slot.__delete__(self.value)

    def _read_slots(self) -> list[Any]:
        found = []
        for slot in self.slots:
            try:
                found.append(slot.__get__(self.value))
            except AttributeError:
                found.append(_EMPTY)
        return found


_EMPTY = object()


def _registered(cls: ABCMeta) -> frozenset[Any]:
    return frozenset(_abc._get_dump(cls)[0])


_parts = operator.attrgetter(*_FUNCTION_PARTS)
_attributes = operator.attrgetter("__dict__")


def _same(left: Any, right: dict[Any, Any]) -> bool:
    """Whether two dictionaries hold the same objects, `left` having been `right` once. Compares no
    keys or values, which could be code's.

    A key that was added stands last, so that looking at the last one is enough.
    """
    if not left or not right:
        return not left and not right
    return (
        len(left) == len(right)
        and all(map(_is, left.values(), right.values()))
        and next(reversed(left)) is next(reversed(right))
    )


LIBRARY = Library()
"""The process's own."""
