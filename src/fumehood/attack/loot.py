"""What an escape is after: `is_dangerous` says why an object must never reach guarded code, or
returns None.

The judge runs inside the attacked process and is handed hostile objects, so it looks at them by
identity and by
`type()` only; it never calls a method that the object's own class could have written.
"""

from __future__ import annotations

import builtins
import collections
import io
import itertools
import re
import sys
import types
from asyncio.base_events import BaseEventLoop
from collections.abc import Iterable
from typing import Any


class Canary:
    """The host's secret object. Its repr is known, so that a text made from it is recognised as
    well."""

    def __repr__(self) -> str:
        return CANARY_TEXT


CANARY_TEXT = "canary of the host, seen by guarded code"
CANARY = Canary()

# The content of the file `secret_path` and of an environment variable. It is put together here so
# that a program that only manages to read the source of this module has not read the secret.
SECRET_TEXT = "-".join(["nightingale", "secret", "of", "the", "host"])

# Text that only comes from printing a forbidden object.
_TELLTALE = re.compile(
    r"<code object |<frame at |<frame object |<built-in function (open|exec|eval|__import__)>"
    r"|<module '(os|sys|builtins|posix)'|environ\(\{"
)

_BUILTINS = (
    "open eval exec compile __import__ getattr setattr delattr vars globals locals input breakpoint"
)

# Every function and class these modules define is loot, but for the pure ones below.
_FORBIDDEN_MODULES = (
    "_ctypes _pickle _posixsubprocess _signal _socket code codeop ctypes gc importlib"
    " importlib._bootstrap importlib._bootstrap_external importlib.machinery importlib.util inspect"
    " linecache marshal multiprocessing os pathlib pathlib._local pickle posix pty runpy shutil"
    " signal socket subprocess tempfile threading"
).split()
_HARMLESS = set(
    "fspath fsencode fsdecode strerror urandom cpu_count getpid PathLike terminal_size get_ident".split()  # noqa: E501
)

# Single functions and classes of modules that are otherwise fine.
_FORBIDDEN_NAMES = {
    "builtins": _BUILTINS,
    "sys": (
        "_getframe _current_frames _current_exceptions _getframemodulename settrace setprofile"
        " addaudithook setrecursionlimit excepthook displayhook breakpointhook call_tracing"
    ),
    "io": "open open_code FileIO",
    "codecs": "open",
    "types": "CodeType FrameType",
    "uuid": "getnode uuid1",
    "zoneinfo": "reset_tzpath",
    "contextlib": "chdir",
    "operator": "attrgetter methodcaller",
    "asyncio": (
        "create_subprocess_exec create_subprocess_shell open_connection start_server"
        " open_unix_connection start_unix_server to_thread"
    ),
    "traceback": "walk_tb walk_stack",
    "typing": "get_type_hints",
    "numpy": (
        "load save savez savez_compressed fromfile memmap loadtxt savetxt genfromtxt fromregex test"
    ),
    "numpy.lib.stride_tricks": "as_strided",
    "numpy.lib.npyio": "DataSource NpzFile",
    "numpy.lib.format": "open_memmap read_array",
    "pandas": (
        "read_pickle read_csv read_table read_fwf read_json read_excel read_parquet read_sql"
        " read_clipboard HDFStore ExcelWriter to_pickle test"
    ),
    "pandas.api.typing": "StataReader SASReader",
    "pandas.io.common": "get_handle urlopen",
}

# Slots of the object model that read, write or list by computed name.
_RAW_PRIMITIVES = {"__getattribute__", "__subclasses__", "__setattr__", "__delattr__"}
_SLOTS = (
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.MethodDescriptorType,
    types.BuiltinMethodType,
)

# Taken when this module is loaded: while a cell runs, sys.stdout may be the cell's own stream,
# which is no loot.
_HOST_STREAMS = (sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__)

_ITEMS_LOOKED_AT = 20_000


def is_dangerous(obj: Any) -> str | None:
    """Why `obj` must not be in the hands of guarded code, looking one level into containers; None
    if it may be."""
    return _alone(obj) or _inside(obj)


def _alone(obj: Any) -> str | None:
    kind = type(obj)
    if issubclass(kind, str):
        return _text(str.__str__(obj))
    if issubclass(kind, (bytes, bytearray)):
        base = bytes if issubclass(kind, bytes) else bytearray
        return "bytes of a secret file" if base.__contains__(obj, SECRET_TEXT.encode()) else None
    if obj is CANARY:
        return "the host's canary object"
    if kind is types.CodeType:
        return "a code object"
    if kind is types.FrameType:
        return "a frame"
    if issubclass(kind, types.ModuleType):
        return next(
            (
                f"the real module {name}"
                for name, module in list(sys.modules.items())
                if module is obj
            ),
            None,
        )
    if issubclass(kind, dict):
        return _namespace(obj)
    return _handle(obj, kind) or _primitive(obj, kind) or _function(obj, kind)


