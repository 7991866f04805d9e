"""One cell on the host: send it, serve its tool calls, collect its output, enforce its limits,
describe how it ended.

    sent ──> running ──> finished                 the sandbox sent `finished`
                │ └────> dead                     its process ended (RunnerGone)
                v
             stopping (timeout, interrupt, too much output)
                │   a signal raises an exception in the cell and is repeated
                v   after `grace_seconds`
             killed ───> dead

The thread that called `run` serves the cell: it reads messages and enforces the limits. It runs no
tool itself, because a tool that hangs must not prevent the cell from being stopped. When the cell
calls a tool and does nothing else meanwhile, a thread of the pool takes over: it runs the tool,
answers, and serves the cell until its end, so that later calls need no change of threads. If a tool
hangs and the cell must stop, the first thread abandons the other one and serves the rest.

A thread cannot be ended from outside. A tool that hangs is abandoned when its cell is stopped, and
its result is discarded. An asynchronous tool is cancelled.
"""

from __future__ import annotations

import asyncio
import builtins
import codecs
import contextlib
import contextvars
import functools
import inspect
import os
import queue
import select
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, get_args

from fumehood.errors import NoRoom, PolicyError, SandboxFailed, ToolError, WorkerProtocolError
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.session_events import SessionEvents, ToolCall
from fumehood.policy import Limits, in_words
from fumehood.results import ErrorInfo, Execution, Fault, Usage, Violation
from fumehood.tools.arguments import checked
from fumehood.tools.describe import describe, is_async
from fumehood.tools.shipping import packed, runs_in_sandbox
from fumehood.wire.messages import INTERRUPT_SIGNAL, TIMEOUT_SIGNAL
from fumehood.wire.output import Apart, BoundedText, StreamName

if TYPE_CHECKING:
    from fumehood.executors.session import Values
    from fumehood.executors.supervisor import Runner

_LOOK_SECONDS = 0.1
"""While tools run, the clock counts the cell's processor time, which is read this often."""
_FIRST_SECONDS = {False: 0.0002, True: 0.01}
"""Of a tool call that count as the cell's time: on this machine and in a remote place."""
_REPEAT_SECONDS = 0.05
"""The interval at which a cell that must stop is signalled."""
_DEATH_SECONDS = 10.0
"""The time that a killed process may take to die."""
_MOST_THREADS = 64
_SIGNALS = {"timeout": TIMEOUT_SIGNAL, "interrupt": INTERRUPT_SIGNAL, "output": signal.SIGKILL}
_UTF8 = codecs.getincrementaldecoder("utf-8")

Answer = Callable[[Any, BaseException | None], None]
Received = tuple[Any, list[Any]]
Bundle = dict[str, str | bytes]
OnText = Callable[[str], Any]

IN_TOOLS_OF: contextvars.ContextVar[frozenset[object]] = contextvars.ContextVar(
    "IN_TOOLS_OF", default=frozenset()
)
"""The sessions whose tools run in this context. A tool must not use its own session, which waits
for it."""


# -- time and output


class Clock:
    """The time that a cell has used, by the host's clock. While tools run, only the processor time
    of the cell counts (its threads may continue), unless the time of tools counts too.

    Reading the processor time takes a good part of a short call, and in a remote place all of it.
    So the first moments of a call count as usual, and the processor time is read only after
    them."""

    def __init__(self, limits: Limits, runner: Runner, *, is_remote: bool = False) -> None:
        self._all = self._left = limits.cell_seconds
        self._counts_tools = limits.tool_time_counts
        self._runner = runner
        self._processor_since: float | None = 0.0
        self._first_seconds = _FIRST_SECONDS[is_remote]
        self._counts_until = 0.0
        self._since = self.began = time.monotonic()
        self._calls = 0
        self.is_displaying = False

    def restart(self) -> None:
        """Give the cell all of its time again."""
        self._left, self._since = self._all, time.monotonic()

    def call_began(self) -> None:
        self._tick()
        if not self._calls and self._left is not None:
            self._processor_since = None
            self._counts_until = self._since + self._first_seconds
        self._calls += 1

    def call_ended(self) -> None:
        self._tick()
        self._calls -= 1

    def code_ended(self, seconds: float) -> None:
        """Give the cell more time, for its displays and its value."""
        self.is_displaying = True
        if self._left is not None:
            self._left += seconds

    def left(self) -> float | None:
        """Seconds until the next look at the clock; zero or less when the time is used up."""
        if self._left is None:
            return None
        self._tick()
        return min(self._left, _LOOK_SECONDS) if self._calls and self._left > 0 else self._left

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
                used = self._runner.processor_time()
                if self._processor_since is None:
                    self._left -= max(0.0, self._counts_until - self._since)
                else:
                    self._left -= used - self._processor_since
                self._processor_since = used
        self._since = now


