"""A cell while it runs, as the host sees it: its clock, what it has printed, the tools it calls,
and how it is stopped.

The thread that called `run` serves the cell: it reads messages and keeps the time. It runs no tool
itself, as a tool that hangs must not keep the cell from being stopped. So when the cell calls a
tool and can do nothing else meanwhile, a thread of its own takes over: it runs the tool, answers,
and goes on serving the cell until it is over, calling tool after tool with no change of threads in
between. If a tool hangs and the cell is to be stopped, the first thread leaves that one behind and
serves the cell's end.
"""

from __future__ import annotations

import codecs
import contextlib
import signal
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from fumehood.errors import WorkerProtocolError
from fumehood.executors.calls import THREADS, Calls, Tool
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.trail import Trail
from fumehood.policy import Limits
from fumehood.wire.messages import INTERRUPT_SIGNAL, TIMEOUT_SIGNAL
from fumehood.wire.output import BoundedText

# While tools run the clock goes by the cell's processor time, and the thread that waits looks at it
# again this often.
_LOOK = 0.1

_FIRST_MOMENTS = 0.01

# How often a cell that is to stop is told so.
_AGAIN = 0.05

# How long a process that was killed may take to die.
_DEATH_SECONDS = 10.0
_SIGNALS = {
    "timeout": TIMEOUT_SIGNAL,
    "interrupt": INTERRUPT_SIGNAL,
    "output": signal.SIGKILL,
}

_UTF8 = codecs.getincrementaldecoder("utf-8")

Received = tuple[Any, list[Any]]


class Clock:
    """The time a cell has used, by the host's clock. While tools run, only the processor time that
    the cell itself takes counts (it may have threads that go on), unless the time of tools counts
    too.

    Where the cell is far away, asking for its processor time takes as long as a short call. So
    there the first moments of a call count as any other time, and it is asked for only after
    them."""

    def __init__(
        self, limits: Limits, processor_time: Callable[[], float], *, is_far: bool = False
    ) -> None:
        self._left = limits.cell_seconds
        self._counts_tools = limits.tool_time_counts
        self._processor_time = processor_time
        self._processor_since: float | None = 0.0
        self._is_far = is_far
        self._counts_until = 0.0
        self._since = self.began = time.monotonic()
        self._calls = 0
        self.is_displaying = False

    def call_began(self) -> None:
        self._tick()
        if not self._calls and self._left is not None:
            self._processor_since = None if self._is_far else self._processor_time()
            self._counts_until = self._since + _FIRST_MOMENTS
        self._calls += 1

    def call_ended(self) -> None:
        self._tick()
        self._calls -= 1

    def code_ended(self, seconds: float) -> None:
        """Give the cell so many seconds more, for its displays and its value."""
        self.is_displaying = True
        if self._left is not None:
            self._left += seconds

    def left(self) -> float | None:
        """Seconds until somebody should look again; zero or less when the time is over."""
        if self._left is None:
            return None
        self._tick()
        return min(self._left, _LOOK) if self._calls and self._left > 0 else self._left

    @property
    def is_over(self) -> bool:
        left = self.left()
        return left is not None and left <= 0

    def _tick(self) -> None:
        now = time.monotonic()
        if self._left is not None:
            if (
                self._counts_tools
                or not self._calls
                or self._processor_since is None
                and now < self._counts_until
            ):
                self._left -= now - self._since
            else:
                used = self._processor_time()
                if self._processor_since is None:
                    self._left -= max(0.0, self._counts_until - self._since)
                else:
                    self._left -= used - self._processor_since
                self._processor_since = used
        self._since = now


class Printed:
    """What a cell prints: kept within bounds, handed on as it comes, and counted."""

    callback_error: Exception | None = None
    is_too_much = False
    _kept: BoundedText | None = None

    def __init__(self, limits: Limits, on_text: Callable[[str], Any] | None) -> None:
        self._most = limits.output_characters
        self._room = limits.output_bytes
        self._on_text = on_text

    def feed(self, data: bytes) -> bool:
        """Take bytes; those beyond the limit are dropped, and the answer is True."""
        if len(data) > self._room:
            self.is_too_much = True
            data = data[: self._room]
        self._room -= len(data)
        if self._kept is None:  # most cells print nothing
            self._kept = BoundedText(self._most)
            self._decoder = _UTF8("replace")
        self._keep(self._kept, self._decoder.decode(data))
        return self.is_too_much

    @property
    def room(self) -> int:
        """How many bytes the cell may still print."""
        return self._room

    def text(self) -> str:
        """All of it, once the cell is over."""
        if self._kept is None:
            return ""
        self._keep(self._kept, self._decoder.decode(b"", final=True))
        return self._kept.getvalue()

    def _keep(self, kept: BoundedText, text: str) -> None:
        if not text:
            return
        kept.write(text)
        if self._on_text is not None:
            self.hand_on(text, self._on_text)

    def hand_on(self, text: str, on_text: Callable[[str], Any]) -> None:
        if self.callback_error is None:
            try:
                on_text(text)
            except Exception as error:
                self.callback_error = error  # the caller's own, raised when the cell is over


