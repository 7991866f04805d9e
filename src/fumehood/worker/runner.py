"""The runner: the process that holds the variables and runs cells. From the first cell on it is in
the hands of the code it runs.

It reads messages from the host and answers them, one after the other. While a cell runs it also
reads, whenever code waits for a tool.
"""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import importlib
import io
import itertools
import mmap
import os
import pickle
import random
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from resource import RUSAGE_SELF, getrusage
from time import monotonic, sleep  # by name: code may have another clock
from typing import Any, NoReturn

from fumehood.errors import PolicyError, ToolError
from fumehood.jail.filesystem import INSTALLED
from fumehood.language.determinism import Clock, find_takers, follow
from fumehood.language.guarded.session import MATHEMATICS
from fumehood.language.guarded.session import Session as GuardedSession
from fumehood.language.run import Outcome, Session, text_input
from fumehood.language.tracebacks import MOST_CHARACTERS
from fumehood.policy import Policy
from fumehood.policy_bounds import bounded, check_imports
from fumehood.results import ErrorInfo
from fumehood.wire import messages
from fumehood.wire.frames import encode_frame
from fumehood.wire.output import as_error
from fumehood.wire.protocol import plain_end, plain_header
from fumehood.wire.show import bounded_repr, safe_str, type_name
from fumehood.wire.values import Decoder, Encoder
from fumehood.worker import display, state
from fumehood.worker.checkpoint import Branches
from fumehood.worker.commands import CommandServer, set_environment
from fumehood.worker.line import Line, TooLarge
from fumehood.worker.tools import callers, make_stub, revive_failure

_DISPLAY_SHARE = 0.7
_VALUE_SHARE = 0.9
"""Of `Limits.display_seconds`: when the displays have to be made, and when the value."""
_ANSWER_SHARE = 0.8
"""Of `Limits.answer_seconds`: the rest is for the answer to reach the host."""
_QUIET_MILLISECONDS = 1.0
"""After so long a silence there is time to make a base, before it is needed."""
_BALLAST = 8 << 20
"""Memory that is held for the moment when code has taken all the rest. It is never touched, so it
costs address space and nothing else."""
_NOTEBOOK_CHARACTERS = 16 << 20
"""Of an exception's message in a notebook: there some code raises what it wants to return."""
_PLAIN = (type(None), bool, int, float, str)
"""Encoding one runs no code, and there is nothing to show but the value."""


def break_off(wire: int, text: str) -> None:
    """Tell the host that this worker could not even begin."""
    for piece in encode_frame(plain_header(messages.Broken(message=text)), []):
        os.write(wire, piece)


