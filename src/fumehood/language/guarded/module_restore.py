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
from collections.abc import Callable, Container, Iterator
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

# functools.total_ordering names the functions it gives to classes when it first does so, whoever
# asks it to. Now they have their names.
for _root in ("__lt__", "__le__", "__gt__", "__ge__"):
    functools.total_ordering(type("Ordered", (), {_root: lambda self, other: NotImplemented}))


class Library:
    """The packages that code has seen, each as it was. One object serves the whole process; a
    session names the packages it has seen."""

    def __init__(self) -> None:
        self._packages: dict[str, _Package] = {}
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
                self._packages[name] = _Package(name, self._packages)
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


class _Package:
    """The classes, functions and objects of one package, as they were before code could reach
    them."""

    def __init__(self, package: str, seen: Container[str]) -> None:
        """`seen` are the packages that code has seen, this one and those that come later."""
        self._seen = seen
        self._watched: dict[int, _Watched] = {}
        has_constants = package in sys.stdlib_module_names and package not in _STATEFUL
        for name, module in list(sys.modules.items()):
            if isinstance(module, types.ModuleType) and (
                name == package or name.startswith(package + ".")
            ):
                for value in list(vars(module).values()):
                    self._watch(value, has_constants)

    def _watch(self, value: Any, has_constants: bool) -> None:
        if isinstance(value, type):
            for cls in (*_class_mro(value), *_class_mro(type(value))):
                if id(cls) not in self._watched and not cls.__flags__ & _IMMUTABLE:
                    self._watch_class(cls)
        elif id(value) in self._watched:
            return
        elif isinstance(value, types.FunctionType):
            self._watched[id(value)] = _Function(value)
        elif (
            has_constants
            and not type(value).__flags__ & _IMMUTABLE
            and not isinstance(value, types.ModuleType)
        ):
            self._watched[id(value)] = _Object(value)

    def _watch_class(self, cls: type) -> None:
        self._watched[id(cls)] = _Class(cls)
        variables = _class_dict(cls)
        for name, value in variables.items():
            if type(value) in (dict, list, set) and name not in _CACHES:
                self._watched[id(value)] = _Container(value)
        if isinstance(cls, EnumType):
            for member in cls._member_map_.values():
                self._watched[id(member)] = _Object(member)
        if isinstance(cls, ABCMeta) and "_abc_impl" in variables:
            self._watched[id(variables["_abc_impl"])] = _Registry(cls, self._is_foreign)

    def refresh(self) -> None:
        """Take things as they are now: what the host itself changed between two cells stays."""
        for watched in self._changed():
            watched.write_down()
            if isinstance(watched, _Class):
                self._watch_class(watched.value)

    def put_back(self) -> list[str]:
        """Undo every change; gives the names of what had been changed."""
        changed: list[str] = []
        for watched in self._changed():
            changed += watched.put_back()
            watched.write_down()
        return changed

    def _changed(self) -> list[_Watched]:
        return [watched for watched in self._watched.values() if watched.has_changed()]

    def _is_foreign(self, cls: Any) -> bool:
        """Whether code could have registered it: it is of the standard library, and of a part that
        code can reach. Libraries register their own classes when they are loaded, which can be at
        any moment, and a class of the code's own may stay registered."""
        package = "" if cls is None else str(cls.__module__).partition(".")[0]
        if package not in sys.stdlib_module_names or not (
            id(cls) in self._watched or cls.__flags__ & _IMMUTABLE
        ):
            return False
        return package == "builtins" or package.startswith("_") or package in self._seen


class _Watched:
    """Something that code can change, and what it held before."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.write_down()

    def live(self) -> Any:
        """What it holds now, as a mapping."""
        raise NotImplementedError

    def write_down(self) -> None:
        self.before = dict(self.live())

    def has_changed(self) -> bool:
        return not _same(self.live(), self.before)

    def put_back(self) -> list[str]:
        """Undo the changes; gives the names of what had been changed, if code is to be told."""
        raise NotImplementedError


class _Class(_Watched):
    def live(self) -> Any:
        return _class_dict(self.value)

    def put_back(self) -> list[str]:
        changed = []
        now = dict(self.live())
        for name in {*now, *self.before}:
            if name in _KEPT_BY_PYTHON or name.startswith("_abc_"):
                continue
            if name not in self.before:
                type.__delattr__(self.value, name)
            elif name not in now or now[name] is not self.before[name]:
                type.__setattr__(self.value, name, self.before[name])
            else:
                continue
            changed.append(f"{self.value.__module__}.{self.value.__qualname__}.{name}")
        return changed


class _Function(_Watched):
    def live(self) -> Any:
        parts = {part: getattr(self.value, part) for part in _FUNCTION_PARTS}
        return {**parts, **self.value.__dict__} if self.value.__dict__ else parts

    def put_back(self) -> list[str]:
        for part in _FUNCTION_PARTS:
            setattr(self.value, part, self.before[part])
        self.value.__dict__.clear()
        self.value.__dict__.update(
            {name: value for name, value in self.before.items() if name not in _FUNCTION_PARTS}
        )
        return [f"{self.value.__module__}.{self.value.__qualname__}"]


class _Container(_Watched):
    """A dictionary, list or set in a class. Not reported: the library changes some of these."""

    def live(self) -> Any:
        if type(self.value) is dict:
            return self.value
        return dict(enumerate(self.value))

    def put_back(self) -> list[str]:
        self.value.clear()
        if type(self.value) is dict:
            self.value.update(self.before)
        else:
            add = self.value.append if type(self.value) is list else self.value.add
            for item in self.before.values():
                add(item)
        return []


class _Registry(_Watched):
    """The classes that are registered with an abstract class."""

    def __init__(self, cls: ABCMeta, is_foreign: Callable[[Any], bool]) -> None:
        self._is_foreign = is_foreign
        super().__init__(cls)

    def live(self) -> Any:
        return {id(ref): ref for ref in sorted(_abc._get_dump(self.value)[0], key=id)}

    def put_back(self) -> list[str]:
        now = self.live()
        foreign = {key for key in now.keys() - self.before.keys() if self._is_foreign(now[key]())}
        if not foreign:
            return []
        _abc._reset_registry(self.value)
        _abc._reset_caches(self.value)
        for key, ref in now.items():
            kept = ref()
            if key not in foreign and kept is not None:
                self.value.register(kept)
        return [f"{self.value.__module__}.{self.value.__qualname__}"]


class _Object(_Watched):
    """A single object of the library's: the variables in its dictionary and in its slots."""

    def __init__(self, value: Any) -> None:
        self._slots = [
            member
            for base in _class_mro(type(value))
            for member in _class_dict(base).values()
            if type(member) is types.MemberDescriptorType
        ]
        try:
            self._variables: dict[str, Any] = object.__getattribute__(value, "__dict__")
        except AttributeError:
            self._variables = {}
        super().__init__(value)

    def live(self) -> Any:
        return {**self._variables, **self._members()} if self._slots else self._variables

    def _members(self) -> dict[Any, Any]:
        found = {}
        for slot in self._slots:
            with contextlib.suppress(AttributeError):
                found[slot] = slot.__get__(self.value)
        return found

    def put_back(self) -> list[str]:
        self._variables.clear()
        self._variables.update(
            {name: value for name, value in self.before.items() if name not in self._slots}
        )
        for slot in self._slots:
            if slot in self.before:
                slot.__set__(self.value, self.before[slot])
            else:
                with contextlib.suppress(AttributeError):
                    slot.__delete__(self.value)
        return []


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
