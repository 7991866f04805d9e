"""A pickle back to variables, in the session that they are to be variables of. Runs inside the jail
only.

A pickle is a program. This one can call what the words of `durable_writing.py` stand for, and what
`durable_library.py` finds for it.
"""

from __future__ import annotations

import contextlib
import functools
import io
import pickle
import types
import typing
from collections.abc import Callable
from typing import Any

from fumehood.language import access
from fumehood.language.replacements import replacement
from fumehood.language.run import Session
from fumehood.worker import durable_classes as classes
from fumehood.worker.durable_library import Library
from fumehood.worker.durable_sources import LoadedSources, Place


class Reader(pickle.Unpickler):
    def __init__(
        self, session: Session, library: Library, sources: LoadedSources, data: bytes
    ) -> None:
        super().__init__(io.BytesIO(data))
        self._session = session
        self._library = library
        self._sources = sources
        self._cells: dict[int, types.CellType] = {}
        self._made: dict[int, Any] = {}
        """What was made here, and may be filled: a state has no business with the insides of a
        library's functions and classes."""
        is_guarded = session.policy.language == "guarded"

        def replaced(module: str, name: str) -> Any:
            return replacement(session, module, name) if is_guarded else library.find(module, name)

        decorate, field = replaced("dataclasses", "dataclass"), replaced("dataclasses", "field")
        self._words: dict[str, Any] = {
            "variables": session.namespace,
            "member": library.find,
            "module": library.module,
            "function": self._function,
            "fill_function": self._filling(_fill_function),
            "cell": self._cell,
            "fill_cell": _fill_cell,
            "method": types.MethodType,
            "attribute": access.guarded_getattr if is_guarded else getattr,
            "class_": self._making(classes.make_class),
            "set_attributes": self._filling(classes.set_attributes),
            "dataclass": self._filling(functools.partial(classes.make_dataclass, decorate, field)),
            "namedtuple": self._making(classes.make_namedtuple),
            "enum": self._making(classes.make_enum),
            "enum_member": self._enum_member,
            "property": property,
            "classmethod": classmethod,
            "staticmethod": staticmethod,
            "cached_property": _cached_property,
            "lru_cache": self._making(
                lambda function, size, typed: functools.lru_cache(size, typed)(function)
            ),
            "context_manager": self._making(
                lambda name, function: _CONTEXT_MANAGERS[name](function)
            ),
            "singledispatch": self._making(
                functools.partial(_singledispatch, replaced("functools", "singledispatch"))
            ),
            "type_variable": lambda name, constraints, options: typing.TypeVar(
                name, *constraints, **options
            ),
            "type_alias": lambda name, value, parameters: typing.TypeAliasType(  # type: ignore[attr-defined]
                name, value, type_params=parameters
            ),
            "exception": self._making(_exception),
            "instance": self._making(classes.make_instance),
            "fill_instance": self._filling(classes.fill_instance),
            "new_type": typing.NewType,
            "mapping_proxy": types.MappingProxyType,
            "ignore": lambda *steps: None,
            "fill_dict": self._filling(_fill_dict),
        }

    def persistent_load(self, word: Any) -> Any:
        try:
            return self._words[word]
        except (KeyError, TypeError):
            raise pickle.UnpicklingError(
                f"{word!r} is not a word of saved states; a newer fumehood may know it"
            ) from None

    def find_class(self, module: str, name: str) -> Any:
        return self._library.find(module, name)

    def _cell(self, number: int) -> types.CellType:
        return self._cells.setdefault(number, types.CellType())

    def _function(
        self, file: str, name: str, line: int, turn: int, cells: tuple[int, ...]
    ) -> types.FunctionType:
        code = self._sources.code(Place(file, name, line, turn))
        made = types.FunctionType(
            code, self._session.namespace, None, None, tuple(map(self._cell, cells)) or None
        )
        self._made[id(made)] = made
        return made

    def _enum_member(self, cls: Any, name: str) -> Any:
        member = cls._member_map_[name]
        if id(cls) in self._made:
            self._made[id(member)] = member
        return member

    def _making(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def making(*arguments: Any) -> Any:
            made = make(*arguments)
            self._made[id(made)] = made
            return made

        return making

    def _filling(self, fill: Callable[..., None]) -> Callable[..., None]:
        def filling(made: Any, *arguments: Any) -> None:
            if id(made) not in self._made:
                raise pickle.UnpicklingError("a state may change nothing but what it makes")
            fill(made, *arguments)

        return filling


def _fill_function(function: types.FunctionType, state: dict[str, Any]) -> None:
    function.__name__, function.__qualname__, module, doc = state["name"]
    function.__module__, function.__doc__ = module, doc
    function.__defaults__, function.__kwdefaults__ = state["defaults"]
    function.__annotations__ = state["annotations"]
    function.__dict__.update(state["attributes"])
    if state["type_params"]:
        function.__type_params__ = state["type_params"]  # type: ignore[attr-defined]


def _fill_dict(value: Any, state: dict[str, Any]) -> None:
    value.__dict__.update(state)


def _fill_cell(cell: types.CellType, content: tuple[Any, ...]) -> None:
    for value in content:
        cell.cell_contents = value


def _exception(cls: Any, args: tuple[Any, ...]) -> Any:
    """Its `__init__` is not called: that often takes other arguments than it passes on."""
    made = cls.__new__(cls, *args)
    made.args = args
    return made


def _cached_property(function: Any, name: str | None) -> Any:
    made: Any = functools.cached_property(function)
    made.attrname = name
    return made


_CONTEXT_MANAGERS: dict[str, Callable[[Any], Any]] = {
    "contextmanager": contextlib.contextmanager,
    "asynccontextmanager": contextlib.asynccontextmanager,
}


def _singledispatch(make: Callable[[Any], Any], function: Any, others: dict[Any, Any]) -> Any:
    made = make(function)
    for kind, other in others.items():
        made.register(kind, other)
    return made
