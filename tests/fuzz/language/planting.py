"""The host that programs run beside: secrets in every place where a host has them, and a judge of
whatever a program gets hold of.

A secret object records that it was touched. A secret text is random, so whoever shows it has been
where it was. Besides, an object is judged by what it is (attack/loot.py): a frame, a code object or
a real module is the way out, whether or not a program goes on from there. And the interpreter
itself tells of what guarded code did (its audit events), however it got there.
"""

from __future__ import annotations

import contextvars
import os
import re
import secrets
import sys
import tempfile
import types
import zoneinfo
from pathlib import Path
from typing import Any

from fumehood.attack.loot import is_dangerous
from fumehood.language.guarded.access import is_own_code

TOKEN = f"NIGHTINGALE{secrets.token_hex(16)}"
TOUCHED: list[str] = []
VARIABLE = "FUZZ_HOST_SECRET"
CONTEXT: contextvars.ContextVar[Any] = contextvars.ContextVar("fuzz_host", default=None)


class Canary:
    """An object of the host's that nobody may touch, least of all by accident: whatever is asked of
    it is written down."""

    token = TOKEN

    def __getattribute__(self, name: str) -> Any:
        TOUCHED.append(f"its attribute {name}")
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        TOUCHED.append(f"its attribute {name} is set")

    def __repr__(self) -> str:
        TOUCHED.append("its repr")
        return TOKEN

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        TOUCHED.append("a call of it")
        return TOKEN

    def __eq__(self, other: object) -> bool:
        TOUCHED.append("a comparison with it")
        return self is other

    def __hash__(self) -> int:
        TOUCHED.append("its hash")
        return 1

    def __bool__(self) -> bool:
        TOUCHED.append("its truth")
        return True

    def __iter__(self) -> Any:
        TOUCHED.append("its items")
        return iter((TOKEN,))

    def __del__(self) -> None:
        TOUCHED.append("its end")


CANARY = Canary()


def plant() -> str:
    """Put secrets in place; gives the path of a file with one."""
    host = types.ModuleType("fuzz_host")
    host.canary = CANARY  # type: ignore[attr-defined]
    sys.modules["fuzz_host"] = host
    sys.modules["builtins"].fuzz_canary = CANARY  # type: ignore[attr-defined]
    os.environ[VARIABLE] = TOKEN
    CONTEXT.set(CANARY)
    descriptor, path = tempfile.mkstemp(prefix="fuzz-secret-")
    with os.fdopen(descriptor, "w") as file:
        file.write(TOKEN)
    Path(path).chmod(0o644)
    return path


def uproot(path: str) -> None:
    Path(path).unlink(missing_ok=True)
    os.environ.pop(VARIABLE, None)
    sys.modules.pop("fuzz_host", None)
    vars(sys.modules["builtins"]).pop("fuzz_canary", None)


_TELLTALE = re.compile(
    r"<code object |<frame at |<frame object |<module '[\w.]+'"
    r" (?:from|\(built-in|\(frozen)|ModuleSpec\(|'__loader__': <"
)
"""Text that only comes from printing what no program may have."""


_WORDS = re.compile("mutated|text made from a forbidden object")
"""What other judges take for proof: a program may hold any words, and a view of a module shows
itself as the module would."""


class Judge:
    """What is found while a program runs, in words. It is handed hostile objects, so it looks at
    them by identity and type alone."""

    _HARMLESS = frozenset(
        {int, float, bool, complex, type(None), type(...), type(NotImplemented), range, slice}
    )
    _CONTAINERS = (list, tuple, set, frozenset)
    _MOST = 3000

    def __init__(self) -> None:
        self.found: list[str] = []
        self._looked_at = 0
        self._source = ""

    def begin(self, source: str) -> None:
        """Another program. What it says itself proves nothing."""
        self._source = source
        self.found.clear()
        TOUCHED.clear()
        self._looked_at = 0

    def see(self, *things: Any) -> Any:
        """Hand over what was obtained; it comes back."""
        for thing in things:
            self.look(thing, "handed over")
        return things[0] if things else None

    def look(self, thing: Any, where: str) -> None:
        if type(thing) in self._HARMLESS or self._looked_at > self._MOST:
            return
        self._looked_at += 1
        everything = (thing, *self._items(thing))
        for text in everything:
            if issubclass(type(text), str):
                self.read(str.__str__(text), where)
        if any(each is CANARY for each in everything):
            self.found.append(f"{where}: the canary")
        elif (reason := is_dangerous(thing)) and not _WORDS.search(reason):
            self.found.append(f"{where}: {reason}")

    def read(self, text: str, where: str) -> None:
        if TOKEN in text:
            self.found.append(f"{where}: a secret of the host's")
        elif (told := _TELLTALE.search(text)) and told[0] not in self._source:
            self.found.append(f"{where}: text made from a forbidden object: {told[0]!r}")

    def _items(self, thing: Any) -> list[Any]:
        kind = type(thing)
        if issubclass(kind, dict):
            return [*dict.keys(thing), *dict.values(thing)]
        return next(
            ([*base.__iter__(thing)] for base in self._CONTAINERS if issubclass(kind, base)), []
        )

    def end(self) -> list[str]:
        """All that was found of a program."""
        self.found += [f"the canary was touched: {how}" for how in TOUCHED]
        TOUCHED.clear()
        return [*dict.fromkeys(self.found)]