class Runner:
    """Made in the zygote, ready for the policy that most sandboxes have; it serves in the process
    that is copied from it."""

    def __init__(self, policy: dict[str, Any]) -> None:
        self._line = Line()
        self._stream = Stream()
        self._objects = Objects()
        self._ballast: mmap.mmap | bytearray | None = None
        self._encoder = Encoder(remote=self._keep)
        self._announces = False
        self._ceiling = Ceiling()
        self._decoder = Decoder(remote=self._objects.find, unpickle=self._ceiling.unpickle)
        self._calls = Calls(
            self._line, self._encoder.encode_call, self._decoder.decode, self._stream.flush
        )
        self._handlers: dict[str, Callable[[Any, list[Any]], None]] = {
            "confine": self._confine,
            "run": self._run,
            "command": self._command,
            "keep_checkpoint": self._keep_checkpoint,
            "branch": self._branch,
        }
        self._questions: dict[str, Callable[[Any, list[Any]], Any]] = {
            "open": self._open,
            "add_tools": self._add_tools,
            "authorize": self._authorize,
            "set_variables": lambda m, buffers: self._session.namespace.update(
                self._decoder.decode(m.variables, buffers)
            ),
            "get_variable": lambda m, _: self._session.namespace[m.name],
            "delete_variable": lambda m, _: self._session.namespace.__delitem__(m.name),
            "list_variables": self._list_variables,
            "set_environment": lambda m, _: set_environment(m.variables),
            "save_state": lambda m, _: state.save(self._session),
            "load_state": self._load_state,
            "resume": lambda m, _: self._branches.take_up(with_files=m.files),
            "drop_labs": lambda m, _: self._branches.drop_labs(m.places),
        }
        """The result of such a handler, or its error, is the answer."""
        self._branches = Branches(self._line, self._forget_threads)
        find_takers()
        self._prepare(policy)

    def attach(self, wire: int) -> None:
        """Get ready to serve the host over the descriptor `wire`. A template does this once for
        all runners that are copied from it."""
        self.connect(wire)
        self._stream.take_standard_streams()
        self._ballast = _memory(_BALLAST)
        self._begin()

    def connect(self, wire: int) -> None:
        self._line.attach(wire)

    def serve_one(self) -> None:
        """Run one cell, without making this process the session's."""
        received = self._calls.next_request()
        assert received is not None
        self._run(*received)

    def live_at(self, place: int, number: int) -> None:
        """Which of the sandbox's labs this runner has, and what it is called there, if it is not
        the first."""
        self._branches.live_at(place, number)

    @property
    def greeting(self) -> bytes:
        """What a runner says first, as it travels."""
        return self._line.packed(messages.Ready(protocol=messages.PROTOCOL))

    def serve(self, *, has_greeted: bool = False) -> None:
        """Serve until the host closes its end. `has_greeted` says that the host was told already
        that it is ready."""
        self._begin_in_process()
        if not has_greeted:
            self._line.send(messages.Ready(protocol=messages.PROTOCOL))
        branches = self._branches
        while True:
            if (
                branches.standby is not None
                and not branches.is_new
                and self._calls.is_idle
                and self._line.is_quiet(_QUIET_MILLISECONDS)
            ):
                branches.make_checkpoint(in_pause=True)
            received = self._calls.next_request()
            if received is None:
                return
            message, buffers = received
            branches.is_new = False
            if message.type == "run":
                if message.has_new_files:
                    branches.mark = message.id
                branches.shares_files = message.shares_files
                if branches.standby is not None and branches.make_checkpoint():
                    continue  # this is the checkpoint; the original runs the cell
            if message.type in self._questions:
                self._answer(message, buffers)
            else:
                self._handlers[message.type](message, buffers)
            if message.type in messages.CHANGING:
                branches.mark = message.id

    def _load_again(self) -> None:
        """Once code has let go of what took all the memory: with nothing left beside it, the
        ballast itself would be too much."""
        if _memory(2 * _BALLAST) is not None:
            self._ballast = _memory(_BALLAST)

    def _make_room(self) -> None:
        """To tell that no memory is left, and for the next cell to let go of what took it all."""
        self._ballast = None

    # -- the policy

    def _confine(self, message: messages.Confine, buffers: list[Any]) -> None:
        self._ceiling.confine(message.ceiling)
        self._open(message, buffers)

    def _open(self, message: messages.Open | messages.Confine, buffers: list[Any]) -> None:
        self._prepare(self._ceiling.held(message.policy))
        self._begin()
        self._begin_in_process()

    def _begin(self) -> None:
        """Make this process, and all that are copied from it, the session's."""
        if not isinstance(self._session, GuardedSession):
            self._session.begin()
            self._session.imports.after_import = self._after_import
            if self._policy.files and self._policy.programs and INSTALLED not in sys.path:
                sys.path.append(INSTALLED)
            display.show_through(self._displays.display)

    def _begin_in_process(self) -> None:
        """Do what a copy of this process must not share with it: random numbers and the clock."""
        clock, is_seeded = self._session.clock, self._policy.seed is not None
        if not isinstance(self._session, GuardedSession):
            if not is_seeded:
                random.seed()
            if "*" in self._policy.imports:
                self._session.draw_anew(self._policy.seed)
            if clock is not None:
                _give_loops(self._session.new_loop)
        if is_seeded:
            self._session.draw_anew(self._policy.seed)
        if clock is not None:
            follow(clock)

    def _prepare(self, fields: dict[str, Any]) -> None:
        """Be ready for a policy."""
        self._policy = Policy.from_fields(fields)
        self._is_seeded = self._policy.seed is not None
        clock = Clock(self._policy.clock) if isinstance(self._policy.clock, float) else None
        kind = Session if self._policy.language == "python" else GuardedSession
        self._session: Session | GuardedSession = kind(
            self._policy, clock=clock, make_room=self._make_room
        )
        self._deadline = self._session.deadline
        self._session.loop_waits = self._calls.wait_in_loop
        self._displays = display.Displays(self._display, self._policy.limits.displays)
        display.show_with(self._displays)
        self._session.add_tools({"display": self._displays.display})
        if self._policy.files and self._policy.language == "guarded":
            self._session.add_tools({"open": open})  # the kernel says which files there are
        self._branches.has_files = self._policy.files
        self._line.most = self._policy.limits.frame_bytes
        self._line.guard = self._deadline
        self._deadline.install()

    def _after_import(self, name: str) -> None:
        """A cell has imported a module. The first that is not Python's own may draw random
        numbers, which must not be those of the process that this one is a copy of."""
        top = name.partition(".")[0]
        if not self._is_seeded and top not in sys.stdlib_module_names:
            self._is_seeded = True
            self._session.draw_anew(self._policy.seed)
        if top == "asyncio":
            self._session.loop  # noqa: B018  # what code makes without a running loop belongs to it

    def _authorize(self, message: messages.Authorize, buffers: list[Any]) -> None:
        """Packages were installed. They come behind all that was there, none of which they
        replace."""
        self._ceiling.check_imports(message.imports)
        sys.path += [directory for directory in message.path if directory not in sys.path]
        if self._policy.programs:
            os.environ["PYTHONPATH"] = ":".join((INSTALLED, *message.path))
        importlib.invalidate_caches()
        if "matplotlib" in message.imports and "matplotlib" not in self._policy.imports:
            display.prepare_matplotlib()
        self._policy = replace(self._policy, imports=tuple(message.imports))
        self._session.obey(self._policy)

    # -- a cell

    def _run(self, message: messages.Run, buffers: list[Any]) -> None:
        if message.released:
            self._objects.release(message.released)
        self._stream.marks_errors = self._displays.for_notebook = message.notebook
        self._session.traces.most_characters = (
            _NOTEBOOK_CHARACTERS if message.notebook else MOST_CHARACTERS
        )
        if self._displays.is_used or "matplotlib.pyplot" in sys.modules:
            self._displays.new_cell()
        self._display_room = self._policy.limits.display_bytes
        self._deadline.pending = None
        self._announces = False
        has_input = message.stdin is not None or message.asks_for_input
        if message.asks_for_input:
            lines = io.BufferedReader(HostInput(self._stream, self._calls))
            sys.stdin = io.TextIOWrapper(lines, "utf-8", "surrogatepass", newline="\n")
        elif has_input:
            sys.stdin = text_input(message.stdin)
        calls = self._calls
        calls.pid, calls.is_open = os.getpid(), True
        calls.cells += 1
        outcome = self._session.outcome(message.code)
        if os.getpid() != calls.pid:  # a process that code has forked: one answer is enough
            self._end_fork(outcome.error)
        calls.is_open = False
        if calls.waiting or calls.reading.locked():
            calls.end_cell()
        if has_input:
            sys.stdin = text_input()
        if outcome.fault == "memory":
            self._make_room()
        elif self._ballast is None:
            self._load_again()
        value: Any = None
        encoded: list[Any] = []
        try:
            if outcome.fault in ("timeout", "killed"):
                self._in_time(self._displays.close_figures, 1.0)
            elif message.notebook:
                self._show_as_notebook(outcome, message.code)
            elif type(outcome.value) in _PLAIN and "matplotlib.pyplot" not in sys.modules:
                value, encoded = self._encoder.encode(outcome.value)
            else:
                value, encoded = self._encoded(outcome)
        except MemoryError:
            self._without_room(outcome)
        if self._displays.surplus > 0:
            self._stream.write(self._displays.note + "\n")
            outcome.fault = outcome.fault or "displays"
        self._stream.end_cell()
        header = None
        try:
            if _is_plain(outcome) and not encoded:
                header = plain_end(message.id, value, outcome.wall, outcome.cpu, _peak_memory())
            if header is not None:
                self._line.send_header(header)
            else:
                self._line.send(_finished(message.id, outcome, value), encoded)
        except TooLarge as error:
            value, encoded = self._named(outcome.value, str(error))
            self._stream.end_cell()
            self._line.send(_finished(message.id, outcome, value), encoded)
        except MemoryError:  # while the message was made: nothing of it is sent yet
            value, encoded = None, []
            self._without_room(outcome)
            self._line.send(_finished(message.id, outcome, None))

    def _end_fork(self, error: ErrorInfo | None) -> NoReturn:
        """End as a script does: with the status of `sys.exit`, or a traceback and 1."""
        status = 0 if error is None else 1
        if error is not None and error.type == "SystemExit" and error.message.isdigit():
            status = int(error.message) & 255
        elif error is not None:
            text = error.message if error.type == "SystemExit" else error.traceback
            self._stream.standard_error.write(f"{text}\n")
        self._stream.flush()
        os._exit(status)

    def _without_room(self, outcome: Outcome) -> None:
        """The cell's value takes so much of the memory that none is left to send it."""
        self._make_room()
        outcome.without_value("MemoryError", "no memory is left to send the cell's value", "memory")

    def _encoded(self, outcome: Outcome) -> tuple[Any, list[Any]]:
        """Show the value, and make it ready for the wire. Both may run code (a repr, a figure), so
        both have a time limit. A value that cannot be sent stays here."""
        value, seconds = outcome.value, self._policy.limits.display_seconds
        began = monotonic()
        self._announces = True
        shows = type(value) not in display.PLAIN or "matplotlib.pyplot" in sys.modules
        if shows and not self._displayed(lambda: self._displays.end_cell(value), outcome):
            return None, []
        made: tuple[Any, list[Any]] | None = None
        left = max(began + _VALUE_SHARE * seconds - monotonic(), 0.001)
        why = f"sending it {self._too_slow}"
        has_room = True

        def encode() -> None:
            nonlocal made, why, has_room
            try:
                made = self._encoder.encode(value)
            except ValueError as error:
                why = str(error)
            except MemoryError:
                has_room = False

        if not self._in_time(encode, left):
            _interrupt(outcome)
            return None, []
        if not has_room:
            raise MemoryError
        return made or self._named(value, why)

    def _show_as_notebook(self, outcome: Outcome, code: str) -> None:
        """Show the value as a notebook does. It is not sent."""
        value = outcome.value if outcome.is_final_answer or display.shows_value(code) else None
        outcome.value = None
        if value is None and "matplotlib.pyplot" not in sys.modules:
            return
        self._announces = True
        displays = self._displays
        if (
            self._displayed(lambda: displays.end_notebook_cell(value), outcome)
            and not displays.has_shown_value
        ):
            self._display({"text/plain": f"<{type_name(value)} object>"}, True)

    def _displayed(self, show: Callable[[], None], outcome: Outcome) -> bool:
        """Make the displays at the end of a cell. Those that take too long are left out, with a
        note. False if the cell was interrupted."""
        self._announce()
        goes_on = self._in_time(show, _DISPLAY_SHARE * self._policy.limits.display_seconds)
        if goes_on and self._deadline.reason is not None:
            self._stream.write(f"[displays left out: making them {self._too_slow}; show fewer]\n")
            goes_on = self._in_time(self._displays.close_figures, 1.0)
        if not goes_on:
            _interrupt(outcome)
        return goes_on

    @property
    def _too_slow(self) -> str:
        seconds = self._policy.limits.display_seconds
        return f"takes too long (limits.display_seconds is {seconds:g})"

    def _in_time(self, make: Callable[[], None], seconds: float) -> bool:
        """Call `make` with a time limit. False if the cell was interrupted meanwhile."""
        if self._deadline.pending == "timeout":
            self._deadline.pending = None  # of a limit before this one; the host repeats its own

        def run() -> None:
            with contextlib.suppress(MemoryError):
                make()

        self._deadline.run(run, seconds)
        return self._deadline.reason != "interrupt"

    def _named(self, value: Any, why: str) -> tuple[Any, list[Any]]:
        """The name of a value that cannot be sent, with a note that says why."""
        self._stream.write(
            f"[the value stays in the sandbox, as a RemoteObject: {why}; give back a part of it]\n"
        )
        self._announce()
        text = f"<{type_name(value)} object whose repr does not return>"

        def describe() -> None:
            nonlocal text
            text = bounded_repr(value)

        self._in_time(describe, 0.05 * self._policy.limits.display_seconds)
        return Encoder(remote=lambda value: self._objects.keep(value, text)).encode_remote(value)

    def _announce(self) -> None:
        """Tell the host, once per cell, that the code has ended: what follows may take a while."""
        if self._announces:
            self._announces = False
            self._line.send(messages.CodeEnded())

    def _keep(self, value: Any) -> tuple[int, str, str]:
        self._announce()  # its repr may be code
        return self._objects.keep(value, bounded_repr(value))

    def _display(self, bundle: dict[str, Any], is_value: bool = False) -> None:
        self._stream.flush()
        size = sum(len(data) for data in bundle.values())
        if size > self._display_room:
            self._stream.write(
                f"[a display of {size:,} bytes left out: those of a cell may have"
                f" {self._policy.limits.display_bytes:,}]\n"
            )
            return
        self._display_room -= size
        node, buffers = self._encoder.encode(bundle)
        try:
            self._line.send(messages.Display(bundle=node, is_value=is_value), buffers)
        except TooLarge as error:
            self._stream.write(f"[a display left out: {error}]\n")

    # -- questions

    def _answer(self, message: Any, buffers: list[Any]) -> None:
        reply: messages.Message = messages.Failed(
            id=message.id, error="TimeoutError", message="the answer took too long to be made"
        )
        encoded: list[Any] = []

        def make() -> None:  # a repr may be code that does not return
            nonlocal reply, encoded
            try:
                result = self._questions[message.type](message, buffers)
                value, encoded = self._encoder.encode(result)
            except Exception as error:
                reply = messages.Failed(
                    id=message.id, error=type(error).__name__, message=safe_str(error, 2000)
                )
            else:
                reply = messages.Done(id=message.id, value=value)

        self._deadline.pending = None
        self._deadline.run(make, _ANSWER_SHARE * self._policy.limits.answer_seconds)
        kind = why = ""
        try:
            self._line.send(reply, encoded)
        except TooLarge as error:
            kind, why = "ValueError", f"the value cannot be sent: {error}"
        except MemoryError:
            kind, why = "MemoryError", "no memory is left to send the value"
        if kind:
            encoded = []
            self._line.send(messages.Failed(id=message.id, error=kind, message=why))

    def _add_tools(self, message: messages.AddTools, buffers: list[Any]) -> None:
        if message.mathematics:
            self._session.add_tools(MATHEMATICS)
        shipped = self._decoder.decode(message.shipped, buffers) or {}
        # All are made before the first is there: a tool that cannot be made leaves nothing of the
        # others behind.
        stubs = {
            spec["name"]: self._make_tool(spec, shipped.get(spec["name"])) for spec in message.tools
        }
        for spec in message.tools:
            stub = stubs[spec["name"]]
            if spec["name"] == "final_answer":
                self._session.on_final_answer = stub
            else:
                self._session.add_tools({spec["name"]: stub})

    def _make_tool(self, spec: dict[str, Any], pickled: bytes | None) -> Callable[..., Any]:
        """What code calls: a stub for a function of the host, or for one that was sent here."""
        if pickled is None:
            return make_stub(spec, self._calls.call, self._calls.acall)
        try:
            function = self._ceiling.unpickle(pickled)
        except Exception as error:
            raise ToolError(
                f"tool {spec['name']!r} cannot run in the sandbox: {type(error).__name__}:"
                f" {safe_str(error, 500)}"
            ) from None
        return make_stub(spec, *callers(function, self._session.new_loop))

    def _list_variables(self, message: messages.ListVariables, buffers: list[Any]) -> list[str]:
        return [
            name
            for name, value in self._session.variables().items()
            if type(name) is str and (not message.functions or type(value) is types.FunctionType)
        ]

    def _load_state(self, message: messages.LoadState, buffers: list[Any]) -> None:
        self._ceiling.check_code("a saved state")
        state.load(self._session, self._decoder.decode(message.payload, buffers))

    def _command(self, message: messages.Command, buffers: list[Any]) -> None:
        """Be a command server from here on."""
        CommandServer(self._line).serve(message)

    # -- branches

    def _keep_checkpoint(self, message: messages.KeepCheckpoint, buffers: list[Any]) -> None:
        self._branches.end_checkpoint()  # now, while the host does not wait
        with contextlib.suppress(OSError):  # code left no free descriptor: no checkpoint then
            (standby,) = self._line.take_descriptors(1)
            self._branches.keep_checkpoint(standby)

    def _branch(self, message: messages.Branch, buffers: list[Any]) -> None:
        """The original answers: a copy pays for every page it writes to."""
        self._stream.flush()
        ends: list[int] = []
        try:
            ends = self._line.take_descriptors(2)
            wire, output = ends
            pid = self._branches.branch(
                wire,
                output,
                message.place,
                lambda pid: self._line.packed(messages.Done(id=message.id, value=pid)),
            )
        except OSError as error:
            text = f"no copy could be made: {error.strerror or error}"
            self._line.send(messages.Failed(id=message.id, error="OSError", message=text))
            return
        finally:
            for end in ends:
                os.close(end)
        if not pid and message.own_random:
            self._session.draw_anew(message.seed)

    def _forget_threads(self) -> None:
        self._line.begin_anew()
        self._calls.begin_anew()


