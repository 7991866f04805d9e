"""Modules as code sees them: views that hold the authorized public names and nothing behind them.

A view is a plain module object of the session's own. A name is copied into it when code first asks
for it, and writing to a view never reaches the real module. A module found inside a module is a
view too, or absent.

Names that rules.py says are replaced have their guarded versions here. None of them derives from a
class that would lead out: an ancestor is one `__mro__` away.
"""

from __future__ import annotations

import asyncio
import builtins
import copy
import dataclasses
import functools
import importlib
import inspect
import itertools
import operator
import sys
import threading
import time
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from fumehood.default_imports import DANGEROUS_IMPORTS, DEFAULT_IMPORTS
from fumehood.errors import ForbiddenImport, ForbiddenName
from fumehood.language.guarded import access
from fumehood.language.guarded.compile import run_generated, why_not_member, why_not_module
from fumehood.language.guarded.rules import LIBRARY_NAMES, rule
from fumehood.language.source import FILE_PREFIX

if TYPE_CHECKING:
    from fumehood.language.guarded.session import Session

_IMPORTED_BY_C = ("_strptime", "_pydecimal", "numpy")
"""C functions of time, datetime, decimal and numpy import these, or parts of them, through the
`__import__` of the code that calls them; they do not use what it returns."""

# Unguarded functions and types that a module may hold under any name.
_UNGUARDED_BUILTINS = (
    "open eval exec compile getattr setattr delattr vars globals locals input __import__ breakpoint"
)
_UNGUARDED = {
    id(value)
    for value in (
        *(getattr(builtins, name) for name in _UNGUARDED_BUILTINS.split()),
        operator.attrgetter,
        operator.methodcaller,
        types.CodeType,
        types.FrameType,
        sys._getframe,
    )
}

_COPIED = (list, dict, set, bytearray, types.SimpleNamespace)
"""Code gets a copy of such a value, and of a decimal context: the library's own must not change."""


