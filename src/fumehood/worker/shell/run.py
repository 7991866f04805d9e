"""The shell: walks the tree of a command line. Commands run in this process; what runs beside them,
in a copy of it.

Copies are made for the parts of a pipeline, for $( … ), for ( … ) and for Python. They are bounded
by the sandbox's limit on processes, and end with the process that was made for the command line,
which the host ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from fumehood.worker.shell.calls import CHUNK, Call, Out, Usage, decoded, encoded, reason
from fumehood.worker.shell.copies import BROKEN_PIPE, MISUSED, NOT_RUN, Copies, Exit, Leave
from fumehood.worker.shell.expand import Expansion
from fumehood.worker.shell.parse import parse
from fumehood.worker.shell.places import Places
from fumehood.worker.shell.tree import (
    Command,
    For,
    Group,
    If,
    Misread,
    Pipeline,
    Redirection,
    Sequence,
    Simple,
    While,
)

_MOST_OUTPUT = 8 << 20
"""Bytes that $( … ) may give."""
_DEEPEST = 20
"""Scripts that may call one another."""
_HIGH = 10
"""Descriptors from here on are where standard ones are kept meanwhile."""


class Interpreter(Protocol):
    """Who runs Python for a command."""

    def run(
        self,
        source: str,
        name: str,
        arguments: list[str],
        environment: Mapping[str, str],
        home: str,
    ) -> int:
        """Run a program in this process, which is a copy made for it, and give its exit code.
        `home` is the directory it is in."""

    @property
    def runs_modules(self) -> bool:
        """Whether modules can be run by name, whichever they are."""

    def run_module(
        self, name: str, arguments: list[str], environment: Mapping[str, str], home: str
    ) -> int: ...


class Shell(Copies):
    """`commands` finds a command by its name; `on_copy` is called in every copy of this process
    before it does anything."""

    def __init__(
        self,
        places: Places,
        environment: Mapping[str, str],
        interpreter: Interpreter,
        commands: Callable[[str], Callable[[Call], int | None] | None],
        on_copy: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(on_copy)
        self.places = places
        self.interpreter = interpreter
        self.commands = commands
        self.variables: dict[str, str] = dict(environment)
        self.exported: set[str] = set(environment)
        self.name = "sh"
        self.arguments: list[str] = []
        self.options: set[str] = set()
        self.status = 0
        self._loops = self._depth = self._unwatched = 0
        self._substituted = 0
        """The exit code of the last $( … ): a line that only assigns has it for its own."""

    # -- what expansions ask for

    def value_of(self, name: str, *, is_needed: bool = False) -> str | None:
        """What a variable holds; None if there is none. With `set -u` one that is needed must be
        there."""
        if name.isdigit():
            if name == "0":
                return self.name
            return (
                self.arguments[int(name) - 1]
                if len(name) < 6 and int(name) <= len(self.arguments)
                else None
            )
        match name:
            case "?":
                return str(self.status)
            case "#":
                return str(len(self.arguments))
            case "$":
                return str(os.getpid())
            case "@" | "*":
                return " ".join(self.arguments) if self.arguments else None
            case "PWD":
                return self.places.here
        value = self.variables.get(name)
        if value is None and is_needed and "u" in self.options:
            raise Misread(f"{name}: has no value (set -u)")
        return value

    def set_variable(self, name: str, value: str) -> None:
        self.variables[name] = value

    @property
    def environment(self) -> dict[str, str]:
        """What a program is given of the variables."""
        return {
            **{name: self.variables[name] for name in self.exported if name in self.variables},
            "PWD": self.places.here,
        }

    def output_of(self, body: Sequence) -> str:
        """What a list of commands prints, without the ends of lines at its end."""
        reads, writes = os.pipe()
        try:
            pid = self._copy(lambda: self._run_into(body, writes), closes=(reads,))
        except OSError:
            os.close(reads)
            raise
        finally:
            os.close(writes)
        pieces: list[bytes] = []
        size = 0
        while data := os.read(reads, CHUNK):
            pieces.append(data)
            size += len(data)
            if size > _MOST_OUTPUT:
                os.close(reads)
                self._wait(pid)
                raise Misread(f"$( … ) gives more than {_MOST_OUTPUT:,} bytes; write to a file")
        os.close(reads)
        self._substituted = self._wait(pid)
        return decoded(b"".join(pieces).replace(b"\0", b"")).rstrip("\n")

    def _run_into(self, body: Sequence, writes: int) -> int:
        os.dup2(writes, 1)
        os.close(writes)
        return self.execute(body)

    # -- texts

    def run(self, text: str) -> int:
        """Run a command line or a script to its end, and give its exit code."""
        try:
            return self.execute_text(text)
        except Exit as asked:
            return asked.status

    def execute_text(self, text: str) -> int:
        """Run a text as if its commands stood in the place of this one."""
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                raise Misread(f"scripts call one another more than {_DEEPEST} deep")
            encoded(text)
            return self.execute(parse(text))
        except Leave:
            return self.status
        except UnicodeEncodeError:
            return self._refused("the line holds characters that no text can have")
        except Misread as error:
            return self._refused(str(error))
        except RecursionError:
            return self._refused("things stand in one another too deep")
        except MemoryError:
            return self._refused("there is no more memory")
        except BrokenPipeError:
            self.status = BROKEN_PIPE
            return self.status
        except OSError as error:
            return self._refused(f"this sandbox does not allow it: {reason(error)}", NOT_RUN)
        finally:
            self._depth -= 1

    def _refused(self, why: str, status: int = MISUSED) -> int:
        self.complain(f"{os.path.basename(self.name)}: {why}")
        self.status = status
        raise Exit(status)

    # -- the tree

    def execute(self, sequence: Sequence) -> int:
        for place, (connector, pipeline) in enumerate(sequence.items):
            if connector == "&&" and self.status or connector == "||" and not self.status:
                continue
            follows = sequence.items[place + 1][0] if place + 1 < len(sequence.items) else ";"
            with self._watched(follows == ";" and not pipeline.negated):
                self._pipeline(pipeline)
                if self.status and "e" in self.options and not self._unwatched:
                    raise Exit(self.status)
        return self.status

    @contextlib.contextmanager
    def _watched(self, is_watched: bool) -> Iterator[None]:
        """With `set -e` a command that fails ends the shell, but not one whose failing is asked
        about."""
        self._unwatched += not is_watched
        try:
            yield
        finally:
            self._unwatched -= not is_watched

    def _holds(self, condition: Sequence) -> bool:
        self.status = 0
        with self._watched(False):
            return self.execute(condition) == 0

    def _pipeline(self, pipeline: Pipeline) -> None:
        if len(pipeline.commands) == 1:
            self._command(pipeline.commands[0])
        else:
            self._beside_one_another(pipeline.commands)
        if pipeline.negated:
            self.status = int(not self.status)

    def _beside_one_another(self, commands: tuple[Command, ...]) -> None:
        pids: list[int] = []
        reads: int | None = None
        try:
            for place, command in enumerate(commands):
                following, writes = os.pipe() if place + 1 < len(commands) else (None, None)
                try:
                    pids.append(
                        self._copy(
                            lambda c=command, r=reads, w=writes: self._stage(c, r, w),  # type: ignore[misc]
                            closes=(following,),
                        )
                    )
                except OSError:
                    if following is not None:
                        os.close(following)
                    raise
                finally:
                    for end in (reads, writes):
                        if end is not None:
                            os.close(end)
                    reads = None
                reads = following
        finally:
            if reads is not None:
                os.close(reads)
            statuses = [self._wait(pid) for pid in pids]
        failed = [status for status in statuses if status]
        self.status = failed[-1] if failed and "pipefail" in self.options else statuses[-1]

    def _stage(self, command: Command, reads: int | None, writes: int | None) -> int:
        for end, standard in ((reads, 0), (writes, 1)):
            if end is not None:
                os.dup2(end, standard)
                os.close(end)
        self._command(command)
        return self.status

    def _command(self, command: Command) -> None:
        node = command.node
        if isinstance(node, Simple):
            self._simple(node, command.redirections)
            return
        with self._redirected(command.redirections) as is_open:
            if not is_open:
                return
            match node:
                case For():
                    words = (
                        Expansion(self).fields(node.words)
                        if node.words is not None
                        else [*self.arguments]
                    )
                    self.status = 0
                    self._rounds(
                        node.body,
                        (lambda word=word: self._assign(node.name, word) for word in words),  # type: ignore[misc]
                    )
                case While():
                    self._while(node)
                case If():
                    self._if(node)
                case Group() if node.apart:
                    self.status = self._wait(self._copy(lambda: self.execute(node.body)))
                case Group():
                    self.execute(node.body)

    def _assign(self, name: str, value: str) -> bool:
        self.set_variable(name, value)
        return True

    def _if(self, node: If) -> None:
        for condition, body in node.branches:
            if self._holds(condition):
                self.status = 0
                self.execute(body)
                return
        self.status = 0
        if node.otherwise is not None:
            self.execute(node.otherwise)

    def _while(self, node: While) -> None:
        status = 0

        def go_on() -> bool:
            nonlocal status
            status = self.status
            return self._holds(node.condition) is not node.until

        def for_ever() -> Iterator[Callable[[], bool]]:
            while True:
                yield go_on

        self.status = 0
        if not self._rounds(node.body, for_ever()):
            self.status = status

    def _rounds(self, body: Sequence, rounds: Iterator[Callable[[], bool]]) -> bool:
        """Run a body again and again, as long as each round may begin. True if it was left by
        `break`."""
        self._loops += 1
        try:
            for may_begin in rounds:
                try:
                    if not may_begin():
                        return False
                    self.execute(body)
                except Leave as leave:
                    self.status = 0
                    if leave.levels > 1 and self._loops > 1:
                        raise Leave(leave.levels - 1, goes_on=leave.goes_on) from None
                    if not leave.goes_on:
                        return True
            return True
        finally:
            self._loops -= 1

    def leave_loops(self, levels: int, *, goes_on: bool) -> None:
        """`break` and `continue`; outside of a loop they do nothing."""
        if self._loops:
            raise Leave(levels, goes_on=goes_on)

    def _begin_copy(self) -> None:
        self._loops = 0

    # -- simple commands

    def _simple(self, node: Simple, redirections: list[Redirection]) -> None:
        expansion = Expansion(self)
        self._substituted = 0
        words = expansion.fields(node.words)
        values = [(name, expansion.text(word)) for name, word in node.assignments]
        with self._redirected(redirections) as is_open:
            if not is_open:
                return
            if not words:
                self.variables.update(values)
                self.status = self._substituted
                return
            names = [name for name, _value in values]
            kept = {name: self.variables.get(name) for name in names}
            exported = {*self.exported}
            self.variables.update(values)
            self.exported.update(names)
            try:
                self.status = self.call(words)
            finally:
                if values:
                    self.exported = exported if words[0] != "export" else self.exported | exported
                    for name, value in kept.items():
                        if value is None:
                            self.variables.pop(name, None)
                        else:
                            self.variables[name] = value

    def call(self, words: list[str], out: Out | None = None) -> int:
        """Call a command by its words, and give its exit code."""
        function = self.commands(words[0])
        call = Call(
            os.path.basename(words[0].rstrip("/")) or words[0], words[1:], self, out or Out()
        )
        if function is None:
            from fumehood.worker.shell.scripts import run_file

            function = run_file
            call.name, call.arguments = words[0], words[1:]
        try:
            status = function(call)
            call.out.flush()
        except Usage as error:
            call.say(str(error))
            return MISUSED
        except BrokenPipeError:
            return BROKEN_PIPE
        except MemoryError:
            call.out = Out()
            call.say("there is no more memory")
            return 1
        except (OSError, ValueError) as error:
            name = getattr(error, "filename", None)
            call.out = Out()
            call.say(f"{name}: {reason(error)}" if isinstance(name, str) else reason(error))
            return call.status
        return call.status if status is None else status

    # -- redirections

    @contextlib.contextmanager
    def _redirected(self, redirections: list[Redirection]) -> Iterator[bool]:
        """Have standard descriptors lead elsewhere. False, and said why, if they cannot."""
        kept: list[tuple[int, int]] = []
        try:
            try:
                for redirection in redirections:
                    kept.append(
                        (
                            redirection.descriptor,
                            fcntl.fcntl(redirection.descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH),
                        )
                    )
                    self._redirect(redirection)
            except (OSError, ValueError) as error:
                name = getattr(error, "filename", None)
                self._put_back(kept)
                self.complain(
                    f"sh: {name}: {reason(error)}"
                    if isinstance(name, str)
                    else f"sh: {reason(error)}"
                )
                self.status = 1
                yield False
            else:
                yield True
        finally:
            self._put_back(kept)
            self._see_writers_end()

    def _put_back(self, kept: list[tuple[int, int]]) -> None:
        while kept:
            standard, copy = kept.pop()
            os.dup2(copy, standard)
            os.close(copy)

    def _redirect(self, redirection: Redirection) -> None:
        expansion = Expansion(self)
        match redirection.kind:
            case "<<<":
                opened = self._here(encoded(expansion.text(redirection.target) + "\n"))
            case "<<":
                opened = self._here(encoded(expansion.text(redirection.target)))
            case ">&":
                target = expansion.text(redirection.target)
                opened = os.open(os.devnull, os.O_WRONLY) if target == "-" else os.dup(int(target))
            case "<":
                opened = self.places.open(expansion.name(redirection.target))
            case _:
                opened = self.places.write(
                    expansion.name(redirection.target), append=redirection.kind == ">>"
                )
        os.dup2(opened, redirection.descriptor)
        os.close(opened)
