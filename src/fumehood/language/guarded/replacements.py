"""The guarded versions of library names that blocked_names.py says are replaced. Each keeps what
the original does for code that stays inside.

None of them derives from a class that would lead out: an ancestor is one `__mro__` away.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
import operator
import sys
import time
import types
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fumehood.errors import ForbiddenCall
from fumehood.language.guarded import access, names
from fumehood.language.guarded.builtins import end_cell
from fumehood.language.guarded.compile import run_generated
from fumehood.language.guarded.output import SWITCHES, redirect

if TYPE_CHECKING:
    from fumehood.language.guarded.session import Session


def make_pandas(session: Session, name: str) -> Any:
    found = getattr(sys.modules["pandas"], name)
    if name == "eval":
        return access.checks_expression(found, name)
    if name in ("pivot_table", "crosstab"):
        return access.checks_texts(found, name)
    return access.takes_no_path(found, name)


# -- private copies: the library's own code, in which some builtins obey the name table


def make_copy(session: Session, name: str) -> Any:
    """An object says itself what a copy of it has set."""
    return session.private_copy("copy", {"setattr": access.guarded_setattr})[name]


def make_formatter(session: Session, name: str) -> Any:
    """string.Formatter reads attributes by names inside of a string."""
    return session.private_copy("string", {"getattr": access.guarded_getattr})[name]


def make_functools(session: Session, name: str) -> Any:
    """Attributes are copied by computed names; annotations are evaluated like cells."""

    def set_attribute(obj: Any, name: Any, value: Any) -> None:
        copies = name in functools.WRAPPER_ASSIGNMENTS and type(name) is str
        (setattr if copies else access.guarded_setattr)(obj, name, value)

    def import_(name: str, *args: Any) -> Any:
        return hints if name == "typing" else __import__(name, *args)

    hints = types.SimpleNamespace(
        get_type_hints=make_type_hints(session, name),
        get_args=typing.get_args,
        get_origin=typing.get_origin,
        Union=typing.Union,
    )
    return session.private_copy(
        "functools",
        {"getattr": access.guarded_getattr, "setattr": set_attribute, "__import__": import_},
    )[name]


def _bound_to(variables: dict[str, Any], function: types.FunctionType) -> types.FunctionType:
    """The same function with other global variables."""
    bound = types.FunctionType(
        function.__code__, variables, function.__name__, function.__defaults__, function.__closure__
    )
    bound.__kwdefaults__, bound.__doc__ = function.__kwdefaults__, function.__doc__
    return bound


def make_type_hints(session: Session, name: str) -> Callable[..., Any]:
    """typing.get_type_hints with its strings evaluated like cells."""

    def get_type_hints(
        obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False
    ) -> dict[str, Any]:
        def evaluated(hint: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(hint, str) or type(hint).__name__ == "ForwardRef":
                text = hint if isinstance(hint, str) else hint.__forward_arg__
                found = session.evaluate(text, globalns, localns)
                return evaluated(type(None) if found is None else found)
            return _with_arguments(hint, evaluated)

        variables = {**vars(typing), "_eval_type": evaluated}
        get: Any = _bound_to(variables, typing.get_type_hints)  # type: ignore[arg-type]
        return dict(get(obj, globalns, localns, include_extras))

    return get_type_hints


def _with_arguments(hint: Any, change: Callable[[Any], Any]) -> Any:
    """A generic type with its arguments changed; the same object if none did."""
    arguments = getattr(hint, "__args__", None)
    if not isinstance(arguments, tuple) or typing.get_origin(hint) is typing.Literal:
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


def coroutine(func: Any) -> Any:
    """types.coroutine changes the function it is given, so it takes only the code's own."""
    if not isinstance(func, types.FunctionType) or not access.is_own_code(func.__code__):
        raise ForbiddenCall("types.coroutine takes only a function of the code's own")
    return types.coroutine(func)


# -- dataclasses: it writes source text from the names of fields, which code can change at any time,
# so that the text is checked when it is about to run. The rest of the library runs as it is, on the
# same classes and sentinels, so that the host's `dataclasses.asdict` understands what code made.