# -- calls of tools

# Calls are numbered, so that any number may wait at once, in threads and in tasks. One of the
# threads that wait reads the wire, and hands the others theirs: answers to the caller, anything
# else to the main loop. An event loop with nothing else to do reads it too.

Received = tuple[Any, list[Any]]

_MOMENTS = 20
_LOOK = 0.05
"""Seconds. The reader wakes the others; this is for a reader that ended by an exception."""


class _Waiting:
    """One call that waits for its answer."""

    __slots__ = ("answer", "future", "is_done", "loop")

    def __init__(self, loop: Any = None, future: Any = None) -> None:
        self.is_done = False
        self.answer: Received | None = None
        self.loop = loop
        self.future = future

    def finish(self, answer: Received | None) -> None:
        """Done, with an answer, or with none because the cell has ended."""
        self.answer = answer
        self.is_done = True
        if self.future is not None:
            self.loop.call_soon_threadsafe(_wake, self.future)


class Calls:
    def __init__(
        self,
        line: Line,
        encode: Callable[[tuple[Any, ...], dict[str, Any]], Any],
        decode: Callable[[Any, Any], Any],
        flush: Callable[[], None],
    ) -> None:
        self._line = line
        self._encode = encode
        self._decode = decode
        self._flush = flush
        self._numbers = itertools.count(1)
        self.waiting: dict[int, _Waiting] = {}
        self._inbox: deque[Received | None] = deque()
        self.reading = threading.Lock()
        self._reader: int | None = None
        self._changed = threading.Condition(threading.Lock())
        self.is_open = False
        """Whether a cell runs, which the runner sets."""
        self.pid = 0
        """The process that runs the cell. Code may fork others, whose calls get no answers."""
        self.cells = 0

    # -- the main loop

    def next_request(self) -> Received | None:
        """The next message that is not the answer to a call; None when the host is gone."""
        inbox = self._inbox
        while not inbox:
            if not self.reading.acquire(blocking=False):
                self._read_until(lambda: bool(inbox))
            elif inbox:  # from the thread that was reading until now
                self.reading.release()
            else:
                self._read_and_release(None)
        return inbox.popleft()

    @property
    def is_idle(self) -> bool:
        """Whether no message waits to be handled."""
        return not self._inbox

    def begin_anew(self) -> None:
        """In a copy of this process: those who waited are not here."""
        self.waiting.clear()
        self._inbox.clear()
        self.reading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())
        self.is_open = False

    def end_cell(self) -> None:
        """The host no longer answers calls that still wait."""
        if self.reading.locked():
            self._stop_reading()
        if self.waiting:
            waiting = [*self.waiting.values()]
            self.waiting.clear()
            for one in waiting:
                one.finish(None)
            self._tell_others()

    def _stop_reading(self) -> None:
        """What stops a cell is an exception that may come at any moment: when its thread has just
        begun to read, too. Then nobody reads, and nobody else could. If it is another thread that
        has just begun, it will soon say so."""
        for _ in range(_MOMENTS):
            if not self.reading.locked() or self._reader not in (None, threading.get_ident()):
                return
            if not _thread._count():
                break
            sleep(0.001)
        self._reader = None
        self.reading.release()

    # -- what stubs call

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and wait for what it gives."""
        waiting = self._send(name, args, kwargs, _Waiting(), parallel=_thread._count() > 0)
        self._read_until(lambda: waiting.is_done)
        if self.waiting:
            self._wake_loops()
        return self._result(waiting)

    def _wake_loops(self) -> None:
        """Let event loops read what was received together with another answer: the socket no
        longer shows it."""
        for loop in {one.loop for one in [*self.waiting.values()]} - {None}:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._read_in_loop)

    async def acall(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and let other tasks go on meanwhile."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._send(name, args, kwargs, _Waiting(loop, future), parallel=True)
        try:
            loop.add_reader(self._line.fileno(), self._read_in_loop)
            loop.call_soon(self._read_in_loop)  # the answer may have been read with another
        except NotImplementedError:
            pass  # a loop that calls wait_in_loop instead
        await future
        if not self.waiting:
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(self._line.fileno())
        return self._result(waiting)

    def _read_in_loop(self) -> None:
        """Called by an event loop when something has come."""
        while self.waiting and self.reading.acquire(blocking=False):
            if not self._read_and_release(0):
                return

    def wait_in_loop(self, seconds: float) -> bool:
        """Used by an event loop that has nothing to do: read, if a call waits. False if there is
        none to wait for."""
        if not self.waiting or not self.reading.acquire(blocking=False):
            return False
        self._read_and_release(seconds)
        return True

    def _send(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        waiting: _Waiting,
        *,
        parallel: bool,
    ) -> _Waiting:
        if os.getpid() != self.pid:
            raise RuntimeError("a forked process cannot call tools; only the cell's own can")
        self._flush()
        node, buffers = self._encode(args, kwargs)
        number = next(self._numbers)
        call = messages.CallTool(call=number, name=name, arguments=node, parallel=parallel)
        with self._line.sending:  # the end of the cell is sent before or after, not between
            if not self.is_open:
                raise RuntimeError("tools can be called only while a cell runs")
            self.waiting[number] = waiting
            self._line.send(call, buffers)
        return waiting

    def _result(self, waiting: _Waiting) -> Any:
        if waiting.answer is None:
            raise RuntimeError("the cell that called the tool has ended")
        message, buffers = waiting.answer
        if message.type == "tool_returned":
            return self._decode(message.value, buffers)
        raise revive_failure(
            message.error, self._decode(message.arguments, buffers), message.message
        )

    # -- reading

    def _read_until(self, is_enough: Callable[[], bool]) -> None:
        while not is_enough():
            if self.reading.acquire(blocking=False):
                if is_enough():
                    self.reading.release()
                    return
                self._read_and_release(None)
            else:
                with self._changed:
                    if not is_enough():
                        self._changed.wait(_LOOK)

    def _read_and_release(self, seconds: float | None) -> bool:
        """Read a message, if one comes in time, and give it to the one that waits for it."""
        try:
            self._reader = threading.get_ident()
            # Many sandboxes run one cell: after it the next message may take long.
            received = self._line.receive(seconds, looks=self.is_open or self.cells > 1)
            if received is None:
                return False
            if received[0].type in ("tool_returned", "tool_raised"):
                waiting = self.waiting.pop(received[0].call, None)
                if waiting is not None:
                    waiting.finish(received)
            else:
                self._inbox.append(received)
            return True
        finally:
            self._reader = None
            self.reading.release()
            # as active_count, without a step through Python, and with threads that threading does
            # not know
            if _thread._count():
                self._tell_others()

    def _tell_others(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _wake(future: Any) -> None:
    if not future.done():
        future.set_result(None)


# -- objects


class Objects:
    """Objects that the host holds by number because they cannot travel."""

    def __init__(self) -> None:
        self._by_number: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        self._next = 1

    def keep(self, value: Any, text: str) -> tuple[int, str, str]:
        number = self._numbers.get(id(value))
        if number is None:
            number, self._next = self._next, self._next + 1
            self._numbers[id(value)] = number
            self._by_number[number] = value
        return number, type_name(value), text

    def find(self, number: int, type_name: str, text: str) -> Any:
        if number not in self._by_number:
            raise LookupError("the sandbox no longer has that object")
        return self._by_number[number]

    def release(self, numbers: list[int]) -> None:
        for number in numbers:
            value = self._by_number.pop(number, None)
            self._numbers.pop(id(value), None)


def _give_loops(new_loop: Callable[[], Any]) -> None:
    """Code that calls asyncio.run gets a loop that goes by the sandbox's own clock."""

    class Loops(asyncio.DefaultEventLoopPolicy):
        def new_event_loop(self) -> Any:
            return new_loop()

    asyncio.set_event_loop_policy(Loops())