class Modules:
    """The modules of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.views: dict[str, types.ModuleType] = {}

    def import_module(self, name: Any, fromlist: Any, level: Any) -> types.ModuleType:
        """`__import__`, as import statements, code and C functions call it."""
        if not isinstance(name, str):
            raise TypeError(f"__import__() argument 1 must be str, not {type(name).__name__}")
        name = str.__str__(name)
        if level:
            message = "a cell is not part of a package: import by the full name"
            raise ForbiddenImport(message, name=name)
        why = why_not_module(name, self._session.policy)
        is_known = name in sys.modules or name.partition(".")[0] in _IMPORTED_BY_C
        if why is not None and type(fromlist) is list and not fromlist and is_known:
            importlib.import_module(name)
            return types.ModuleType(name)  # empty: the C function looks the module up itself
        if why is not None:
            advice = self._session.imports.advice(name)
            raise ForbiddenImport(f"import {name}: {why}. {advice}", name=name)
        view = self._view(name)
        self._session.imports.imported[name] = None
        for member in fromlist or ():
            self._import_member(view, name, access.exact_name(member))
        while "." in name and not fromlist:  # `import os.path` makes os.path readable through os
            name, _, part = name.rpartition(".")
            vars(self._view(name)).setdefault(part, view)
            view = self._view(name)
        return view

    def _import_member(self, view: types.ModuleType, name: str, member: str) -> None:
        """Have the view hold the name: the statement looks into sys.modules for what is missing."""
        try:
            _ = member == "*" or getattr(view, member)
        except ForbiddenName as error:
            raise ForbiddenImport(str(error), name=name) from None
        except AttributeError:  # a part that is not loaded yet, or nothing
            child = f"{name}.{member}"
            try:
                if why_not_module(child, self._session.policy) is not None:
                    raise ModuleNotFoundError(child)
                vars(view)[member] = self._view(child)
            except ModuleNotFoundError:
                message = f"cannot import name {member!r} from {name!r}"
                raise ImportError(message, name=name) from None

    # -- views

    def _view(self, name: str) -> types.ModuleType:
        if name in self.views:
            return self.views[name]
        real: Any = sys.modules.get(name)
        is_loaded = isinstance(real, types.ModuleType)
        if not is_loaded or getattr(real.__spec__, "_initializing", False):  # by another thread
            real = importlib.import_module(name)
        self._session.see_module(real)
        view = self.views[name] = types.ModuleType(name)
        own = vars(view)
        own |= {
            text: str(value)
            for text in ("__doc__", "__version__", "__author__")
            if isinstance(value := getattr(real, text, None), str)
        }
        own["__dir__"] = lambda: sorted(self._public(name, real))

        def __getattr__(member: str) -> Any:
            if member == "__all__":
                return [public for public in self._public(name, real) if hasattr(view, public)]
            return own.setdefault(member, self._resolve(view, real, name, member))

        own["__getattr__"] = __getattr__
        return view

    def _public(self, name: str, real: types.ModuleType) -> list[str]:
        members, policy = getattr(real, "__all__", None), self._session.policy
        grant = policy.grant(name)
        if grant is not None and grant.only is not None:
            members = sorted(grant.only)
        elif not isinstance(members, (list, tuple)):
            members = [  # of a copy: another thread may be importing a part of it
                member
                for member, value in [*vars(real).items()]
                if not member.startswith("_") and not isinstance(value, types.ModuleType)
            ]
        present = [member for member in members if hasattr(real, member)]
        return [member for member in present if why_not_member(name, member, policy) is None]

    def _resolve(
        self, view: types.ModuleType, real: types.ModuleType, name: str, member: str
    ) -> Any:
        """One name of a module, looked at once."""

        def refusal(why: str) -> ForbiddenName:
            return ForbiddenName(f"{name}.{member}: {why}", name=member, obj=view)

        # The original's error has the real module as its `obj`.
        missing = AttributeError(
            f"module {name!r} has no attribute {member!r}", name=member, obj=view
        )
        if member.startswith("__") and member.endswith("__"):
            raise missing  # what Python itself looks for on a module (__path__, __wrapped__ …)
        why = why_not_member(name, member, self._session.policy)
        if why is not None:
            raise refusal(why)
        value = getattr(real, member, missing)  # a module may load its parts late
        if value is missing:
            raise missing
        row = LIBRARY_NAMES.get((name, member))
        if row is not None and row.verdict == "replaced":
            make = MAKERS.get(f"{name}.{member}") or MAKERS[name]
            return make(self._session, member)
        if isinstance(value, types.ModuleType):
            # A part of the module, or another one under its own name (matplotlib.pyplot.cm is
            # matplotlib.cm).
            for own_name in (f"{name}.{member}", vars(value).get("__name__")):
                if (
                    isinstance(own_name, str)
                    and sys.modules.get(own_name) is value
                    and why_not_module(own_name, self._session.policy) is None
                ):
                    return self._view(own_name)
            raise refusal("a module that is not authorized")
        if self._is_hidden(real, name, member, value):
            raise refusal("not one of this module's public names")
        is_context = type(value).__module__ == "decimal" and type(value).__name__ == "Context"
        return copy.copy(value) if type(value) in _COPIED or is_context else value

    def _is_hidden(self, real: types.ModuleType, name: str, member: str, value: Any) -> bool:
        if name in self._session.policy.imports and name in DANGEROUS_IMPORTS:
            return False  # authorized by name, and warned about
        if id(value) in _UNGUARDED:
            return True
        # A standard module's list of public names is complete; what else stands in it was imported
        # for its own use.
        listed = getattr(real, "__all__", None)
        row = DEFAULT_IMPORTS.get(name)
        return (
            name.partition(".")[0] in sys.stdlib_module_names
            and listed is not None
            and member not in listed
            and not (row and row.only)
        )


# -- guarded versions of library names

_Maker = Callable[["Session", str], Any]


def _checked(module: str, check: Callable[..., Any]) -> _Maker:
    return lambda session, name: check(getattr(sys.modules[module], name), name)


# -- private copies: the library's own code, in which some builtins obey the name table


def _private(module: str, **replaced: Any) -> _Maker:
    return lambda session, name: getattr(session.private_copy(module, replaced), name)


def _importing(module: str, other: Any = None) -> Callable[..., Any]:
    """An `__import__` that gives another module of this name, or none."""

    def import_(name: str, *args: Any) -> Any:
        if name != module:
            return __import__(name, *args)
        if other is None:
            raise ImportError(name)
        return other

    return import_


def make_functools(session: Session, name: str) -> Any:
    """Attributes are copied by computed names; annotations are evaluated like cells."""

    def set_attribute(obj: Any, name: Any, value: Any) -> None:
        copies = name in functools.WRAPPER_ASSIGNMENTS and type(name) is str
        (setattr if copies else access.guarded_setattr)(access.changeable(obj), name, value)

    hints = types.SimpleNamespace(**vars(typing))
    hints.get_type_hints = make_type_hints(session, name)
    replaced = {
        "getattr": access.guarded_getattr,
        "setattr": set_attribute,
        "__import__": _importing("typing", hints),
    }
    return getattr(session.private_copy("functools", replaced), name)


def make_type_hints(session: Session, name: str) -> Callable[..., Any]:
    """typing.get_type_hints with its strings evaluated like cells."""

    def get_type_hints(
        obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False
    ) -> dict[str, Any]:
        def evaluated(hint: Any, *args: Any, **kwargs: Any) -> Any:
            while isinstance(hint, typing.ForwardRef):
                hint = session.evaluate(hint.__forward_arg__, globalns, localns)
                hint = type(None) if hint is None else hint
                hint = typing.ForwardRef(hint) if isinstance(hint, str) else hint
            return with_arguments(hint, *args, **kwargs)

        # The library's functions, which find this one among their global variables.
        variables = {**vars(typing), "_eval_type": evaluated}
        with_arguments = _bound_to(variables, typing._eval_type)  # type: ignore[attr-defined]
        get: Any = _bound_to(variables, typing.get_type_hints)
        return dict(get(obj, globalns, localns, include_extras))

    return get_type_hints


def _bound_to(variables: dict[str, Any], function: Any) -> types.FunctionType:
    """The same function with other global variables."""
    bound = types.FunctionType(
        function.__code__, variables, function.__name__, function.__defaults__, function.__closure__
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    return bound


# -- dataclasses: source text made from names of fields is checked when it is about to run. The rest
# runs as it is, on the real classes and sentinels, so that the host's `asdict` understands them.


def make_dataclasses(session: Session, name: str) -> Any:
    """The library's functions with our `exec` and `getattr`, and its real classes and sentinels."""
    replaced = {"exec": run_generated, "getattr": _get_attribute}
    private: Any = session.private_copy("dataclasses", replaced)
    if private.Field is not dataclasses.Field:
        _share_classes(private)
    return getattr(private, name)


