"""functools and typing: attributes by computed names and annotation strings, both held to the rules
of a cell."""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language import access, names

if TYPE_CHECKING:
    from fumehood.language.run import Session

# -- functools


def update_wrapper(
    wrapper: Any,
    wrapped: Any,
    assigned: Iterable[Any] = functools.WRAPPER_ASSIGNMENTS,
    updated: Iterable[Any] = functools.WRAPPER_UPDATES,
) -> Any:
    assigned, updated = (
        tuple(map(access.exact_name, assigned)),
        tuple(map(access.exact_name, updated)),
    )
    for name in assigned + updated:
        if name not in _COPIED_BY_WRAPS and (
            names.reading(name) != "plain" or not names.may_store(name)
        ):
            raise ForbiddenName(f"{name}: {names.reason(name)}", name=name)
    return functools.update_wrapper(wrapper, wrapped, assigned, updated)


_COPIED_BY_WRAPS = frozenset({*functools.WRAPPER_ASSIGNMENTS, *functools.WRAPPER_UPDATES})


def wraps(
    wrapped: Any,
    assigned: Iterable[Any] = functools.WRAPPER_ASSIGNMENTS,
    updated: Iterable[Any] = functools.WRAPPER_UPDATES,
) -> Callable[[Any], Any]:
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)


def make_singledispatch(session: Session, name: str) -> Callable[[Any], Any]:
    def singledispatch(func: Any) -> Any:
        dispatcher: Any = functools.singledispatch(func)
        register = dispatcher.register

        def guarded_register(cls: Any, func: Any = None) -> Any:
            if func is None and not isinstance(cls, type) and hasattr(cls, "__annotations__"):
                hints = type_hints(session, cls)
                if not hints:
                    return register(cls)  # raises the TypeError that functools words
                return register(next(iter(hints.values())), cls)
            if func is None:
                return lambda function: register(cls, function)
            return register(cls, func)

        dispatcher.register = guarded_register
        return dispatcher

    return singledispatch


def make_singledispatchmethod(session: Session, name: str) -> type:
    singledispatch = make_singledispatch(session, name)

    class singledispatchmethod:
        """A method that is chosen by the type of its first argument."""

        def __init__(self, func: Any) -> None:
            if not callable(func) and not hasattr(func, "__get__"):
                raise TypeError(f"{func!r} is not callable or a descriptor")
            self.dispatcher = singledispatch(func)
            self.func = func

        def register(self, cls: Any, method: Any = None) -> Any:
            return self.dispatcher.register(cls, func=method)

        def __get__(self, obj: Any, cls: Any = None) -> Any:
            def method(*args: Any, **kwargs: Any) -> Any:
                if not args:
                    raise TypeError(f"{self.func.__name__} requires at least 1 positional argument")
                return self.dispatcher.dispatch(args[0].__class__).__get__(obj, cls)(
                    *args, **kwargs
                )

            method.register = self.register  # type: ignore[attr-defined]
            return functools.update_wrapper(method, self.func)

        @property
        def __isabstractmethod__(self) -> bool:
            return bool(getattr(self.func, "__isabstractmethod__", False))

    return singledispatchmethod


# -- typing


def type_hints(
    session: Session,
    obj: Any,
    globalns: Any = None,
    localns: Any = None,
    include_extras: bool = False,
) -> dict[str, Any]:
    """typing.get_type_hints with the strings evaluated like cells."""
    if isinstance(obj, type):
        sources = [
            (
                vars(base).get("__annotations__", {})
                if sys.version_info < (3, 14)
                else base.__annotations__
            )
            for base in reversed(obj.__mro__)
        ]
    else:
        sources = [getattr(obj, "__annotations__", None)]
        if sources[0] is None:
            raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    hints: dict[str, Any] = {}
    for source in sources:
        for key, value in dict(source).items():
            hint = _resolve_hint(session, value, globalns, localns)
            hints[key] = hint if include_extras else _strip_extras(hint)
    return hints


def _resolve_hint(session: Session, hint: Any, globalns: Any, localns: Any) -> Any:
    if hint is None:
        return type(None)
    if isinstance(hint, str):
        return _resolve_hint(session, session.evaluate(hint, globalns, localns), globalns, localns)
    if type(hint).__name__ == "ForwardRef":
        return _resolve_hint(
            session, session.evaluate(hint.__forward_arg__, globalns, localns), globalns, localns
        )
    return _map_arguments(
        hint, lambda argument: _resolve_hint(session, argument, globalns, localns)
    )


def _strip_extras(hint: Any) -> Any:
    if hasattr(hint, "__metadata__"):
        return _strip_extras(hint.__origin__)
    if typing.get_origin(hint) in (typing.Required, typing.NotRequired):
        return _strip_extras(hint.__args__[0])
    return _map_arguments(hint, _strip_extras)


def _map_arguments(hint: Any, change: Callable[[Any], Any]) -> Any:
    """A generic type with its arguments changed; the same object if none did."""
    arguments = getattr(hint, "__args__", None)
    if (
        not isinstance(arguments, tuple)
        or not arguments
        or typing.get_origin(hint) is typing.Literal
    ):
        return hint
    changed = tuple(
        tuple(map(change, a)) if isinstance(a, list) else a if a is Ellipsis else change(a)
        for a in arguments
    )
    if all(new is old for new, old in zip(changed, arguments, strict=True)):
        return hint
    if isinstance(hint, types.UnionType):
        return functools.reduce(operator.or_, changed)
    if isinstance(hint, types.GenericAlias):
        return types.GenericAlias(typing.get_origin(hint), changed)
    return hint.copy_with(changed)


def make_type_hints(session: Session, name: str) -> Callable[..., Any]:
    # A closure and not a functools.partial, whose `args` would hand out the session.
    def get_type_hints(
        obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False
    ) -> dict[str, Any]:
        return type_hints(session, obj, globalns, localns, include_extras)

    return get_type_hints


# -- types


def coroutine(func: Any) -> Any:
    """types.coroutine changes the function it is given, so it takes only the code's own."""
    if not isinstance(func, types.FunctionType) or not access.is_own_code(func.__code__):
        raise ForbiddenCall("types.coroutine takes only a function of the code's own")
    return types.coroutine(func)
