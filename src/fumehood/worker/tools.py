"""What code gets for the host's tools: functions that call them, and the exceptions they raise."""

from __future__ import annotations

import ast
import builtins
import keyword
from asyncio import events, tasks
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from inspect import isawaitable
from types import FunctionType
from typing import Any

Call = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]
AsyncCall = Callable[[str, tuple[Any, ...], dict[str, Any]], Awaitable[Any]]

ASYNC_NOTE = (
    "Asynchronous: `await {name}(...)` where code is awaited; elsewhere {name}(...) waits and gives"
    " the value."
)
"""Added to the documentation of a tool that is an `async def` on the host."""


class ToolError(RuntimeError):
    """A tool failed with an exception that this Python does not have. `type_name` is what it was
    called on the host."""

    def __init__(self, *args: Any, type_name: str = "") -> None:
        super().__init__(*args)
        self.type_name = type_name


# Code meets it as an error of its tools, not of a module that it cannot import.
ToolError.__module__ = "tools"

# Exceptions that end programs or tasks (SystemExit, KeyboardInterrupt, …) are not in it: a tool
# must not end the cell with one.
_EXCEPTIONS: dict[str, type[Exception]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def make_stub(spec: Mapping[str, Any], call: Call, acall: AsyncCall) -> Callable[..., Any]:
    """The function that code gets for a tool. `call(name, args, kwargs)` waits for the result,
    `acall` gives an awaitable of it.

    `stub(...)` gives the result, and `await stub.aio(...)` does without blocking other tasks. A
    tool that is an `async def` on the host may be awaited as such: called inside a running task,
    `stub(...)` is the coroutine. Exceptions are those of `call`, without its frames and its
    context.
    """
    name = str(spec["name"])

    async def aio(*args: Any, **kwargs: Any) -> Any:
        try:
            return await acall(name, args, kwargs)
        except Exception as error:
            failure = _bare(error)
        raise failure

    def stub(*args: Any, **kwargs: Any) -> Any:
        try:
            return call(name, args, kwargs)
        except Exception as error:
            failure = _bare(error)
        raise failure

    if spec.get("is_async"):
        stub = _awaitable_in_tasks(stub, aio)
    doc = str(spec.get("doc") or "")
    if spec.get("is_async"):
        doc = f"{doc}\n\n{ASYNC_NOTE.format(name=name)}".strip()
    parameters = [p for p in spec.get("parameters", ()) if p.get("annotation")]
    functions: list[tuple[Any, str]] = [(stub, name), (aio, f"{name}.aio")]
    for function, called in functions:
        function.__name__, function.__qualname__, function.__module__ = (
            called.rpartition(".")[2],
            called,
            "tools",
        )
        function.__doc__ = doc or None
        function.__annotations__ = {p["name"]: p["annotation"] for p in parameters}
        if spec.get("returns"):
            function.__annotations__["return"] = spec["returns"]
        shown = _shown(spec, called)
        if shown is not None:
            function.__wrapped__ = shown
    stub.aio = aio  # type: ignore[attr-defined]
    return stub


def callers(function: Callable[..., Any], new_loop: Callable[[], Any]) -> tuple[Call, AsyncCall]:
    """How a stub calls a function that runs here and not on the host. One that is asynchronous, and
    is not awaited, gets a loop."""

    def call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        if not isawaitable(result):
            return result
        loop = new_loop()
        try:
            return loop.run_until_complete(result)
        finally:
            loop.close()

    async def acall(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        return await result if isawaitable(result) else result

    return call, acall


def _awaitable_in_tasks(
    stub: Callable[..., Any], aio: Callable[..., Coroutine[Any, Any, Any]]
) -> Callable[..., Any]:
    def either(*args: Any, **kwargs: Any) -> Any:
        loop = events._get_running_loop()
        if loop is not None and tasks.current_task(loop) is not None:
            return aio(*args, **kwargs)
        return stub(*args, **kwargs)

    return either


def _bare(error: Exception) -> Exception:
    """The exception without what the machinery left on it."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


# -- exceptions


def revive_failure(type_name: str, args: list[Any] | tuple[Any, ...], message: str) -> Exception:
    """The exception that a tool raised, from what the host tells of it: Python's own type with the
    same arguments, else a ToolError."""
    kind = _EXCEPTIONS.get(type_name)
    if kind is not None:
        try:
            made = kind(*args)
        except Exception:
            # UnicodeDecodeError and others want arguments of certain types, which did not travel
            pass
        else:
            return made
    return ToolError(f"{type_name}: {message}" if message else type_name, type_name=type_name)


# -- signatures


class _Text:
    """Shows itself as a piece of source: inspect prints the repr of what stands for an annotation
    or a default."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _template() -> None:
    raise TypeError("this only shows the signature of a tool; call the tool itself")


_VARARGS, _VARKEYWORDS = 0x04, 0x08  # flags of a code object, as inspect names them


_KINDS = (
    "positional_only",
    "positional_or_keyword",
    "keyword_only",
    "var_positional",
    "var_keyword",
)


def _shown(spec: Mapping[str, Any], called: str) -> Callable[..., Any] | None:
    """A function with the parameters of a spec, for `inspect` to read; None when they are not
    parameters that Python could have."""
    parameters = sorted(spec.get("parameters", ()), key=lambda p: _KINDS.index(p["kind"]))
    kinds = [p["kind"] for p in parameters]
    only, both, keyword_only, stars, double_stars = map(kinds.count, _KINDS)
    positional = parameters[: only + both]
    names = tuple(str(p["name"]) for p in parameters)
    is_named = all(n.isidentifier() and not keyword.iskeyword(n) for n in names)
    defaults = [_value(p["default"]) for p in positional if p.get("default") is not None]
    misplaced = any(p.get("default") is None for p in positional[len(positional) - len(defaults) :])
    if not is_named or len({*names}) < len(names) or misplaced or stars > 1 or double_stars > 1:
        return None
    code = _template.__code__
    code = code.replace(
        co_argcount=len(positional),
        co_posonlyargcount=only,
        co_kwonlyargcount=keyword_only,
        co_nlocals=len(names),
        co_varnames=names,
        co_flags=code.co_flags | _VARARGS * stars | _VARKEYWORDS * double_stars,
        co_name=called.rpartition(".")[2],
        co_qualname=called,
    )
    shown = FunctionType(code, {"__name__": "tools"}, called.rpartition(".")[2], tuple(defaults))
    shown.__kwdefaults__ = {
        p["name"]: _value(p["default"])
        for p in parameters
        if p["kind"] == "keyword_only" and p.get("default") is not None
    }
    shown.__annotations__ = {
        p["name"]: _Text(p["annotation"]) for p in parameters if p.get("annotation")
    }
    if spec.get("returns"):
        shown.__annotations__["return"] = _Text(spec["returns"])
    return shown


def _value(text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return _Text(text)
    return value if value is not Ellipsis and repr(value) == text else _Text(text)