def _share_classes(private: Any) -> None:
    own = ("__builtins__", "_hash_action", "_FuncBuilder")  # they hold functions
    for name, value in vars(dataclasses).items():
        if not isinstance(value, types.FunctionType) and name not in own:
            setattr(private, name, value)
    private.field = dataclasses.field  # its defaults are sentinels
    process_class, set_attribute = private._process_class, private._set_new_attribute

    def set_new_attribute(cls: Any, name: str, value: Any) -> Any:
        if name == "__match_args__":  # a class pattern reads these past any guard
            value = tuple(itertools.takewhile(lambda field: rule(field).read == "plain", value))
        return set_attribute(cls, name, value)

    private._set_new_attribute = set_new_attribute
    private._process_class = lambda cls, *args: process_class(access.changeable(cls), *args)


def _get_attribute(obj: Any, name: Any, *default: Any) -> Any:
    is_own = name in ("__dataclass_fields__", "__dataclass_params__")
    return (getattr if is_own else access.guarded_getattr)(obj, name, *default)


# -- streams, sleeping, errors, event loops: each the session's own. A switch stands in for
# `sys.stdout` and one for `sys.stderr`, also where code asks for them. Each hands the text of a
# thread to the cell that runs there, or else to the host's stream.

_PLAIN: dict[str, Any] = {
    "encoding": "utf-8",
    "errors": "backslashreplace",
    "newlines": None,
    "closed": False,
    "close": lambda: None,
    "isatty": lambda: False,
    "readable": lambda: False,
    "writable": lambda: True,
    "seekable": lambda: False,
}
"""What a cell finds of its streams, besides the methods of the switch."""


class _Switch:
    """Keeps its state in this module and not in itself: libraries hand their stream around."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> Any:
        return _stream(self.name).write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if _here.streams is None:
            _stream(self.name).flush()

    def __getattr__(self, name: str) -> Any:
        # The host's other threads may use any part of their stream.
        is_cell = sys._getframe(1).f_code.co_filename.startswith(FILE_PREFIX)
        if not is_cell and _here.streams is None:
            return getattr(_stream(self.name), name)
        if name not in _PLAIN:
            raise AttributeError(f"this stream has no {name} while a cell runs", name=name)
        return _PLAIN[name]


class _Thread(threading.local):
    streams: Any = None
    """Where the text of this thread's cell goes, by the name of the stream."""


_here = _Thread()
_hosts: dict[str, TextIO] = {}
_lock = threading.Lock()
_depth = 0
SWITCHES = {name: _Switch(name) for name in ("stdout", "stderr")}


def _stream(name: str) -> Any:
    if _here.streams is not None:
        return _here.streams[name]
    return _hosts.get(name) or sys.__dict__[f"__{name}__"]


@contextmanager
def catching_output(buffer: Any = None) -> Iterator[None]:
    """While in this context, what this thread writes to the standard streams goes to `buffer`, or
    to where it went before if that is None. May be nested and used in many threads."""
    global _depth
    with _lock:
        streams = {name: buffer or getattr(sys, name) for name in SWITCHES}
        for name, switch in SWITCHES.items():
            if getattr(sys, name) is not switch:  # the host may have put another stream there
                _hosts[name] = getattr(sys, name)
                setattr(sys, name, switch)
        _depth += 1
    try:
        with writing_to(streams):
            yield
    finally:
        with _lock:
            _depth -= 1
            for name, switch in SWITCHES.items() if _depth == 0 else ():
                host = _hosts.pop(name)
                if getattr(sys, name) is switch:
                    setattr(sys, name, host)