def _text(text: str) -> str | None:
    if text.startswith("mutated"):
        return text
    if SECRET_TEXT in text:
        return "text of a secret file or variable"
    if CANARY_TEXT in text:
        return "text made from the host's canary"
    found = _TELLTALE.search(text)
    return f"text made from a forbidden object: {found.group()!r}" if found else None


def _namespace(obj: dict[Any, Any]) -> str | None:
    if obj is sys.modules:
        return "sys.modules"
    for name, module in list(sys.modules.items()):
        if (
            issubclass(type(module), types.ModuleType)
            and object.__getattribute__(module, "__dict__") is obj
        ):
            return f"the namespace of the module {name}"
    inside = dict.get(obj, "__builtins__")
    return (
        "a namespace with the real builtins"
        if inside is builtins or inside is builtins.__dict__
        else None
    )


def _handle(obj: Any, kind: type) -> str | None:
    if any(obj is stream for stream in _HOST_STREAMS):
        return "a standard stream of the host"
    if issubclass(kind, io.FileIO):
        return "an open file"
    for base in (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom):
        if issubclass(kind, base):
            try:
                return f"an open file, descriptor {base.fileno(obj)}"
            except (OSError, ValueError):  # a stream in memory, or closed
                return None
    if issubclass(kind, BaseEventLoop):
        return _event_loop(obj)
    if kind.__name__ in _MACHINERY and kind.__module__.startswith("fumehood."):
        return f"the sandbox's own {kind.__name__}"
    names = {
        f"{each.__module__}.{each.__name__}"
        for each in kind.__mro__
        if each.__module__ in _HANDLE_MODULES
    }
    return f"a handle: {', '.join(sorted(names))}" if names else None


_HANDLE_MODULES = {"_socket", "_ctypes", "subprocess", "os"}
# From these code could change its own rules.
_MACHINERY = {
    "Session",
    "Modules",
    "Pristine",
    "Deadline",
    "Traces",
    "InlineSession",
    "LocalPythonExecutor",
}
_LOOP_METHODS = (
    "subprocess_exec subprocess_shell create_connection create_server run_in_executor"
    " connect_read_pipe".split()
)


def _event_loop(loop: BaseEventLoop) -> str | None:
    # A loop of the sandbox's own that has no such methods is fine; the real one opens sockets and
    # starts programs.
    real = type(loop).subprocess_exec is BaseEventLoop.subprocess_exec
    return "an event loop that starts programs" if real else None


def _primitive(obj: Any, kind: type) -> str | None:
    if kind not in _SLOTS:
        return None
    name = obj.__name__
    if name in _RAW_PRIMITIVES:
        return f"the raw {name}"
    owner = getattr(obj, "__objclass__", None) or type(getattr(obj, "__self__", None))
    if name in {"format", "format_map"} and issubclass(owner, str):
        return f"the raw str.{name}"
    return None


def _function(obj: Any, kind: type) -> str | None:
    if kind is types.MethodType:
        obj = obj.__func__
        kind = type(obj)
    if kind is types.FunctionType and dict.get(obj.__globals__, "CANARY") is CANARY:
        return f"the host's own function {obj.__name__}"
    for name in _LOOP_METHODS:
        if obj is getattr(BaseEventLoop, name):
            return f"{name} of an event loop"
    if obj is None or kind in {int, float, bool, tuple, list, set}:
        return None
    for name, wanted in _FORBIDDEN_NAMES.items():
        loaded = sys.modules.get(name)
        for each in wanted.split() if loaded is not None else ():
            if vars(loaded).get(each) is obj:
                return f"the real {name}.{each}"
    for name in _FORBIDDEN_MODULES:
        loaded = sys.modules.get(name)
        for each, value in list(vars(loaded).items()) if loaded is not None else ():
            # What the module merely imported (os.Mapping, pickle.partial) is somebody else's, and
            # may be harmless.
            if (
                value is obj
                and each not in _HARMLESS
                and getattr(value, "__module__", None) in _FORBIDDEN_MODULES
            ):
                return f"the real {name}.{each}"
    return None


def _inside(obj: Any) -> str | None:
    items = list(itertools.islice(_items(obj), _ITEMS_LOOKED_AT))
    classes = sum(issubclass(type(item), type) for item in items)
    # Not for dictionaries: the guarded builtins are one, and most of them are classes.
    if classes > 50 and not issubclass(type(obj), dict):
        return f"a list of {classes} classes"
    for item in items:
        reason = _alone(item)
        if reason:
            return f"a container with {reason}"
    return None


def _items(obj: Any) -> Iterable[Any]:
    kind = type(obj)
    if issubclass(kind, dict):
        return dict.values(obj)
    for base in (list, tuple, set, frozenset, collections.deque):
        if issubclass(kind, base):
            return base.__iter__(obj)
    if kind is types.MappingProxyType:
        try:
            return list(dict(obj).values())
        except Exception:  # it stands for something that is no mapping
            return ()
    return ()
