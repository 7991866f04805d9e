"""Tools that answer from a log: each call of a cell that runs again gets what the same call got
then.

The same call is the first that is left of the same tool with the same arguments, so calls in
parallel may come in another order. Answers are given in the order in which they were given then,
which decides what code that waits for several does first.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import contextlib
import contextvars
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fumehood.audit.comparing import UNBOUNDED, canonical, is_same_value, shown, shown_value
from fumehood.audit.values import Cut, decode_value, encode_value
from fumehood.errors import AuditError
from fumehood.results import ErrorInfo
from fumehood.wire.records import RemoteObject

_TURN_SECONDS = 2.0
"""How long an answer waits for those that came before it in the log: they may never be asked for
now."""
_MOST_PATIENT = 10.0
"""So many times as long at the most, where all is done more slowly."""

_HEAD_STARTS = 0.002, 0.05
"""The least and the most seconds between an answer and the next of calls in parallel, which is else
as long as it was then: what waits for the first goes on before what waits for the next. On a
machine that is too busy it may not: `raced` says so."""


@dataclass(slots=True, eq=False)
class LoggedCall:
    """A call as the log has it; `args`, `kwargs` and `value` in the form of its lines."""

    tool: str
    args: list[Any]
    kwargs: dict[str, Any]
    has_returned: bool = False
    returned_at: float = 0.0
    overlapped: bool = False
    """Whether other calls were open when it returned."""
    value: Any = None
    error: ErrorInfo | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.tool, canonical([self.args, self.kwargs])

    @property
    def is_cut(self) -> bool:
        """Whether the log has only a description of an argument."""
        return any(
            type(value) is dict and "$cut" in value for value in (*self.args, *self.kwargs.values())
        )

    def is_of(self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Whether it is a call with these arguments, as far as the log tells."""
        return (
            self.is_alike(tool, args, kwargs)
            and all(map(is_same_value, self.args, args))
            and all(is_same_value(self.kwargs[name], kwargs[name]) for name in kwargs)
        )

    def is_alike(self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Whether it is a call with as many arguments."""
        return (
            tool == self.tool
            and len(args) == len(self.args)
            and kwargs.keys() == self.kwargs.keys()
        )

    def pair(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], objects: dict[int, RemoteObject]
    ) -> None:
        """Learn which objects of the sandbox the logged arguments mean."""
        with contextlib.suppress(AuditError):
            pair([decode_value(value) for value in self.args], [*args], objects)
            pair(
                {name: decode_value(value) for name, value in self.kwargs.items()},
                {**kwargs},
                objects,
            )

    def __str__(self) -> str:
        return _call_text(
            self.tool,
            [shown(value) for value in self.args],
            {name: shown(value) for name, value in self.kwargs.items()},
        )


class NotInTheLog(RuntimeError):
    """What a call raises in code whose call the log cannot answer."""


class Answers:
    """The calls of one cell. `strays` are those that the log does not have, `unanswerable` those
    whose result it does not."""

    def __init__(
        self,
        calls: list[LoggedCall],
        returned: list[LoggedCall],
        objects: dict[int, RemoteObject],
        *,
        redacts: bool = False,
        slowly: float = 1.0,
    ) -> None:
        """`returned` has the calls in the order in which they returned; `objects` are those of the
        sandbox, by the numbers that the log knows them by. Where validators redact, arguments may
        be others in the log: then the next call of the same tool will do."""
        self._redacts = redacts
        self._slowly = slowly
        self.raced = False
        """Whether calls waited for each other, so that which was first was up to the machine."""
        self.strays: list[tuple[str, str, str]] = []
        self.unanswerable: list[str] = []
        self._left = {id(call): call for call in calls}
        self._by_key: dict[tuple[str, str], deque[LoggedCall]] = {}
        for call in calls:
            if not call.is_cut:
                self._by_key.setdefault(call.key, deque()).append(call)
        self._waiting = {id(call): call for call in returned}
        self._objects = objects
        self._changed = threading.Condition()
        self._is_over = False
        self._parked = 0
        """How many calls wait for their turn."""

    def give(self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """What the call got then. From any thread."""
        with self._changed:
            if self._is_over:
                raise NotInTheLog("the cell is over")
            call = self._matching(tool, args, kwargs)
            if call is None:
                self._stray(tool, args, kwargs)
                raise NotInTheLog(f"the log has no such call of {tool}")
            del self._left[id(call)]
            call.pair(args, kwargs, self._objects)
            if not call.has_returned:
                self._changed.wait_for(lambda: self._is_over)
                raise NotInTheLog("the cell is over")
            self._parked += 1
            patience = _TURN_SECONDS * min(max(self._slowly, 1.0), _MOST_PATIENT)
            self._changed.wait_for(
                lambda: self._is_over or next(iter(self._waiting.values()), call) is call, patience
            )
            self._parked -= 1
            if self._parked or call.overlapped:
                following = next(
                    (other for other in self._waiting.values() if other is not call), call
                )
                least, most = _HEAD_STARTS
                seconds = (
                    min(max(following.returned_at - call.returned_at, least), most) * self._slowly
                )
                self.raced = True
                threading.Timer(seconds, self._next_turn, [call]).start()
            else:
                self._waiting.pop(id(call), None)
        if call.error is not None:
            raise as_exception(call.error)
        return self._value(call)

    def _next_turn(self, after: LoggedCall) -> None:
        with self._changed:
            self._waiting.pop(id(after), None)
            self._changed.notify_all()

    def _matching(
        self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> LoggedCall | None:
        given = (
            [encode_value(value, UNBOUNDED) for value in args],
            {name: encode_value(value, UNBOUNDED) for name, value in kwargs.items()},
        )
        same = self._by_key.get((tool, canonical([*given])))
        if same:
            return same.popleft()
        others = (
            call for call in self._left.values() if call.is_cut and call.is_of(tool, args, kwargs)
        )
        alike = (
            call
            for call in self._left.values()
            if self._redacts and call.is_alike(tool, args, kwargs)
        )
        found = next(others, None) or next(alike, None)
        if found is not None and not found.is_cut:
            self._by_key[found.key].remove(found)
        return found

    def over(self) -> list[LoggedCall]:
        """The cell has ended: whoever still waits does so in vain. Gives the calls that it made
        then and not now."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
            return [*self._left.values()]

    @property
    def waits_forever(self) -> bool:
        """Whether a call has no answer in the log, so that whoever makes it waits until the cell
        ends."""
        return any(not call.has_returned for call in self._left.values())

    def _stray(self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        now = _call_text(
            tool,
            [shown_value(value) for value in args],
            {name: shown_value(value) for name, value in kwargs.items()},
        )
        other = next((call for call in self._left.values() if call.tool == tool), None)
        if other is None:
            self.strays.append(("a tool call that is not in the log", "no such call", now))
        else:
            self.strays.append(("a tool call with other arguments", str(other), now))

    def _value(self, call: LoggedCall) -> Any:
        try:
            return linked(decode_value(call.value), self._objects)
        except Unlinked as error:
            self.unanswerable.append(f"the result of {call.tool} {error}")
            raise NotInTheLog(f"the log does not have the result of {call.tool}") from None


class Unlinked(Exception):
    """A value that the log has only a description of."""


def pair(logged: Any, now: Any, objects: dict[int, RemoteObject]) -> None:
    """Learn from a value that came again which objects of the sandbox the log means: another run
    numbers them otherwise."""
    if type(logged) is not type(now):
        return
    if type(logged) is RemoteObject:
        objects[logged.id] = now
    elif type(logged) is list or type(logged) is tuple:
        for one, other in zip(logged, now, strict=False):
            pair(one, other, objects)
    elif type(logged) is dict:
        for name in logged.keys() & now.keys():
            pair(logged[name], now[name], objects)


def linked(value: Any, objects: Mapping[int, RemoteObject]) -> Any:
    """A value of the log with the objects of the sandbox that it names. Unlinked if it was cut, or
    names one that nobody knows."""
    if type(value) is Cut:
        size = "" if value.bytes is None else f" of {value.bytes:,} bytes"
        raise Unlinked(f"is a {value.type}{size}, which the log has only a description of")
    if type(value) is RemoteObject:
        if value.id not in objects:
            raise Unlinked(
                f"is an object of the program ({value.type_name}), which the log has only a"
                " description of"
            )
        return objects[value.id]
    if type(value) is list:
        return [linked(item, objects) for item in value]
    if type(value) is tuple:
        return tuple(linked(item, objects) for item in value)
    if type(value) is dict:
        return {key: linked(item, objects) for key, item in value.items()}
    return value


def as_exception(error: ErrorInfo) -> Exception:
    """An exception of which a sandbox is told the same: Python's own by its name, else one of that
    name."""
    kind = getattr(builtins, error.type, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        module, _, name = error.type.rpartition(".")
        made: type[Exception] = type(
            name if name.isidentifier() else "Exception",
            (_Foreign,),
            {"__module__": module or "tools"},
        )
        return made(error.message)
    arguments: tuple[Any, ...] = (error.message,) if error.message else ()
    if issubclass(kind, KeyError):  # whose text is the repr of the key
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            arguments = (ast.literal_eval(error.message),)
    elif issubclass(kind, OSError) and (
        found := _OS_ERROR.fullmatch(error.message)
    ):  # of which a sandbox is not told the file
        arguments = (int(found[1]), found[2])
    try:
        return kind(*arguments)
    except Exception:  # one that wants other arguments, UnicodeDecodeError for one
        return RuntimeError(str(error))


_OS_ERROR = re.compile(r"\[Errno (\d{1,4})\] ([^:]*)(?:: .*)?", re.DOTALL)


class _Foreign(Exception):
    """An exception that Python does not have."""


SHEET: contextvars.ContextVar[Answers] = contextvars.ContextVar("fumehood-replay-answers")
"""The answers of the cell on whose behalf a tool is called: executors that were forked from one
another share their tools."""


def stub(name: str, *, is_async: bool = False) -> Callable[..., Any]:
    """A tool that takes anything and answers from the log."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        return SHEET.get().give(name, args, kwargs)

    async def answer_later(*args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(SHEET.get().give, name, args, kwargs)

    made: Callable[..., Any] = answer_later if is_async else answer
    made.__name__ = made.__qualname__ = name
    return made


def _call_text(tool: str, args: list[str], kwargs: dict[str, str]) -> str:
    return f"{tool}({', '.join([*args, *(f'{name}={value}' for name, value in kwargs.items())])})"