class Output:
    """The printed output of a cell: bounded, decoded, passed on as it arrives."""

    callback_error: Exception | None = None
    """What `on_text` raised; raised again when the cell has ended."""
    is_too_much = False
    _kept: BoundedText | None = None

    def __init__(self, limits: Limits, on_text: OnText | None) -> None:
        self._most = limits.output_characters
        self.room = limits.output_bytes
        """How many bytes the cell may still print."""
        self._on_text = on_text

    def feed(self, data: bytes) -> bool:
        """Take bytes. Bytes beyond the limit are dropped; then this returns True."""
        if len(data) > self.room:
            self.is_too_much = True
            data = data[: self.room]
        self.room -= len(data)
        if self._kept is None:  # most cells print nothing
            self._kept = BoundedText(self._most)
            self._decoder = _UTF8("replace")
        self._keep(self._kept, self._decoder.decode(data))
        return self.is_too_much

    def text(self) -> str:
        """All of it, once the cell has ended."""
        if self._kept is None:
            return ""
        self._keep(self._kept, self._decoder.decode(b"", final=True))
        return self._kept.getvalue()

    def _keep(self, kept: BoundedText, text: str) -> None:
        if text:
            kept.write(text)
            if self._on_text is not None:
                self.pass_on(text, self._on_text)

    def pass_on(self, text: str, on_text: OnText) -> None:
        if self.callback_error is None:
            try:
                on_text(text)
            except Exception as error:
                self.callback_error = error


class Watcher(Protocol):
    """Follows a cell of a notebook while it runs, in the thread that runs it."""

    def printed(self, stream: StreamName, text: str) -> Any: ...

    def displayed(self, bundle: Bundle, is_value: bool) -> Any:
        """A rich result. `is_value`: it is the value of the cell's last expression; there is at
        most one of those."""


class SeparateOutput(Output):
    """Output that is passed on to a watcher stream by stream, and kept in one text."""

    def __init__(self, limits: Limits, on_text: OnText | None, watcher: Watcher | None) -> None:
        super().__init__(limits, on_text)
        self._watcher = watcher
        self._apart = Apart()
        self._decoders: dict[StreamName, codecs.IncrementalDecoder] = {
            "stdout": _UTF8("replace"),
            "stderr": _UTF8("replace"),
        }

    def feed(self, data: bytes) -> bool:
        for stream, piece in self._apart.feed(data):
            self._take(stream, piece)
        return self.is_too_much

    def text(self) -> str:
        for stream, piece in self._apart.rest():
            self._take(stream, piece)
        for stream, decoder in self._decoders.items():
            self._emit(stream, decoder.decode(b"", final=True))
        return super().text()

    def _take(self, stream: StreamName, piece: bytes) -> None:
        self._emit(stream, self._decoders[stream].decode(piece[: max(0, self.room)]))
        super().feed(piece)

    def _emit(self, stream: StreamName, text: str) -> None:
        watcher = self._watcher
        if text and watcher is not None:
            self.pass_on(text, lambda text: watcher.printed(stream, text))


def show_afterwards(watcher: Watcher, execution: Execution, value_at: int | None) -> None:
    """Show a watcher a cell that validators had to check completely first."""
    if execution.logs:
        watcher.printed("stdout", execution.logs)
    for place, bundle in enumerate(execution.displays):
        watcher.displayed(bundle, place == value_at)


