"""The guarded versions of library names that doors.py says are replaced. Each keeps what the
original does for code that stays inside.

None of them derives from a class that would lead out: an ancestor is one `__mro__` away.
"""

from __future__ import annotations

import calendar
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

if TYPE_CHECKING:
    from fumehood.language.guarded.session import Session

# -- numpy and pandas: functions that read files get a stream


def make_numpy(session: Session, name: str) -> Any:
    return access.takes_no_path(getattr(sys.modules["numpy"], name), name)


def make_pandas(session: Session, name: str) -> Any:
    found = getattr(sys.modules["pandas"], name)
    if name == "eval":
        return access.checks_expression(found, name)
    if name in ("pivot_table", "crosstab"):
        return access.checks_texts(found, name)
    return access.takes_no_path(found, name)


# -- functools


def make_functools(session: Session, name: str) -> Any:
    """The library's own code, with a getattr and a setattr that obey the name table and with
    annotations evaluated like cells."""

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


# -- dataclasses: it writes source text from the names of fields, which code can change at any time,
# so that the text is checked when it is about to run. The rest of the library runs as it is, on the
# same classes and sentinels, so that the host's `dataclasses.asdict` understands what code made.


def make_dataclasses(session: Session, name: str) -> Any:
    private = _private_dataclasses()
    if name == "make_dataclass" and sys.version_info >= (3, 12):
        make = private[name]

        def make_dataclass(*args: Any, **kwargs: Any) -> Any:
            kwargs.setdefault("module", access.own_frame().f_globals.get("__name__"))
            return make(*args, **kwargs)

        return make_dataclass
    return private[name]


def _private_dataclasses() -> dict[str, Any]:
    """The library's functions, bound to a copy of its variables in which `exec` and `getattr` are
    ours."""
    private = {**vars(dataclasses), "exec": run_generated, "getattr": _get_attribute}

    def bind(function: Any) -> Any:
        if not isinstance(function, types.FunctionType):
            return function
        bound = types.FunctionType(
            function.__code__, private, function.__name__, function.__defaults__
        )
        bound.__kwdefaults__ = function.__kwdefaults__
        bound.__doc__ = function.__doc__
        return bound

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


# -- streams, sleeping, event loops, generators of random numbers: each the session's own

_SLICE = 0.05


def make_copy(session: Session, name: str) -> Any:
    """The library's copy functions, run with a setattr that obeys the name table: an object says
    itself what a copy of it has set."""
    return session.private_copy("copy", {"setattr": access.guarded_setattr})[name]


def make_redirect(session: Session, name: str) -> type:
    class redirect:
        """Sends what the cell prints to another stream while in the context."""

        def __init__(self, new_target: Any) -> None:
            self._target = new_target
            self._before: list[Any] = []

        def __enter__(self) -> Any:
            self._before.append(session.redirect(name, self._target))
            return self._target

        def __exit__(self, *exc: object) -> None:
            session.redirect(name, self._before.pop())

    redirect.__name__ = redirect.__qualname__ = name
    return redirect


# -- time, sys


def make_sleep(session: Session, name: str) -> Callable[[Any], None]:
    return sleep if session.surroundings.clock is None else time.sleep  # which is the clock's then


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
    most = session.policy.limits.recursion_depth

    def setrecursionlimit(limit: Any, /) -> None:
        if not isinstance(limit, int):
            raise TypeError(f"'{type(limit).__name__}' object cannot be interpreted as an integer")
        sys.setrecursionlimit(min(limit, most))

    return setrecursionlimit


def make_exc_info(session: Session, name: str) -> Callable[[], Any]:
    def exception() -> BaseException | None:
        error = sys.exc_info()[1]
        return error if session.is_running and error is not session.traces.ignored else None

    def exc_info() -> tuple[Any, Any, Any]:
        error = exception()
        return (
            (type(error), error, error.__traceback__) if error is not None else (None, None, None)
        )

    return exc_info if name == "exc_info" else exception


def implementation(session: Session, name: str) -> types.SimpleNamespace:
    return types.SimpleNamespace(**vars(sys.implementation))


# -- random, calendar, decimal


def make_random(session: Session, name: str) -> Any:
    return getattr(session.random, name)