@contextmanager
def writing_to(streams: dict[str, Any] | None) -> Iterator[None]:
    """In this context this thread writes to these streams, or to the host's own."""
    before, _here.streams = _here.streams, streams
    try:
        yield
    finally:
        _here.streams = before


def sleep(seconds: Any, /) -> None:
    """time.sleep in pieces: outside the main thread the time limit acts only between them."""
    if not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e8:
        return time.sleep(seconds)  # raises what CPython raises
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > _SLICE:
        time.sleep(_SLICE)
    return time.sleep(max(0, left))


_SLICE = 0.05


def make_set_recursion_limit(session: Session, name: str) -> Callable[[int], None]:
    def setrecursionlimit(limit: Any, /) -> None:
        sys.setrecursionlimit(min(operator.index(limit), session.policy.limits.recursion_depth))

    return setrecursionlimit


def make_exc_info(session: Session, name: str) -> Callable[[], Any]:
    def exc_info() -> tuple[Any, Any, Any]:
        error = session.handled()
        return (None, None, None) if error is None else (type(error), error, error.__traceback__)

    return exc_info if name == "exc_info" else lambda: session.handled()


def make_traceback(session: Session, name: str) -> Any:
    """`format_…` gives text with the code's own frames, `print_…` writes it."""
    traces = session.traces

    def function(*args: Any, **kwargs: Any) -> Any:
        given = (*reversed(args[:3]), kwargs.get("exc"), kwargs.get("value"))
        errors = [value for value in given if isinstance(value, BaseException)]
        error = session.handled() if name.endswith("exc") else next(iter(errors), None)
        if name == "format_tb":
            found = traces.frames(args[0])
        elif error is None:
            found = ["NoneType: None"]
        elif name.endswith("only"):
            found = traces.exception_only(error)
        else:
            found = traces.lines(error)
        found = [line + "\n" for line in found]
        if name.startswith("print_"):
            (kwargs.get("file") or SWITCHES["stderr"]).write("".join(found))
            return None
        return "".join(found) if name == "format_exc" else found

    function.__name__ = function.__qualname__ = name
    return function


def make_asyncio(session: Session, name: str) -> Any:
    def new_event_loop() -> Any:
        return session.new_loop()

    def run(main: Any, *, debug: Any = None, loop_factory: Any = None) -> Any:
        if asyncio._get_running_loop() is not None:
            main.close() if inspect.iscoroutine(main) else None
            raise RuntimeError("asyncio.run() cannot be called from a running event loop")
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(main)

    return run if name == "run" else new_event_loop


def make_warnings(session: Session, name: str) -> Any:
    """A copy of the library's module with its own filters. C's `_warnings` has the host's."""
    private: Any = session.private_copy("warnings", {"__import__": _importing("_warnings")})
    if name != "catch_warnings":
        return getattr(private, name)

    def catch_warnings(**options: Any) -> Any:
        return private.catch_warnings(module=private, **options)

    return catch_warnings


def end_cell(code: Any = None) -> None:
    """exit, quit and sys.exit: end the cell. Not the library's, which have a module behind them."""
    raise SystemExit(code)


# By "module.name", or by "module" where one maker serves all of its names.
MAKERS: dict[str, _Maker] = {
    "asyncio": make_asyncio,
    # The library redirects a stream by setting it in `sys`.
    "contextlib": _private(
        "contextlib",
        getattr=lambda module, name: _here.streams[name],
        setattr=lambda module, name, target: _here.streams.update({name: target}),
    ),
    # An object says itself what a copy of it has set.
    "copy": _private("copy", setattr=access.guarded_setattr),
    "dataclasses": make_dataclasses,
    "functools": make_functools,
    "numpy": _checked("numpy", access.takes_no_path),
    # The library's classes in Python; those in C read attributes themselves.
    "operator": _private(
        "operator", getattr=access.guarded_getattr, __import__=_importing("_operator")
    ),
    "pandas": _checked("pandas", access.takes_no_path),
    "pandas.crosstab": _checked("pandas", access.checks_texts),
    "pandas.pivot_table": _checked("pandas", access.checks_texts),
    "random": lambda session, name: getattr(session.random, name),
    "string.Formatter": _private("string", getattr=access.guarded_getattr),
    "sys.exit": lambda session, name: end_cell,
    "sys.exc_info": make_exc_info,
    "sys.exception": make_exc_info,
    "sys.setrecursionlimit": make_set_recursion_limit,
    "sys.stderr": lambda session, name: SWITCHES["stderr"],
    "sys.stdout": lambda session, name: SWITCHES["stdout"],
    # With a clock, time.sleep is the clock's.
    "time.sleep": lambda session, name: time.sleep if session.clock else sleep,
    "traceback": make_traceback,
    "typing.get_type_hints": make_type_hints,
    "warnings": make_warnings,
}