# -- tools


class Tool:
    """One of the host's functions, inspected once."""

    def __init__(self, name: str, function: Any) -> None:
        self.name = name
        self.function = function
        self.is_async = is_async(function)
        self.check = checked(function, name)
        self.packed = packed(function) if runs_in_sandbox(function) else None
        """The function as bytes, if it runs in the sandbox."""

    @functools.cached_property
    def description(self) -> dict[str, Any]:
        """What the sandbox knows about it."""
        return describe(self.name, self.function).as_dict()

    @classmethod
    def for_stdin(cls, name: str, read: Callable[[str], str | None]) -> Tool:
        def stdin(prompt: str) -> str | None:
            line = read(prompt)
            if line is not None and not isinstance(line, str):
                raise TypeError(f"stdin must return a line or None, not {type(line).__name__}")
            return line

        return cls(name, stdin)


class Calls:
    """The tool calls of one cell. After `stop`, no call begins and no answer is sent."""

    def __init__(
        self, owner: object, loop: asyncio.AbstractEventLoop | None, events: SessionEvents
    ) -> None:
        self._context = contextvars.copy_context()
        self._context.run(IN_TOOLS_OF.set, IN_TOOLS_OF.get() | {owner})
        self._events = events
        self._loop = loop
        self._tasks: set[Any] = set()
        self._answers: deque[Callable[[], None]] = deque()
        self._is_answering = False
        self._stopped = False
        self._lock = threading.Lock()

    def start(self, tool: Tool, arguments: Any, answer: Answer) -> None:
        """Begin a call in another thread, or on the event loop. `answer` is called once with the
        result or the exception, unless the cell is stopped first."""
        if tool.is_async:
            self.run(tool, arguments, answer)
        else:
            THREADS.run(functools.partial(self.run, tool, arguments, answer))

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            tasks = [*self._tasks]
        for task in tasks:
            task.cancel()

    def run(self, tool: Tool, arguments: Any, answer: Answer) -> None:
        """Call a tool in this thread. Raises what `answer` raises."""
        if self._stopped:
            return
        try:
            args, kwargs = _arguments(arguments)
        except TypeError as refusal:
            (self.answer_later if tool.is_async else self._answer)(answer, None, refusal)
            return
        run = self._begin_async if tool.is_async else self._run
        outcome = self._context.copy().run(run, tool, args, kwargs, answer)
        if outcome is not None:
            self._answer(answer, *outcome)

    def _run(
        self, tool: Tool, args: Any, kwargs: Any, answer: Answer
    ) -> tuple[Any, BaseException | None] | None:
        """The result or the error; None if the tool returned an awaitable, which answers later."""
        with self._events.calling(tool.name, args, kwargs) as call:
            try:
                args, kwargs = tool.check(args, kwargs)
                result = tool.function(*args, **kwargs)
                if inspect.isawaitable(result):
                    self._await(_wait(result, call), answer)
                    return None
            except BaseException as error:
                if call is not None:
                    call.done(None, error)
                return None, error
            if call is not None:
                call.done(result)
        return result, None

    def _begin_async(self, tool: Tool, args: Any, kwargs: Any, answer: Answer) -> None:
        async def wait() -> Any:
            with self._events.calling(tool.name, args, kwargs) as call:
                given, named = tool.check(args, kwargs)
                return await _wait(tool.function(*given, **named), call)

        self._await(wait(), answer)

    def _answer(self, answer: Answer, result: Any, error: BaseException | None) -> None:
        if not self._stopped:
            answer(result, error)

    def answer_later(self, answer: Answer, result: Any, error: BaseException | None) -> None:
        """Answer from the event loop or from the thread that reads: neither may wait for a sandbox
        that does not read. One thread sends the answers of a cell one after the other."""
        with self._lock:
            self._answers.append(functools.partial(self._answer, answer, result, error))
            if self._is_answering:
                return
            self._is_answering = True
        try:
            THREADS.run(self._send_answers)
        except NoRoom:  # no thread is available: the loop waits, so that the sandbox need not
            self._send_answers()

    def _send_answers(self) -> None:
        while True:
            with self._lock:
                if not self._answers:
                    self._is_answering = False
                    return
                send = self._answers.popleft()
            send()

    def _await(self, awaitable: Coroutine[Any, Any, Any], answer: Answer) -> None:
        try:
            task = asyncio.run_coroutine_threadsafe(awaitable, self._loop or _background_loop())
        except (RuntimeError, OSError) as error:  # no loop could be started, or it is closed
            awaitable.close()
            self.answer_later(answer, None, error)
            return
        with self._lock:
            self._tasks.add(task)

        def done(finished: Any) -> None:
            with self._lock:
                self._tasks.discard(finished)
            if finished.cancelled():
                self.answer_later(answer, None, RuntimeError("the tool was cancelled"))
            else:
                error = finished.exception()
                self.answer_later(answer, None if error else finished.result(), error)

        task.add_done_callback(done)
        if self._stopped:
            task.cancel()