def make_calendar(session: Session, name: str) -> Any:
    """The module's functions belong to one calendar object that everybody shares; these belong to
    the session's."""
    own = session.calendar

    def setfirstweekday(firstweekday: int) -> None:
        if not 0 <= firstweekday <= 6:
            raise calendar.IllegalWeekdayError(firstweekday)
        own.firstweekday = firstweekday

    return {
        "setfirstweekday": setfirstweekday,
        "firstweekday": own.getfirstweekday,
        "monthcalendar": own.monthdayscalendar,
        "week": own.formatweek,
        "weekheader": own.formatweekheader,
        "month": own.formatmonth,
        "calendar": own.formatyear,
        "prweek": own.prweek,
        "prmonth": own.prmonth,
        "prcal": own.pryear,
    }[name]


def make_decimal_context(session: Session, name: str) -> Any:
    import decimal

    return getattr(decimal, name).copy()


# -- asyncio


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

    def get_event_loop() -> Any:
        return asyncio._get_running_loop() or session.loop

    def new_event_loop() -> Any:
        return session.new_loop()

    def set_event_loop(loop: Any) -> None:
        session.loop = loop

    def get_running_loop() -> Any:
        loop = asyncio._get_running_loop()
        if loop is None:
            raise RuntimeError("no running event loop")
        return loop

    return {
        f.__name__: f
        for f in (Runner, run, get_event_loop, new_event_loop, set_event_loop, get_running_loop)
    }[name]


# -- text about objects and errors, with nothing of the host in it


def make_formatter(session: Session, name: str) -> Any:
    """string.Formatter whose fields read attributes by names that obey the name table."""
    return session.private_copy("string", {"getattr": access.guarded_getattr})[name]


# -- traceback, warnings


def make_traceback(session: Session, name: str) -> Any:
    def the_error(args: tuple[Any, ...], kwargs: dict[str, Any]) -> BaseException | None:
        for value in (*reversed(args[:3]), kwargs.get("exc"), kwargs.get("value")):
            if isinstance(value, BaseException):
                return value
        return None

    def handled() -> BaseException | None:
        error = sys.exc_info()[1]
        return error if session.is_running and error is not session.traces.ignored else None

    def text(error: BaseException | None) -> list[str]:
        return (
            [line + "\n" for line in session.traces.lines(error)]
            if error is not None
            else ["NoneType: None\n"]
        )

    def format_exception(*args: Any, **kwargs: Any) -> list[str]:
        return text(the_error(args, kwargs))

    def format_exception_only(*args: Any, **kwargs: Any) -> list[str]:
        error = the_error(args, kwargs)
        return (
            [line + "\n" for line in session.traces.exception_only(error)]
            if error is not None
            else ["NoneType: None\n"]
        )

    def format_exc(limit: Any = None, chain: bool = True) -> str:
        return "".join(text(handled()))

    def format_tb(tb: Any, limit: Any = None) -> list[str]:
        return [line + "\n" for line in session.traces.frames(tb)]

    def print_exc(limit: Any = None, file: Any = None, chain: bool = True) -> None:
        (file or session.stderr).write("".join(text(handled())))

    def print_exception(*args: Any, file: Any = None, **kwargs: Any) -> None:
        (file or session.stderr).write("".join(text(the_error(args, kwargs))))

    made = (
        format_exception,
        format_exception_only,
        format_exc,
        format_tb,
        print_exc,
        print_exception,
    )
    return {f.__name__: f for f in made}[name]


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
        session.stderr.write(f"cell, line {line}: {kind.__name__}: {message}\n")

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
_MAKERS: dict[str, _Maker] = {
    "asyncio": make_asyncio,
    "calendar": make_calendar,
    "contextlib": make_redirect,
    "copy": make_copy,
    "dataclasses": make_dataclasses,
    "decimal": make_decimal_context,
    "functools": make_functools,
    "numpy": make_numpy,
    "operator.attrgetter": _always(access.attrgetter),
    "operator.methodcaller": _always(access.methodcaller),
    "pandas": make_pandas,
    "random": make_random,
    "string.Formatter": make_formatter,
    "sys.exit": _always(end_cell),
    "sys.exc_info": make_exc_info,
    "sys.exception": make_exc_info,
    "sys.implementation": implementation,
    "sys.setrecursionlimit": make_set_recursion_limit,
    "sys.stderr": lambda session, name: getattr(session, name),
    "sys.stdout": lambda session, name: getattr(session, name),
    "time.sleep": make_sleep,
    "traceback": make_traceback,
    "types.coroutine": _always(coroutine),
    "typing.get_type_hints": make_type_hints,
    "warnings": make_warnings,
}


def replacement(session: Session, module: str, name: str) -> Any:
    """The guarded version of module.name for one session."""
    make = _MAKERS.get(f"{module}.{name}") or _MAKERS[module]
    return make(session, name)
