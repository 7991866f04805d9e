"""dataclasses: it writes source text from field names, so a field's name must be an identifier each
time it is read.

Code can rename a field at any moment (`fields(C)[0].name = …`), also between a check and the moment
the text is written. So the check is in the field itself while text is written: the name is kept
where only its checking setter can put it. The rest of the library runs as it is, on the same
classes and sentinels, so that the host's `dataclasses.asdict` understands what code made.
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
import types
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from fumehood.errors import ForbiddenName
from fumehood.language import access, names

if TYPE_CHECKING:
    from fumehood.language.run import Session


class GuardedField(dataclasses.Field):  # type: ignore[type-arg]
    __slots__ = ("_own_name",)


_slot = GuardedField.__dict__["_own_name"]
del GuardedField._own_name  # type: ignore[attr-defined]  # the slot stays; what is left of it is the descriptor above, which code cannot reach


def _set_name(field: GuardedField, name: Any) -> None:
    if name is not None and not (
        type(name) is str
        and name.isidentifier()
        and names.may_bind(name)
        and names.reading(name) != "refused"
    ):
        raise ForbiddenName(f"{name!r} cannot be the name of a dataclass field")
    _slot.__set__(field, name)


GuardedField.name = property(_slot.__get__, _set_name)  # type: ignore[assignment,misc]


@cache
def _private_dataclasses() -> dict[str, Any]:
    """The library's functions, bound to a copy of its variables in which `Field` is ours."""
    private = {**vars(dataclasses), "Field": GuardedField}
    for name, value in vars(dataclasses).items():
        if isinstance(value, types.FunctionType) and value.__module__ == "dataclasses":
            bound = types.FunctionType(
                value.__code__, private, name, value.__defaults__, value.__closure__
            )
            bound.__kwdefaults__ = value.__kwdefaults__
            bound.__doc__ = value.__doc__
            private[name] = bound
    set_attribute = private["_set_new_attribute"]

    def set_new_attribute(cls: Any, name: str, value: Any) -> Any:
        if name == "__match_args__":  # a class pattern reads these past any guard
            value = tuple(itertools.takewhile(lambda field: names.reading(field) == "plain", value))
        return set_attribute(cls, name, value)

    private["_set_new_attribute"] = set_new_attribute
    return private


def make_dataclasses(session: Session, name: str) -> Any:
    original = _private_dataclasses()[name]
    if name == "field":
        return lambda **options: original(
            **options
        )  # the session's own function: what is set on it is seen by nobody else

    def guarded(*args: Any, **kwargs: Any) -> Any:
        made = None
        bases = (*args[:1], *kwargs.get("bases", ()))
        if name == "make_dataclass" and sys.version_info >= (3, 12):
            kwargs.setdefault("module", access.own_frame().f_globals.get("__name__"))
        try:
            _exchange_fields(bases, dataclasses.Field, GuardedField)
            made = original(*args, **kwargs)
        finally:
            _exchange_fields((*bases, made), GuardedField, dataclasses.Field)
        return made if made is None or isinstance(made, type) else _decorator(guarded, kwargs)

    guarded.__name__ = guarded.__qualname__ = name
    guarded.__doc__ = original.__doc__
    return guarded


def _decorator(dataclass: Any, options: dict[str, Any]) -> Any:
    """What `@dataclass(frozen=True)` gives: the decorator for the class that follows."""
    return lambda cls: dataclass(cls, **options)


def _exchange_fields(classes: Iterable[Any], old: type, new: type) -> None:
    """Turn the fields of classes and their ancestors into guarded ones while text is written from
    them, and back into plain ones after: a plain field's name is read faster, and `asdict` reads it
    for every value."""
    for cls in classes:
        for base in _mro(cls) if isinstance(cls, type) else ():
            fields = _own(base).get("__dataclass_fields__")
            for key, field in list(fields.items()) if type(fields) is dict else ():
                if type(field) is old:
                    fields[key] = _as(new, field)


def _as(kind: type, field: Any) -> Any:
    made: Any = object.__new__(kind)
    for slot in dataclasses.Field.__slots__:
        if hasattr(field, slot):
            setattr(made, slot, getattr(field, slot))
    return made


_mro = type.__dict__["__mro__"].__get__
_own = type.__dict__["__dict__"].__get__