def _is_plain(outcome: Outcome) -> bool:
    """Whether there is nothing to report but a value. (What was refused is an error, too.)"""
    return (
        outcome.error is None
        and outcome.fault is None
        and not outcome.is_final_answer
        and not outcome.imports
    )


def _interrupt(outcome: Outcome) -> None:
    outcome.without_value("Interrupted", "the cell was interrupted", "killed")


def _finished(number: int, outcome: Outcome, value: Any) -> messages.Finished:
    error = outcome.error
    return messages.Finished(
        id=number,
        value=value,
        is_final_answer=outcome.is_final_answer,
        error=None if error is None else (error.type, error.message, error.traceback, error.line),
        fault=outcome.fault,
        violations=(
            [(v.line, v.column, v.rule, v.name, v.reason, v.hint) for v in outcome.violations]
            if outcome.violations
            else []
        ),
        imports=[*outcome.imports],
        wall=outcome.wall,
        cpu=outcome.cpu,
        peak_memory=_peak_memory(),
    )


def _peak_memory() -> int:
    return getrusage(RUSAGE_SELF).ru_maxrss * 1024


def _memory(size: int) -> mmap.mmap | bytearray | None:
    """So much memory, if it is there: not from the heap, which would keep it, unless it is the heap
    that has all there is."""
    with contextlib.suppress(OSError):
        return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(MemoryError):
        return bytearray(size)
    return None


