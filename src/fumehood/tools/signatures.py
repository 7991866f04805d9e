"""What a tool takes, read from the host's object once: its parameters with their type hints
resolved.

Any callable is a tool: a function, a bound method, a partial, a class, a builtin, an object with
`__call__`, or an object with `inputs` and `forward` in the manner of smolagents.
`inspect.signature` is the contract, so a decorator that changes what a function takes has to say so
(`__signature__`). What a partial has fixed belongs to the host: it is neither shown to the sandbox
nor open to change from there.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

EMPTY = inspect.Parameter.empty

# The type names that `inputs` and `output_type` use, and what they are in Python. What is not here
# is not checked.
INPUT_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
    "any": Any,
}


@dataclass(frozen=True, slots=True)
class Taken:
    """One parameter. `hint` is `EMPTY` where there is none or it cannot be resolved; `written` is
    what stands in the source."""

    name: str
    kind: Any
    default: Any
    hint: Any
    written: Any = EMPTY


@dataclass(frozen=True, slots=True)
class Signature:
    """`parameters` is None for a callable that does not say what it takes. `fixed` are the keywords
    that a partial holds."""

    parameters: tuple[Taken, ...] | None
    returns: Any = EMPTY
    returns_written: Any = EMPTY
    fixed: frozenset[str] = frozenset()


def read_signature(tool: Any) -> Signature:
    """What can be known of a tool's parameters. Never raises for an odd tool: what cannot be known
    is left unsaid, and so unchecked."""
    called = _called(tool)
    function, fixed = _innermost(called)
    inputs = inputs_of(tool)
    try:
        signature = _inspect_signature(called)
    except Exception:
        return Signature(_from_inputs(inputs) if inputs else None, fixed=fixed)
    scope = _scope(function, called)
    parameters = tuple(
        Taken(p.name, p.kind, p.default, _resolve(p.annotation, scope), p.annotation)
        for p in signature.parameters.values()
        if p.name not in fixed
    )
    if inputs:
        parameters = _merge(parameters, inputs)
    returns = EMPTY if isinstance(called, type) else signature.return_annotation
    return Signature(parameters, _resolve(returns, scope), returns, fixed)


def by_name(
    tool: Any,
) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]]:
    """How arguments that fit a tool's parameters are handed to what runs: where that has only
    `**kwargs` for them, by name."""
    names = [p.name for p in read_signature(tool).parameters or ()]
    try:
        taken = [*_inspect_signature(_called(tool)).parameters.values()]
    except Exception:
        taken = []
    by_position = [
        p
        for p in taken
        if p.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    kinds = {p.kind for p in taken}
    room = len(by_position)

    def same(
        args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return args, kwargs

    def named(
        args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return args[:room], {**dict(zip(names[room:], args[room:], strict=False)), **kwargs}

    return (
        named
        if inspect.Parameter.VAR_KEYWORD in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds
        else same
    )


def inputs_of(tool: Any) -> dict[str, Mapping[str, Any]] | None:
    """The `inputs` table of a tool in the manner of smolagents, if it is one."""
    inputs = attribute(tool, "inputs")
    if not isinstance(inputs, Mapping) or isinstance(tool, type):
        return None
    if not all(isinstance(name, str) and isinstance(row, Mapping) for name, row in inputs.items()):
        return None
    return dict(inputs)


def attribute(tool: Any, name: str) -> Any:
    """An attribute that is really there: an object that answers to every name, such as a mock or a
    proxy, has none of them."""
    try:
        if inspect.getattr_static(tool, name, None) is None:
            return None
        return getattr(tool, name)
    except Exception:
        return None


def input_hint(row: Mapping[str, Any]) -> Any:
    """The Python type that one row of `inputs` names; `Any` for a name that is not in the table."""
    named = row.get("type")
    names = named if isinstance(named, (list, tuple)) else [named]
    hint: Any = None
    for name in names:
        known = INPUT_TYPES.get(name, Any) if isinstance(name, str) else Any
        if known is Any:
            return Any
        hint = known if hint is None else hint | known
    if hint is None:
        return Any
    return hint | None if row.get("nullable") else hint


def _called(tool: Any) -> Any:
    """What runs when the tool is called, as far as parameters go."""
    if not isinstance(tool, type) and not inspect.isroutine(tool):
        forward = attribute(tool, "forward")
        if callable(forward):
            return forward
    return tool


def _innermost(called: Any) -> tuple[Any, frozenset[str]]:
    """The plain function under methods, partials, decorators and `__call__`, and the keywords that
    the partials on the way hold."""
    fixed: set[str] = set()
    for _ in range(100):
        if isinstance(called, functools.partial):
            fixed |= called.keywords.keys()
            called = called.func
            continue
        bound = getattr(called, "__partialmethod__", None) or getattr(
            called, "_partialmethod", None
        )
        if isinstance(bound, functools.partialmethod):
            fixed |= bound.keywords.keys()
            called = bound.func
        elif inspect.ismethod(called):
            called = called.__func__
        elif isinstance(called, type):
            makers = (
                inspect.getattr_static(called, name, None) for name in ("__init__", "__new__")
            )
            called = next(
                (
                    f
                    for f in (getattr(maker, "__func__", maker) for maker in makers)
                    if inspect.isfunction(f)
                ),
                None,
            )
        elif "__wrapped__" in getattr(called, "__dict__", ()):
            called = called.__wrapped__
        elif called is not None and not inspect.isroutine(called):
            called = inspect.getattr_static(type(called), "__call__", None)
        else:
            break
    return called, frozenset(fixed)


def _inspect_signature(tool: Any) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        import annotationlib

        # Annotations are evaluated when asked for since 3.14; a name that exists only for type
        # checkers must not be an error here.
        return inspect.signature(tool, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(tool)


def _scope(function: Any, called: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The globals and type parameters that a callable's annotations were written among."""
    found = getattr(function, "__globals__", None)
    if found is None:
        found = getattr(sys.modules.get(getattr(called, "__module__", None) or ""), "__dict__", {})
    return found, {p.__name__: p for p in getattr(function, "__type_params__", ())}