class Codec(Protocol):
    """What a cell needs of whoever runs it: values in and out."""

    def arguments(self, message: Any, buffers: list[Any]) -> Any: ...

    def bundle(self, message: Any, buffers: list[Any]) -> dict[str, str | bytes]: ...

    def reply(
        self, number: int, result: Any, error: BaseException | None
    ) -> tuple[Any, list[Any]]: ...


class Cell:
    """One cell, from the message that begins it to the one that ends it."""

    # What most cells never change stands here once: whoever begins a cell is waited for.
    number = 0
    on_display: Callable[[dict[str, str | bytes], bool], Any] | None = None
    value_at: int | None = None
    """Which of the displays is the cell's value, in a notebook."""
    stopped_for: str | None = None
    _baton: _Baton | None = None
    _interrupted = False
    _interruption: BaseException | None = None
    _is_killed = False
    _ends_at = 0.0

    def __init__(
        self,
        connection: Connection,
        limits: Limits,
        printed: Printed,
        calls: Calls,
        tools: Mapping[str, Tool],
        codec: Codec,
        send_signal: Callable[[int], None],
        clock: Clock,
        trail: Trail,
    ) -> None:
        self._connection = connection
        self._trail = trail
        self._limits = limits
        self._printed = printed
        self._calls = calls
        self._tools = tools
        self._codec = codec
        self._signal = send_signal
        self._display_room = limits.display_bytes
        self.clock = clock
        self.displays: list[dict[str, str | bytes]] = []
        self.called: list[str] = []

    def serve(self, run: Any) -> Received:
        """Begin the cell with the message `run` and serve it; gives the message that ends it.

        An exception that interrupts the waiting, Ctrl-C for one, stops the cell and is raised when
        it has ended.
        """
        self._connection.send(run, reads=True)
        ended = self._serve_here(run.code)
        self._connection.drain_output()
        if self._interruption is not None:
            raise self._interruption
        return ended

    def interrupt(self) -> None:
        """Stop the cell, from any thread."""
        self._interrupted = True
        with contextlib.suppress(OSError, ValueError):
            self._connection.wake()
        baton = self._baton
        if baton is not None:
            baton.look()

    # -- in the thread that waits for the cell

    def _serve_here(self, code: str) -> Received:
        is_told = False
        while True:
            try:
                # not before now: the sandbox is at it already, and nothing that it asks for is done
                # before this
                if not is_told:
                    is_told = True
                    self._trail.submitted(code)
                if self._baton is not None and not self._baton.is_left_behind:
                    ended = self._wait_for(self._baton)
                    if ended is not None:
                        return ended
                message, buffers = self._next()
                if message.type == "finished":
                    return message, buffers
                if self._can_hand_over(message):
                    self._hand_over(message, buffers)
                else:
                    self._take(message, buffers)
            except (RunnerGone, WorkerProtocolError):
                raise
            except BaseException as interruption:
                self._be_interrupted(interruption)

    def _hand_over(self, message: Any, buffers: list[Any]) -> None:
        baton = self._baton = _Baton()  # from here on it is that thread's to read
        THREADS.run(lambda: self._serve_in_tool_thread(baton, message, buffers))

    def _wait_for(self, baton: _Baton) -> Received | None:
        """Wait until the other thread has served the cell to its end. None if it was left behind in
        a tool that hangs."""
        while True:
            with baton.changed:
                if baton.is_over:
                    return baton.outcome()
                if not baton.in_tool or self._reason_to_stop() is None:
                    baton.changed.wait(_LOOK)
                    continue
                baton.is_left_behind = not baton.is_answering
            self._hold_to_limits()
            if baton.is_left_behind:
                return None
            baton.wait(
                _LOOK
            )  # it is sending an answer: soon it reads again, or the process it sends to is killed

    def _be_interrupted(self, interruption: BaseException) -> None:
        if not self._connection.is_whole and (self._baton is None or self._baton.is_left_behind):
            raise interruption
        self._interruption = interruption
        self.interrupt()

    # -- in a thread that runs tools

    def _serve_in_tool_thread(self, baton: _Baton, message: Any, buffers: list[Any]) -> None:
        if (
            not baton.leave_tool()
        ):  # until now it counts as being in one: it could be left behind before it began
            return
        try:
            while message.type != "finished":
                if self._can_hand_over(message):
                    baton.enter_tool()
                    self._call(message, buffers, baton)
                    if not baton.leave_tool():
                        return
                else:
                    self._take(message, buffers)
                message, buffers = self._next()
        except BaseException as error:
            baton.end(None, error)
        else:
            baton.end((message, buffers), None)

    # -- in either

    def _next(self) -> Received:
        """The next message. The limits are kept meanwhile."""
        while True:
            patience = (
                self.clock.left()
                if self.stopped_for is None
                else min(max(self._ends_at - time.monotonic(), 0.001), _AGAIN)
            )
            received = self._connection.next_message(patience, looks=True)
            if received is None or self._interrupted or self._printed.is_too_much:
                self._hold_to_limits()
                if received is None:
                    continue
            return received

    def _can_hand_over(self, message: Any) -> bool:
        """Whether a message calls a tool while nothing else happens in the cell, so that whoever
        runs it need not read meanwhile."""
        if message.type != "call_tool" or message.parallel or self.stopped_for is not None:
            return False
        tool = self._tools.get(message.name)
        return tool is not None and not tool.is_async

    def _take(self, message: Any, buffers: list[Any]) -> None:
        if message.type == "call_tool":
            self._call(message, buffers, None)
        elif message.type == "display":
            if len(self.displays) > self._limits.displays:  # one more is the value's own
                raise WorkerProtocolError("the sandbox sent more displays than a cell may have")
            bundle = self._codec.bundle(message, buffers)
            self._display_room -= sum(len(data) for data in bundle.values())
            if self._display_room < 0:
                raise WorkerProtocolError("the sandbox sent larger displays than a cell may have")
            if message.is_value:
                self.value_at = len(self.displays)
            self.displays.append(bundle)
            self._trail.displayed(bundle)
            if self.on_display is not None:
                self._connection.drain_output()  # what was printed before it comes before it
                self.on_display(bundle, message.is_value)
        elif message.type == "code_ended":
            self.clock.code_ended(self._limits.display_seconds)

    def _call(self, message: Any, buffers: list[Any], baton: _Baton | None) -> None:
        """Run a tool, here if this thread has the baton, else in another."""
        arguments = self._codec.arguments(message, buffers)
        tool = self._tools.get(message.name)
        number = message.call
        if tool is None:
            tool = Tool.missing(message.name)
        else:
            self.called.append(tool.name)
        if self.stopped_for is not None:
            return
        self.clock.call_began()

        def answer(result: Any, error: BaseException | None) -> None:
            reply, extra = self._codec.reply(number, result, error)
            self.clock.call_ended()
            if baton is not None and not baton.begin_answer():
                return
            try:
                self._connection.send(reply, extra, reads=baton is not None)
            except (RunnerGone, WorkerProtocolError):
                if baton is not None:
                    raise

        if baton is None:
            self._calls.start(tool, arguments, answer)
        else:
            self._calls.run(tool, arguments, answer)

    def _reason_to_stop(self) -> str | None:
        if self._printed.is_too_much:
            return "output"
        if self._interrupted:
            return "interrupt"
        return "timeout" if self.clock.is_over else None

    def _hold_to_limits(self) -> None:
        """When there is a reason to stop: an exception in the cell first, and after a grace the end
        of its process."""
        now = time.monotonic()
        if self.stopped_for is None:
            reason = self._reason_to_stop()
            if reason is None:
                return
            self._ends_at = now + self._limits.grace_seconds
            self.stopped_for = reason
            self._calls.stop()
            self._signal(_SIGNALS[reason])
        elif now >= self._ends_at:
            # nobody says that it is dead: who knows whether anybody there lives, or what the kernel
            # waits for
            if self._is_killed:
                raise RunnerGone
            self._is_killed = True
            self._signal(signal.SIGKILL)
            self._ends_at = now + _DEATH_SECONDS
        else:
            # Again: the first may have come before the cell did.
            self._signal(_SIGNALS[self.stopped_for])


class _Baton:
    """Who serves the cell: passed to a thread that runs tools, and taken back if a tool there
    hangs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # the same, entered without a step through Python
        self.changed = threading.Condition(self._lock)
        self.in_tool = True
        self.is_answering = False
        self.is_left_behind = False
        self.is_over = False
        self._outcome: tuple[Received | None, BaseException | None] = None, None

    def enter_tool(self) -> None:
        with self._lock:
            self.in_tool = True

    def begin_answer(self) -> bool:
        """False if this thread was left behind, and must not answer."""
        with self._lock:
            self.is_answering = not self.is_left_behind
            return self.is_answering

    def leave_tool(self) -> bool:
        """False if this thread was left behind meanwhile."""
        with self._lock:
            self.in_tool = self.is_answering = False
            return not self.is_left_behind

    def end(self, ended: Received | None, error: BaseException | None) -> None:
        with self.changed:
            self._outcome = ended, error
            self.is_over = True
            self.in_tool = False
            self.changed.notify_all()

    def look(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def wait(self, seconds: float) -> None:
        with self.changed:
            if not self.is_over:
                self.changed.wait(seconds)

    def outcome(self) -> Received:
        ended, error = self._outcome
        if error is not None:
            raise error
        assert ended is not None
        return ended