# -- ceiling


class Ceiling:
    """Without `confine` there is none, and everything is taken."""

    def __init__(self) -> None:
        self._policy: Policy | None = None

    def confine(self, policy: dict[str, Any]) -> None:
        """Take no more than this policy from here on. Who comes second is not heard."""
        if self._policy is None:
            self._policy = Policy.from_fields(policy)

    def held(self, policy: dict[str, Any]) -> dict[str, Any]:
        """A policy that was asked for, cut down to what there is. PolicyError for what there is
        not."""
        return (
            policy
            if self._policy is None
            else bounded(Policy.from_fields(policy), self._policy).as_fields()
        )

    def check_imports(self, names: Iterable[str]) -> None:
        if self._policy is not None:
            check_imports(names, self._policy)

    def unpickle(self, data: Any) -> Any:
        self.check_code("an object that is sent as a pickle")
        return pickle.loads(data)

    def check_code(self, what: str) -> None:
        """PolicyError for what would run past the rules of the language, where those are part of
        what holds."""
        if self._policy is not None and self._policy.language == "guarded":
            raise PolicyError(
                f"{what} runs past the rules of the language, which hold for this key; send plain"
                " values, or code"
            )


# -- streams


_PROMPT_LINES = 1_000
"""Lines of a cell that are written one by one. A cell that prints more is writing a flood, which
goes in larger pieces."""


