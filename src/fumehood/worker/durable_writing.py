"""Variables to a pickle: what pickle itself cannot write is written here, each kind as the call
that makes it again.

Such calls are named by a word and not by a module: the words are the first entries of the pickle's
memo, on both sides. So a saved state does not depend on where this code stands, and reading one
finds no function by itself.
"""

from __future__ import annotations

import copyreg
import enum
import functools
import pickle
import types
import typing
from typing import Any

from fumehood.errors import CellStopped
from fumehood.language import access
from fumehood.language.run import Session
from fumehood.wire.show import safe_str
from fumehood.worker.durable_classes import (
    attributes_of,
    dataclass_parts,
    instance_parts,
    namedtuple_parts,
    needs_care,
    open_parts,
)
from fumehood.worker.durable_library import Library
from fumehood.worker.durable_reasons import Unsavable, known_reason, why_not_pickled
from fumehood.worker.durable_sources import KeptSources, is_of_a_cell


class _Word:
    """Stands in a pickle for a function of the reader."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self) -> None:
        """pickle wants something that can be called."""


VARIABLES = "variables"
_NAMES = (
    "member module function fill_function cell fill_cell method attribute class_ set_attributes"
    " dataclass namedtuple enum enum_member property classmethod staticmethod cached_property"
    " lru_cache context_manager singledispatch type_variable type_alias mapping_proxy exception"
    " instance fill_instance new_type ignore fill_dict"
)
WORDS = {name: _Word(name) for name in (VARIABLES, *_NAMES.split())}


def _prefix() -> bytes:
    """Opcodes that put what each word stands for into the reader's memo."""
    parts = [b"\x80\x05"]
    for word in WORDS:
        parts += [
            b"\x8c",
            bytes([len(word)]),
            word.encode(),
            b"Q\x940",
        ]  # push the word, look it up, remember it, forget it
    return b"".join(parts)


PREFIX = _prefix()

_DESCRIPTORS = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)

# Functions that library decorators make: which free variable holds the code's own function, and the
# word that decorates it again.
_DECORATED = {
    ("contextlib", "contextmanager.<locals>.helper"): ("func", "context_manager", "contextmanager"),
    ("contextlib", "asynccontextmanager.<locals>.helper"): (
        "func",
        "context_manager",
        "asynccontextmanager",
    ),
}