def _resolve(annotation: Any, scope: tuple[dict[str, Any], dict[str, Any]]) -> Any:
    """The hint an annotation stands for, or EMPTY. One at a time: a name that cannot be resolved
    costs only its own parameter."""
    if annotation is EMPTY:
        return EMPTY
    holder = types.SimpleNamespace(__annotations__={"hint": annotation})
    try:
        return typing.get_type_hints(typing.cast(Callable[..., Any], holder), scope[0], scope[1])[
            "hint"
        ]
    except Exception:
        return EMPTY


def _from_inputs(inputs: Mapping[str, Mapping[str, Any]]) -> tuple[Taken, ...]:
    needed, optional = [], []
    for name, row in inputs.items():
        hint = input_hint(row)
        if row.get("nullable"):
            optional.append(Taken(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, None, hint))
        else:
            needed.append(Taken(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, EMPTY, hint))
    return (*needed, *optional)


def _merge(
    parameters: tuple[Taken, ...], inputs: Mapping[str, Mapping[str, Any]]
) -> tuple[Taken, ...]:
    """`forward` knows kinds and defaults, `inputs` the types it does not write; a `forward` that
    takes anything leaves all to `inputs`."""
    if parameters and parameters[0].name == "self" and "self" not in inputs:
        parameters = parameters[
            1:
        ]  # smolagents' decorator writes one into the signature of a function that takes none
    if {p.name for p in parameters} != inputs.keys():
        takes_anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
        return _from_inputs(inputs) if takes_anything else parameters
    return tuple(
        p
        if p.written is not EMPTY
        else Taken(p.name, p.kind, p.default, input_hint(inputs[p.name]), EMPTY)
        for p in parameters
    )