class Stream(io.TextIOWrapper):
    """Text to the host. Nothing that can be printed fails to be: what UTF-8 cannot hold is
    escaped."""

    def __init__(self) -> None:
        raw = io.FileIO(1, "w", closefd=False)
        super().__init__(
            io.BufferedWriter(raw, 1 << 15),
            encoding="utf-8",
            errors="backslashreplace",
            line_buffering=True,
        )
        self._lines = 0
        self.last = ""
        """The text that was written last: before input is read, it is the prompt."""
        self.marks_errors = False
        self.standard_error = io.TextIOWrapper(
            ErrorBytes(self),
            encoding="utf-8",
            errors="backslashreplace",
            write_through=True,
        )
        # Or a child would write what is in the buffer a second time.
        os.register_at_fork(before=self.flush)

    def take_standard_streams(self) -> None:
        """From here on sys.stdout is this stream, and sys.stderr the one that marks."""
        sys.stdout = sys.__stdout__ = self  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self.standard_error  # type: ignore[misc]

    def write(self, text: str, /) -> int:
        if self._lines <= _PROMPT_LINES:
            self._lines += 1
            if self._lines > _PROMPT_LINES:
                self.reconfigure(line_buffering=False)
        self.last = text
        return super().write(text)

    def write_error(self, data: bytes) -> None:
        """Write what came by way of sys.stderr, marked if the host asked for that."""
        if not self.marks_errors:
            self.write(data.decode("utf-8", "backslashreplace"))
            return
        self.flush()
        self.buffer.write(as_error(data))  # in one piece: other threads write too
        self._lines += 1
        if self._lines <= _PROMPT_LINES:
            self.buffer.flush()

    def end_cell(self) -> None:
        """Everything written so far is on its way; the next cell's lines are prompt again."""
        self.flush()
        if self._lines > _PROMPT_LINES:
            self.reconfigure(line_buffering=True)
        self._lines = 0


class ErrorBytes(io.RawIOBase):
    """What sys.stderr writes to."""

    name = "<stderr>"

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2

    def close(self) -> None:
        """Code may close its stream; the next cell needs it."""

    def write(self, data: Any, /) -> int:
        self._stream.write_error(bytes(data))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


class HostInput(io.RawIOBase):
    """The bytes of a cell's standard input, for which the host is asked line by line."""

    name = "<stdin>"

    def __init__(self, stream: Stream, calls: Calls) -> None:
        self._stream = stream
        self._calls = calls
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any, /) -> int:
        if not self._rest:
            last = self._stream.last
            prompt = "" if last.endswith("\n") else last
            line = self._calls.call(messages.STDIN, (prompt,), {})
            self._stream.last = "\n"
            if isinstance(line, str):
                self._rest = (line.removesuffix("\n") + "\n").encode("utf-8", "surrogatepass")
        part, self._rest = self._rest[: len(room)], self._rest[len(room) :]
        room[: len(part)] = part
        return len(part)