class Writer(pickle.Pickler):
    """Raises Unsavable for the first thing that cannot be written. One that `explains` is slower
    and always knows which it was."""

    def __init__(
        self, session: Session, library: Library, sources: KeptSources, out: Any, *, explains: bool
    ) -> None:
        super().__init__(out, protocol=5)
        self._session = session
        self._library = library
        self._sources = sources
        self._explains = explains
        self._ordinary: set[type] = set()
        self._cells: dict[int, tuple[int, types.CellType]] = {}
        self._tools = {id(tool): name for name, tool in session.tools.items()}
        entries = [session.namespace if name == VARIABLES else word for name, word in WORDS.items()]
        self.memo = {id(entry): (number, entry) for number, entry in enumerate(entries)}
        self._writers: dict[type, Any] = {
            types.FunctionType: self._function,
            types.MethodType: self._method,
            types.ModuleType: self._module,
            types.CellType: self._cell,
            property: lambda v: (WORDS["property"], (v.fget, v.fset, v.fdel, v.__doc__)),
            classmethod: lambda v: (WORDS["classmethod"], (v.__func__,)),
            staticmethod: lambda v: (WORDS["staticmethod"], (v.__func__,)),
            functools.cached_property: lambda v: (WORDS["cached_property"], (v.func, v.attrname)),
            functools._lru_cache_wrapper: self._lru_cache,
            types.MappingProxyType: lambda v: (WORDS["mapping_proxy"], (dict(v),)),
            typing.TypeVar: self._type_variable,
            typing.NewType: lambda v: (WORDS["new_type"], (v.__name__, v.__supertype__)),
            **dict.fromkeys(_DESCRIPTORS, self._descriptor),
        }
        if hasattr(typing, "TypeAliasType"):
            self._writers[typing.TypeAliasType] = lambda v: (
                WORDS["type_alias"],
                (v.__name__, v.__value__, v.__type_params__),
            )

    def reducer_override(self, value: Any) -> Any:
        """pickle asks this about everything that is not a plain value."""
        kind = type(value)
        if kind in self._ordinary:
            return NotImplemented
        known = self._library.reference(value)
        if known is not None:
            return WORDS["member"], known
        write = self._writers.get(kind)
        if write is not None:
            return write(value)
        if issubclass(kind, type):
            return self._class(value)
        if issubclass(kind, BaseException) and kind.__module__ == "__main__":
            return (
                WORDS["exception"],
                (kind, value.args),
                dict(vars(value)),
                None,
                None,
                WORDS["fill_dict"],
            )
        if (
            issubclass(kind, enum.Enum)
            and kind.__module__ == "__main__"
            and value._name_ in kind._member_map_
        ):
            return WORDS["enum_member"], (kind, value._name_)
        if id(value) in self._tools:
            raise Unsavable(
                value,
                f"{self._tools[id(value)]} is a tool of the host; send it again after loading",
            )
        reason = known_reason(value)
        if reason is not None:
            raise Unsavable(value, reason)
        if kind.__module__ == "__main__" and needs_care(kind):
            return self._instance(value)
        if self._explains:
            return self._explained(value)
        if kind.__module__ == "__main__":
            self._ordinary.add(
                kind
                # of a class of the code's own: what was asked about this one need not be asked about  # noqa: E501
                # the next
            )
        return NotImplemented

    def _explained(self, value: Any) -> Any:
        """What pickle would do, done here so that an exception is known to be about this value."""
        try:
            reduce = copyreg.dispatch_table.get(type(value))
            return reduce(value) if reduce is not None else value.__reduce_ex__(5)
        except CellStopped:
            raise
        except Exception as error:
            raise Unsavable(value, why_not_pickled(value, error)) from None

    def _instance(self, value: Any) -> Any:
        try:
            parts = instance_parts(value)
        except CellStopped:
            raise
        except Exception as error:
            raise Unsavable(value, why_not_pickled(value, error)) from None
        return WORDS["instance"], (type(value),), parts, None, None, WORDS["fill_instance"]

    # -- functions

    def _function(self, function: types.FunctionType) -> Any:
        if id(function) in self._tools:
            raise Unsavable(
                function,
                f"{self._tools[id(function)]} is a tool of the host; send it again after loading",
            )
        if not is_of_a_cell(function):
            return self._library_function(function)
        if function.__globals__ is not self._session.namespace:
            raise Unsavable(
                function,
                "a function that was made by exec() among other variables than the session's cannot"
                " be saved",
            )
        cells = function.__closure__ or ()
        state = {
            "cells": cells,
            "name": (
                function.__name__,
                function.__qualname__,
                function.__module__,
                function.__doc__,
            ),
            "defaults": (function.__defaults__, function.__kwdefaults__),
            "annotations": dict(function.__annotations__),
            "attributes": dict(function.__dict__),
            "type_params": getattr(function, "__type_params__", ()),
        }
        numbers = tuple(self._number(cell) for cell in cells)
        return (
            WORDS["function"],
            (*self._sources.place(function), numbers),
            state,
            None,
            None,
            WORDS["fill_function"],
        )

    def _number(self, cell: types.CellType) -> int:
        return self._cells.setdefault(id(cell), (len(self._cells), cell))[0]

    def _cell(self, cell: types.CellType) -> Any:
        """By number, so that a function can be made before what is in its cells: that may be the
        function itself."""
        try:
            content: tuple[Any, ...] = (cell.cell_contents,)
        except ValueError:
            content = ()
        return WORDS["cell"], (self._number(cell),), content, None, None, WORDS["fill_cell"]

    def _library_function(self, function: types.FunctionType) -> Any:
        """A function that a decorator of a library made of the code's own."""
        made_by = _DECORATED.get(
            (function.__globals__.get("__name__", ""), function.__code__.co_qualname)
        )
        if made_by is not None:
            free, word, name = made_by
            inner = dict(
                zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            )[free].cell_contents
            return (
                WORDS[word],
                (name, inner),
                dict(function.__dict__),
                None,
                None,
                WORDS["fill_dict"],
            )
        if function.__code__.co_qualname == "singledispatch.<locals>.wrapper":
            registry = dict(vars(function)["registry"])
            others = {kind: one for kind, one in registry.items() if kind is not object}
            own = {
                k: v
                for k, v in vars(function).items()
                if k not in ("registry", "dispatch", "register", "_clear_cache", "__wrapped__")
            }
            return (
                WORDS["singledispatch"],
                (registry[object], others),
                own,
                None,
                None,
                WORDS["fill_dict"],
            )
        if (
            function.__globals__.get("__name__") == access.__name__
            or function.__code__.co_filename == "<attrgetter>"
        ):
            raise Unsavable(
                function,
                "what operator.attrgetter and methodcaller give cannot be saved; write a lambda",
            )
        raise Unsavable(
            function,
            f"the function {function.__qualname__} was made by a library, and cannot be found in it"
            " by name",
        )

    def _method(self, method: types.MethodType) -> Any:
        known = method.__func__
        if (
            isinstance(method.__self__, type)
            and type(known) is types.FunctionType
            and not is_of_a_cell(known)
        ):
            return self._attribute(method, method.__self__, known.__name__)
        return WORDS["method"], (known, method.__self__)

    def _descriptor(self, value: Any) -> Any:
        owner = getattr(value, "__self__", None)
        if owner is None:
            owner = getattr(value, "__objclass__", None)
        if owner is None or isinstance(owner, types.ModuleType):
            raise Unsavable(
                value,
                f"{value.__name__} is a function of a library that the policy does not authorize",
            )
        return self._attribute(value, owner, value.__name__)

    def _attribute(self, value: Any, owner: Any, name: str) -> Any:
        try:
            access.guarded_getattr(owner, name)
        except AttributeError as error:
            raise Unsavable(value, safe_str(error, 200)) from None
        return WORDS["attribute"], (owner, name)

    def _lru_cache(self, wrapper: Any) -> Any:
        parameters = wrapper.cache_parameters()
        return (
            WORDS["lru_cache"],
            (wrapper.__wrapped__, parameters["maxsize"], parameters["typed"]),
            {
                name: value
                for name, value in vars(wrapper).items()
                if name not in ("__wrapped__", "cache_parameters")
            },
            None,
            None,
            WORDS["fill_dict"],
        )

    # -- modules and types

    def _module(self, module: types.ModuleType) -> Any:
        name = self._library.name_of_module(module)
        if name is None:
            raise Unsavable(module, "a module that was made by hand cannot be saved")
        return WORDS["module"], (name, self._library.parts_of_module(name))

    def _type_variable(self, variable: Any) -> Any:
        options = {
            "bound": variable.__bound__,
            "covariant": variable.__covariant__,
            "contravariant": variable.__contravariant__,
        }
        if getattr(variable, "__infer_variance__", False):
            options["infer_variance"] = True
        return WORDS["type_variable"], (variable.__name__, variable.__constraints__, options)

    def _class(self, cls: Any) -> Any:
        """A class as the empty class, its methods, what its decorator adds, and then what else it
        has, as that may be instances of it."""
        if cls.__module__ != "__main__" and not self._is_made_by_code(cls):
            where = f"{cls.__module__}.{cls.__qualname__}"
            raise Unsavable(
                cls,
                f"{where} is a class of a library that cannot be found there by name, or is not"
                " authorized",
            )
        parts = namedtuple_parts(cls)
        if parts is not None:
            make: tuple[Any, ...] = (WORDS["namedtuple"], parts)
        elif issubclass(type(cls), enum.EnumMeta):
            members = {name: member._value_ for name, member in cls._member_map_.items()}
            own = {
                n: {k: v for k, v in vars(m).items() if not k.startswith("_")}
                for n, m in cls._member_map_.items()
            }
            boundary = getattr(cls, "_boundary_", None)
            make = (
                WORDS["enum"],
                (
                    cls.__name__,
                    cls.__qualname__,
                    cls.__bases__,
                    members,
                    None if boundary is None else boundary.name,
                ),
            )
        else:
            meta = None if type(cls) is type else type(cls)
            make = (WORDS["class_"], (meta, cls.__name__, cls.__bases__, open_parts(cls)))
        methods, others = attributes_of(
            cls, lambda f: is_of_a_cell(f) or self._library.reference(f) is not None
        )
        steps: list[Any] = [_Step(WORDS["set_attributes"], cls, methods)]
        if "__dataclass_fields__" in vars(cls):
            steps.append(_Step(WORDS["dataclass"], cls, *dataclass_parts(cls)))
        steps.append(_Step(WORDS["set_attributes"], cls, others))
        if issubclass(type(cls), enum.EnumMeta):
            steps += [
                _Step(WORDS["fill_dict"], cls._member_map_[name], state)
                for name, state in own.items()
                if state
            ]
        return (*make, tuple(steps), None, None, WORDS["ignore"])

    def _is_made_by_code(self, cls: Any) -> bool:
        """A class may say that it comes from elsewhere, as one does that `functools.wraps` was used
        on, or `type()` made."""
        if namedtuple_parts(cls) is not None or "__dataclass_fields__" in vars(cls):
            return True
        return any(
            type(value) is types.FunctionType and is_of_a_cell(value)
            for value in vars(cls).values()
        )


class _Step:
    """One call that is made while a class is put together, in its turn."""

    def __init__(self, word: _Word, *arguments: Any) -> None:
        self.word = word
        self.arguments = arguments

    def __reduce__(self) -> Any:
        return self.word, self.arguments