def make_dataclasses(session: Session, name: str) -> Any:
    function = _private_dataclasses()[name]
    if name != "make_dataclass" or sys.version_info < (3, 12):
        return function

    def make_dataclass(*args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("module", access.own_frame().f_globals.get("__name__"))
        return function(*args, **kwargs)

    return make_dataclass


def _private_dataclasses() -> dict[str, Any]:
    """The library's functions, bound to a copy of its variables in which `exec` and `getattr` are
    ours."""
    private = {**vars(dataclasses), "exec": run_generated, "getattr": _get_attribute}

    def bind(value: Any) -> Any:
        return _bound_to(private, value) if isinstance(value, types.FunctionType) else value

    for name, value in vars(dataclasses).items():
        if isinstance(value, types.FunctionType) and value.__module__ == "dataclasses":
            private[name] = value if value.__closure__ else bind(value)
    private["_hash_action"] = {
        key: private[value.__name__] if value else None
        for key, value in private["_hash_action"].items()
    }
    if "_FuncBuilder" in private:  # Python 3.13: writes the text
        methods = {name: bind(value) for name, value in vars(private["_FuncBuilder"]).items()}
        for name in ("__dict__", "__weakref__"):
            methods.pop(name, None)
        private["_FuncBuilder"] = type("_FuncBuilder", (), methods)
    set_attribute = private["_set_new_attribute"]

    def set_new_attribute(cls: Any, name: str, value: Any) -> Any:
        if name == "__match_args__":  # a class pattern reads these past any guard
            value = tuple(itertools.takewhile(lambda field: names.reading(field) == "plain", value))
        return set_attribute(cls, name, value)

    private["_set_new_attribute"] = set_new_attribute
    return private


def _get_attribute(obj: Any, name: Any, *default: Any) -> Any:
    get = getattr if name in ("__dataclass_fields__", "__dataclass_params__") else None
    return (get or access.guarded_getattr)(obj, name, *default)


# -- streams, sleeping, errors, event loops: each the session's own


def make_redirect(session: Session, name: str) -> type:
    stream = name.removeprefix("redirect_")

    class redirecting:
        """Sends what the cell prints to another stream while in the context."""

        def __init__(self, new_target: Any) -> None:
            self._target = new_target
            self._before: list[Any] = []

        def __enter__(self) -> Any:
            self._before.append(redirect(stream, self._target))
            return self._target

        def __exit__(self, *exc: object) -> None:
            redirect(stream, self._before.pop())

    redirecting.__name__ = redirecting.__qualname__ = name
    return redirecting


_SLICE = 0.05


def sleep(seconds: Any, /) -> None:
    """time.sleep in short pieces: outside the main thread the time limit can only act between
    them."""
    if not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e8:
        return time.sleep(seconds)  # raises what CPython raises
    end = time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        time.sleep(max(0, min(left, _SLICE)))
        if left <= _SLICE:
            return None


def make_set_recursion_limit(session: Session, name: str) -> Callable[[int], None]:
    def setrecursionlimit(limit: Any, /) -> None:
        sys.setrecursionlimit(min(operator.index(limit), session.policy.limits.recursion_depth))

    return setrecursionlimit


def make_exc_info(session: Session, name: str) -> Callable[[], Any]:
    def exception() -> BaseException | None:
        return session.handled()

    def exc_info() -> tuple[Any, Any, Any]:
        error = session.handled()
        return (None, None, None) if error is None else (type(error), error, error.__traceback__)

    return exc_info if name == "exc_info" else exception


def make_traceback(session: Session, name: str) -> Any:
    """`format_…` gives text with the code's own frames, `print_…` writes it."""

    def lines(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        if name == "format_tb":
            return session.traces.frames(args[0])
        error = session.handled()
        if not name.endswith("exc"):
            given = (*reversed(args[:3]), kwargs.get("exc"), kwargs.get("value"))
            error = next((value for value in given if isinstance(value, BaseException)), None)
        if error is None:
            return ["NoneType: None"]
        traces = session.traces
        return traces.exception_only(error) if name.endswith("only") else traces.lines(error)

    def function(*args: Any, **kwargs: Any) -> Any:
        found = [line + "\n" for line in lines(args, kwargs)]
        if name.startswith("print_"):
            (kwargs.get("file") or SWITCHES["stderr"]).write("".join(found))
            return None
        return "".join(found) if name == "format_exc" else found

    function.__name__ = function.__qualname__ = name
    return function


def make_asyncio(session: Session, name: str) -> Any:
    import asyncio

    def Runner(*, debug: Any = None, loop_factory: Any = None) -> Any:
        # Not the bound method: it has an owner.
        return asyncio.Runner(debug=debug, loop_factory=lambda: session.new_loop())

    def run(main: Any, *, debug: Any = None, loop_factory: Any = None) -> Any:
        if asyncio._get_running_loop() is not None:
            main.close() if inspect.iscoroutine(main) else None
            raise RuntimeError("asyncio.run() cannot be called from a running event loop")
        with Runner(debug=debug) as runner:
            return runner.run(main)

    def new_event_loop() -> Any:
        return session.new_loop()

    return {"Runner": Runner, "run": run, "new_event_loop": new_event_loop}[name]


def make_random(session: Session, name: str) -> Any:
    return getattr(session.random, name)


def make_warnings(session: Session, name: str) -> Any:
    """Warnings that code raises itself. Filters hold for the session; those of the host's libraries
    stay the host's."""
    filters: list[tuple[str, type]] = session.warning_filters

    def warn(
        message: Any, category: Any = None, stacklevel: Any = 1, source: Any = None, **kwargs: Any
    ) -> None:
        kind = type(message) if isinstance(message, Warning) else category or UserWarning
        for action, wanted in reversed(filters):
            if issubclass(kind, wanted):
                if action == "error":
                    raise message if isinstance(message, Warning) else kind(message)
                if action == "ignore":
                    return
                break
        line = access.own_frame().f_lineno
        for caught in session.caught_warnings[-1:]:
            caught.append(
                types.SimpleNamespace(
                    message=message if isinstance(message, Warning) else kind(message),
                    category=kind,
                    lineno=line,
                )
            )
            return
        SWITCHES["stderr"].write(f"cell, line {line}: {kind.__name__}: {message}\n")

    def simplefilter(
        action: Any, category: Any = Warning, lineno: Any = 0, append: Any = False
    ) -> None:
        filters.insert(0 if append else len(filters), (action, category))

    def filterwarnings(
        action: Any,
        message: Any = "",
        category: Any = Warning,
        module: Any = "",
        lineno: Any = 0,
        append: Any = False,
    ) -> None:
        simplefilter(action, category, append=append)

    def resetwarnings() -> None:
        filters.clear()

    class catch_warnings:
        """Puts the session's filters back afterwards; with record=True gives a list of what was
        warned of."""

        def __init__(
            self,
            *,
            record: bool = False,
            module: Any = None,
            action: Any = None,
            category: Any = Warning,
            lineno: Any = 0,
            append: Any = False,
        ) -> None:
            self._record, self._action, self._category = record, action, category

        def __enter__(self) -> list[Any] | None:
            self._before = list(filters)
            if self._action is not None:
                simplefilter(self._action, self._category)
            if self._record:
                session.caught_warnings.append([])
                return session.caught_warnings[-1]
            return None

        def __exit__(self, *exc: object) -> None:
            filters[:] = self._before
            if self._record:
                session.caught_warnings.pop()

    return {
        thing.__name__: thing
        for thing in (warn, simplefilter, filterwarnings, resetwarnings, catch_warnings)
    }[name]


_Maker = Callable[["Session", str], Any]


def _always(value: Any) -> _Maker:
    return lambda session, name: value


# By "module.name", or by "module" where one maker serves all of its names.
MAKERS: dict[str, _Maker] = {
    "asyncio": make_asyncio,
    "contextlib": make_redirect,
    "copy": make_copy,
    "dataclasses": make_dataclasses,
    "functools": make_functools,
    "numpy": lambda session, name: access.takes_no_path(getattr(sys.modules["numpy"], name), name),
    "operator.attrgetter": _always(access.attrgetter),
    "operator.methodcaller": _always(access.methodcaller),
    "pandas": make_pandas,
    "random": make_random,
    "string.Formatter": make_formatter,
    "sys.exit": _always(end_cell),
    "sys.exc_info": make_exc_info,
    "sys.exception": make_exc_info,
    "sys.setrecursionlimit": make_set_recursion_limit,
    "sys.stderr": _always(SWITCHES["stderr"]),
    "sys.stdout": _always(SWITCHES["stdout"]),
    # With a clock, time.sleep is the clock's.
    "time.sleep": lambda session, name: time.sleep if session.process_environment.clock else sleep,
    "traceback": make_traceback,
    "types.coroutine": _always(coroutine),
    "typing.get_type_hints": make_type_hints,
    "warnings": make_warnings,
}


def replacement(session: Session, module: str, name: str) -> Any:
    """The guarded version of module.name for one session."""
    make = MAKERS.get(f"{module}.{name}") or MAKERS[module]
    return make(session, name)