async def _wait(awaitable: Any, call: ToolCall | None) -> Any:
    return await (awaitable if call is None else call.record(awaitable))


def _arguments(value: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments from the sandbox: exactly a tuple, and a dictionary with names."""
    if type(value) is tuple and len(value) == 2:
        args, kwargs = value
        if (
            type(args) is tuple
            and type(kwargs) is dict
            and all(type(name) is str for name in kwargs)
        ):
            return args, kwargs
    raise TypeError("a tool is called with positional and named arguments")


# -- threads


class ThreadPool:
    """Daemon threads that are used again: a tool that hangs does not keep the program from ending.
    Passing work to a waiting thread costs a fraction of starting one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._threads = self._unfinished = 0

    def run(self, work: Callable[[], None]) -> None:
        """Run `work` in a thread, now or when one is free. NoRoom if no thread can be started."""
        with self._lock:
            if self._unfinished >= self._threads and self._threads < _MOST_THREADS:
                try:
                    threading.Thread(target=self._serve, name="fumehood-tool", daemon=True).start()
                except RuntimeError as error:
                    raise NoRoom(
                        f"no thread to run a tool in: {error}; close executors, or raise the limit"
                        " (ulimit -u)"
                    ) from None
                self._threads += 1
            self._unfinished += 1
        self._work.put(work)

    def _serve(self) -> None:
        while True:
            self._work.get()()
            with self._lock:
                self._unfinished -= 1


THREADS = ThreadPool()


@functools.cache
def _background_loop() -> asyncio.AbstractEventLoop:
    """The loop for asynchronous tools if the caller has none."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="fumehood-loop", daemon=True).start()
    return loop


def _forget_threads() -> None:
    """After a fork there are no threads."""
    THREADS.__init__()  # type: ignore[misc]  # others hold a reference to it
    _background_loop.cache_clear()


os.register_at_fork(after_in_child=_forget_threads)


# -- the cell


class Cell:
    """One cell, from the message that begins it to the one that ends it."""

    number = 0
    on_display: Callable[[Bundle, bool], Any] | None = None
    value_at: int | None = None
    """Which of the displays is the cell's value, in a notebook."""
    stopped_for: str | None = None
    """Why it was stopped: "timeout", "interrupt" or "output"."""
    calls: Calls | None = None
    checkpoint: socket.socket | None = None
    """The socket of the checkpoint that the runner makes before the cell, until it is made."""
    _handover: _Handover | None = None
    _interrupted = False
    _interruption: BaseException | None = None
    _is_killed = False
    _ends_at = 0.0

    def __init__(
        self,
        owner: object,
        connection: Connection,
        runner: Runner,
        limits: Limits,
        tools: Mapping[str, Tool],
        values: Values,
        events: SessionEvents,
        loop: asyncio.AbstractEventLoop | None,
        on_text: OnText | None,
    ) -> None:
        """`owner` is the session whose tools these are. `loop` runs asynchronous tools. `on_text`
        receives what is printed."""
        self._owner = owner
        self._connection = connection
        self._runner = runner
        self._limits = limits
        self.output = Output(limits, on_text)
        self._tools = tools
        self._values = values
        self._events = events
        self._loop = loop
        self._display_room = limits.display_bytes
        self.clock = Clock(limits, runner, is_remote=connection.is_remote)
        self.displays: list[Bundle] = []
        self.called: list[str] = []

    def run(self, run: Any, decode: Callable[[Any, list[Any]], Any] | None = None) -> Execution:
        """Send the message `run`, serve the cell, and return its result. `decode` replaces the
        decoder of the value. RunnerGone or WorkerProtocolError if the sandbox does not report it.

        An exception that interrupts the waiting, such as KeyboardInterrupt, stops the cell and is
        raised when it has ended.
        """
        connection = self._connection
        connection.on_output = self.output.feed
        connection.send(run, reads=True)
        message, buffers = self._serve_here(run.code)
        if self._interruption is not None:
            raise self._interruption
        value = message.value
        if decode is not None or value.__class__ is not int:  # an int encodes itself
            value = (decode or self._values.decode)(value, buffers)
        return self._finished(message, value)

    def interrupt(self) -> None:
        """Stop the cell, from any thread."""
        self._interrupted = True
        with contextlib.suppress(OSError, ValueError):
            self._connection.wake()
        handover = self._handover
        if handover is not None:
            with handover.changed:
                handover.changed.notify_all()

    # -- in the thread that waits for the cell

    def _serve_here(self, code: str) -> Received:
        is_emitted = not self._events.in_cell
        while True:
            try:
                if not is_emitted:  # only now: the sandbox has begun meanwhile
                    is_emitted = True
                    self._events.submitted(code)
                if self._handover is not None and not self._handover.is_abandoned:
                    ended = self._wait_for(self._handover)
                    if ended is not None:
                        return ended
                message, buffers = self._next()
                if message.type == "finished":
                    return message, buffers
                if message.type == "call_tool" and self.calls is None:
                    self.calls = Calls(self._owner, self._loop, self._events)
                if self._can_hand_over(message):
                    self._hand_over(message, buffers)
                else:
                    self._take(message, buffers)
            except (RunnerGone, WorkerProtocolError):
                raise
            except BaseException as interruption:
                self._be_interrupted(interruption)

    def _hand_over(self, message: Any, buffers: list[Any]) -> None:
        handover = self._handover = _Handover()  # from here on that thread reads
        THREADS.run(lambda: self._serve_in_tool_thread(handover, message, buffers))

    def _wait_for(self, handover: _Handover) -> Received | None:
        """Wait until the other thread has served the cell to its end. None if it was abandoned in a
        tool that hangs."""
        while True:
            with handover.changed:
                if isinstance(handover.outcome, BaseException):
                    raise handover.outcome
                if handover.outcome is not None:
                    return handover.outcome
                if not handover.in_tool or self._reason_to_stop() is None:
                    handover.changed.wait(_LOOK_SECONDS)
                    continue
                handover.is_abandoned = not handover.is_answering
            self._enforce_limits()
            if handover.is_abandoned:
                return None
            # It sends an answer: soon it reads again, or the process it sends to is killed.
            with handover.changed:
                if handover.outcome is None:
                    handover.changed.wait(_LOOK_SECONDS)

    def _be_interrupted(self, interruption: BaseException) -> None:
        if not self._connection.is_whole and (
            self._handover is None or self._handover.is_abandoned
        ):
            raise interruption
        self._interruption = interruption
        self.interrupt()

    # -- in a thread that runs tools

    def _serve_in_tool_thread(self, handover: _Handover, message: Any, buffers: list[Any]) -> None:
        if not handover.leave_tool():  # abandoned before it began
            return
        try:
            while message.type != "finished":
                if self._can_hand_over(message):
                    handover.enter_tool()
                    self._call(message, buffers, handover)
                    if not handover.leave_tool():
                        return
                else:
                    self._take(message, buffers)
                message, buffers = self._next()
        except BaseException as error:
            handover.end(error)
        else:
            handover.end((message, buffers))

    # -- in either

    def _next(self) -> Received:
        """The next message. Enforces the limits meanwhile."""
        while True:
            patience = (
                self.clock.left()
                if self.stopped_for is None
                else min(max(self._ends_at - time.monotonic(), 0.001), _REPEAT_SECONDS)
            )
            if self.checkpoint is not None:
                patience = _LOOK_SECONDS if patience is None else min(patience, _LOOK_SECONDS)
            received = self._connection.next_message(patience, spins=True)
            if received is None or self._interrupted or self.output.is_too_much:
                self._enforce_limits()
                if received is None:
                    continue
            return received

    def _can_hand_over(self, message: Any) -> bool:
        """Whether a message calls a tool while nothing else happens in the cell, so that the thread
        that runs the tool need not read meanwhile."""
        if message.type != "call_tool" or message.parallel or self.stopped_for is not None:
            return False
        tool = self._tools.get(message.name)
        return tool is not None and not tool.is_async

    def _take(self, message: Any, buffers: list[Any]) -> None:
        if message.type == "call_tool":
            self._call(message, buffers, None)
        elif message.type == "display":
            if len(self.displays) > self._limits.displays:  # one more for the value
                raise WorkerProtocolError("the sandbox sent more displays than a cell may have")
            bundle = self._values.bundle(message, buffers)
            self._display_room -= sum(len(data) for data in bundle.values())
            if self._display_room < 0:
                raise WorkerProtocolError("the sandbox sent larger displays than a cell may have")
            if message.is_value:
                self.value_at = len(self.displays)
            self.displays.append(bundle)
            self._events.displayed(bundle)
            if self.on_display is not None:
                self._connection.drain_output()  # what was printed before it comes before it
                self.on_display(bundle, message.is_value)
        elif message.type == "code_ended":
            self.clock.code_ended(self._limits.display_seconds)

    def _call(self, message: Any, buffers: list[Any], handover: _Handover | None) -> None:
        """Run a tool: in this thread if the cell was handed over to it, else in another."""
        arguments = self._values.arguments(message, buffers)
        tool = self._tools.get(message.name)
        number = message.call
        if tool is not None:
            self.called.append(tool.name)
        if self.stopped_for is not None:
            return
        self.clock.call_began()

        def answer(result: Any, error: BaseException | None) -> None:
            reply, extra = self._values.reply(number, result, error)
            self.clock.call_ended()
            if handover is not None and not handover.begin_answer():
                return
            try:
                self._connection.send(reply, extra, reads=handover is not None)
            except (RunnerGone, WorkerProtocolError):
                if handover is not None:
                    raise

        assert self.calls is not None
        if tool is None:
            self.calls.answer_later(answer, None, NameError(f"there is no tool {message.name!r}"))
        elif handover is None:
            self.calls.start(tool, arguments, answer)
        else:
            self.calls.run(tool, arguments, answer)

    def _reason_to_stop(self) -> str | None:
        if self.output.is_too_much:
            return "output"
        if self._interrupted:
            return "interrupt"
        return "timeout" if self.clock.is_over else None

    def _enforce_limits(self) -> None:
        """Stop the cell if there is a reason: first by an exception in the cell, and after a grace
        period by killing its process."""
        now = time.monotonic()
        if not self._has_begun(now):
            self.clock.restart()
        if self.stopped_for is None:
            reason = self._reason_to_stop()
            if reason is None:
                return
            self._ends_at = now + self._limits.grace_seconds
            self.stopped_for = reason
            if self.calls is not None:
                self.calls.stop()
            self._runner.signal(_SIGNALS[reason])
        elif now >= self._ends_at and self.checkpoint is None:
            if self._is_killed:
                raise RunnerGone  # its death was not reported: the place may be gone
            self._is_killed = True
            self._runner.signal(signal.SIGKILL)
            self._ends_at = now + _DEATH_SECONDS
        else:
            # Again: the first signal may have arrived before the cell.
            self._runner.signal(_SIGNALS[self.stopped_for])

    def _has_begun(self, now: float) -> bool:
        """Whether the checkpoint is made. Killed before, the runner would lose its variables. There
        is a limit, because code that an earlier cell left can delay the checkpoint."""
        if self.checkpoint is not None:
            poll = select.poll()
            poll.register(self.checkpoint, select.POLLIN)
            if poll.poll(0) or now - self.clock.began > self._limits.answer_seconds:
                self.checkpoint = None
        return self.checkpoint is None

    # -- results

    def _finished(self, message: Any, value: Any) -> Execution:
        """The result that a sandbox sent, with what the host saw of the cell. WorkerProtocolError
        for a wrong message."""
        if message.fault not in FAULTS:
            raise WorkerProtocolError("the sandbox reported an unknown fault")
        if not (0 <= message.wall < _LONGEST and 0 <= message.cpu < _LONGEST):
            raise WorkerProtocolError("the sandbox reported an impossible time")
        return Execution(
            value=value,
            logs=self.output.text(),
            displays=tuple(self.displays),
            error=None if message.error is None else ErrorInfo(*message.error),
            fault=message.fault,
            violations=tuple([Violation(*row) for row in message.violations]),
            is_final_answer=message.is_final_answer,
            imports=tuple(message.imports),
            tool_calls=tuple(self.called),
            usage=Usage(message.wall * 1e-9, message.cpu * 1e-9, message.peak_memory),
        )

    def broke_protocol(self, error: WorkerProtocolError) -> Execution:
        info = ErrorInfo(
            "WorkerProtocolError", str(error), f"WorkerProtocolError: {error}; {_LOST}"
        )
        return self._without_end(info, "crash")

    def died(self, status: int, out_of_memory: int, gone: SandboxFailed | None = None) -> Execution:
        """The result of a cell whose process ended with `status`: an exit code, or minus a signal.
        `gone` describes the end of the place where it ran, if that has ended."""
        kind, fault, text = self._cause_of_death(status, out_of_memory)
        if gone is not None and fault == "killed":
            kind, text = type(gone).__name__, str(gone)
        message = f"{text}; {_LOST}"
        return self._without_end(ErrorInfo(kind, message, f"{kind}: {message}"), fault)

    def _without_end(self, error: ErrorInfo, fault: Fault) -> Execution:
        """The result of a cell whose sandbox did not report its end: what the host saw of it."""
        return Execution(
            logs=self.output.text(),
            displays=tuple(self.displays),
            error=error,
            fault=fault,
            tool_calls=tuple(self.called),
            usage=Usage(time.monotonic() - self.clock.began, 0.0, None),
        )

    def _cause_of_death(self, status: int, out_of_memory: int) -> tuple[str, Fault, str]:
        limits = self._limits
        grace = (
            f"and did not end within {limits.grace_seconds:g} s of being stopped, so its process"
            " was killed"
        )
        if self.stopped_for == "timeout":
            what = (
                f"the cell's displays took longer than {in_words(limits.display_seconds)}"
                if self.clock.is_displaying
                else f"the cell ran longer than {in_words(limits.cell_seconds or 0)}"
            )
            return "TimeLimit", "timeout", f"{what} {grace}"
        if self.stopped_for == "interrupt":
            return "Interrupted", "killed", f"the cell was interrupted {grace}"
        if self.stopped_for == "output":
            text = f"the cell printed more than {limits.output_bytes:,} bytes and was killed"
            return "OutputLimit", "output", text
        if status == -signal.SIGKILL and out_of_memory:
            text = "the cell took more memory than the sandbox may have, and the kernel killed it"
            return "MemoryLimit", "memory", text
        if (
            status == -signal.SIGXCPU
            or status == -signal.SIGKILL
            and limits.cpu_seconds is not None
        ):
            used = in_words(limits.cpu_seconds or 0)
            text = f"the sandbox used more than {used} of processor time and was killed"
            return "TimeLimit", "timeout", text
        if status == -signal.SIGKILL:
            return "Killed", "killed", "the cell's process was killed"
        if status < 0:
            reason = _CRASHES.get(-status, "a signal ended it")
            text = f"the cell's process crashed with {_signal_name(-status)}: {reason}"
            return "Crashed", "crash", text
        return "Exited", "crash", f"the cell's process ended itself with exit code {status}"


class _Handover:
    """Which thread serves the cell: it passes to a thread that runs tools, and back if a tool there
    hangs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # the condition's own, entered without a step through Python
        self.changed = threading.Condition(self._lock)
        self.in_tool = True
        self.is_answering = False
        self.is_abandoned = False
        self.outcome: Received | BaseException | None = None

    def enter_tool(self) -> None:
        with self._lock:
            self.in_tool = True

    def begin_answer(self) -> bool:
        """False if this thread was abandoned and must not answer."""
        with self._lock:
            self.is_answering = not self.is_abandoned
            return self.is_answering

    def leave_tool(self) -> bool:
        """False if this thread was abandoned meanwhile."""
        with self._lock:
            self.in_tool = self.is_answering = False
            return not self.is_abandoned

    def end(self, outcome: Received | BaseException) -> None:
        with self.changed:
            self.outcome = outcome
            self.in_tool = False
            self.changed.notify_all()


# -- what results say

FAULTS: Final = frozenset({None, *get_args(Fault)})
_LONGEST = 1 << 60
"""Nanoseconds that nothing takes: about thirty years."""
_LOST = "its variables are lost"
_KEPT = "the variables are as they were before it"
_CRASHES: Final[dict[int, str]] = {
    signal.SIGSEGV: "it accessed memory that is not mapped",
    signal.SIGBUS: "it accessed memory that is not mapped",
    signal.SIGABRT: "it aborted",
    signal.SIGFPE: "an arithmetic error in C code",
    signal.SIGILL: "an instruction that the processor does not support",
    signal.SIGSYS: "a system call of another architecture",
    signal.SIGTRAP: "a breakpoint",
}
"""Signals that a process causes itself."""


def undone(execution: Execution, ended: Sequence[str] = ()) -> Execution:
    """The result of a cell that was rolled back. `ended` are commands that this ended."""
    error = execution.error
    lines = (line.partition("\n")[0][:200] for line in ended)
    logs = "".join(f"[the rollback ended the command: {line}]\n" for line in lines)
    if logs:
        execution = replace(execution, logs=execution.logs + logs)
    if error is not None and error.message.endswith(_LOST):
        kept = error.message.removesuffix(_LOST) + _KEPT
        error = replace(error, message=kept, traceback=f"{error.type}: {kept}")
    elif error is not None:  # the message is the exception's own
        error = replace(error, traceback=f"{error.traceback}\nThe cell was undone: {_KEPT}.")
    return replace(execution, error=error, rolled_back=True)


def lost(execution: Execution) -> Execution:
    """The result of a cell that should have been rolled back, and whose sandbox is gone instead."""
    error = execution.error
    if error is None or error.message.endswith(_LOST):
        return execution
    traceback = f"{error.traceback}\n{_LOST[:1].upper()}{_LOST[1:]}."
    error = replace(error, message=f"{error.message}; {_LOST}", traceback=traceback)
    return replace(execution, error=error)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has no name
        return f"signal {number}"


_ERRORS: Final = {
    name: getattr(builtins, name)
    for name in (
        "KeyError ValueError TypeError FileNotFoundError FileExistsError PermissionError"
        " IsADirectoryError NotADirectoryError OSError"
    ).split()
}


def refusal(kind: str, message: str) -> Exception:
    """The error for a `failed` answer of a sandbox. The type is one of a fixed table."""
    if kind == "KeyError":
        return KeyError(message.strip("'\""))
    if kind in ("ForbiddenName", "PolicyError"):
        return PolicyError(message)
    if kind == "ToolError":
        return ToolError(message)
    known = _ERRORS.get(kind)
    return known(message) if known is not None else SandboxFailed(f"{kind}: {message}")