# -- what the interpreter tells

# Events that no program may cause, by any way. Where the library does it for reasons of its own,
# the second column says how that is told.
_NEVER = {
    "open": "a file is opened",
    "os.": "the operating system is asked for something",
    "subprocess.": "a process is started",
    "socket.": "a socket is used",
    "shutil.": "files are copied or removed",
    "tempfile.": "a file is made",
    "ctypes.": "memory is reached",
    "mmap.": "memory is mapped",
    "fcntl.": "a descriptor is changed",
    "signal.": "a signal is sent",
    "pickle.find_class": "something is unpickled",
    "gc.get_": "objects of others are listed",
    "sys._current_": "frames of others are listed",
    "sys.addaudithook": "events are watched",
    "builtins.input": "somebody is asked",
    "ensurepip.": "packages are installed",
    "webbrowser.": "a browser is opened",
    "urllib.": "something is fetched",
    "import fuzz_host": "a module of the host's is imported",
}
# Events that the library may cause, and guarded code's own frames may not.
_NOT_DIRECTLY = {
    "object.__getattr__": "the inside of a function, frame or generator is read",
    "compile": "text is compiled past the rules",
    "code.__new__": "a code object is made",
    "marshal.loads": "code is made from bytes",
    "exec": "code is run past the rules",
    "function.__new__": "a function is made of a code object",
    "sys._getframe": "a frame is asked for",
}
_ATTRIBUTES_SET = {"__code__", "__defaults__", "__kwdefaults__", "__bases__", "__class__"}


class Watch:
    """Hears the interpreter's audit events, of which it cannot be rid any more: for a child
    only."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.is_on = False
        self._busy = False
        library = [
            os.path.realpath(path)
            for path in (
                sys.prefix,
                sys.base_prefix,
                *sys.path,
                *zoneinfo.TZPATH,
                Path(__file__).parents[3] / "src",
            )
            if path
        ]
        self._library = tuple(f"{path}/" for path in library)
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on or self._busy:
            return
        self._busy = True
        try:
            if why := self._why(event, arguments):
                self.found.append(why)
        finally:
            self._busy = False

    def _why(self, event: str, arguments: tuple[Any, ...]) -> str | None:
        if event in _NOT_DIRECTLY:
            if not is_own_code(sys._getframe(2).f_code):
                return None
            return f"{_NOT_DIRECTLY[event]}: {event} {arguments[1:]!r:.200}"
        if event in ("object.__setattr__", "object.__delattr__"):
            if arguments[1] in _ATTRIBUTES_SET and is_own_code(sys._getframe(2).f_code):
                return f"{event} {arguments[1]!r:.200}"
            return None
        if event == "import":
            event = f"import {arguments[0]}"
        reason = next((reason for start, reason in _NEVER.items() if event.startswith(start)), None)
        if (
            reason is None
            or event in ("open", "os.listdir", "os.scandir")
            and self._is_library(event, arguments)
        ):
            return None
        path = arguments[0] if arguments and type(arguments[0]) is str else ""
        return f"{reason}: {event} {path!r:.200}"

    def _is_library(self, event: str, arguments: tuple[Any, ...]) -> bool:
        """Modules and time zones are loaded when they are first needed."""
        path = arguments[0] if arguments else None
        if type(path) is not str or event == "open" and arguments[1] not in ("r", "rb", None):
            return False
        return f"{os.path.realpath(path)}/".startswith(self._library)
