"""One command line, run in a process that was made for it: what it may reach, and who runs Python
for it.

It has what a cell of the same policy has, and no more: the same jail, the same directories, and for
Python a session with the same checks.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import sys
from collections.abc import Mapping
from typing import TextIO

from fumehood.jail.enter import WIRE
from fumehood.jail.filesystem import HOME, TEMPORARY
from fumehood.language.guarded.session import Session as GuardedSession
from fumehood.language.run import Session
from fumehood.results import Execution
from fumehood.wire.messages import Command
from fumehood.worker.shell import table
from fumehood.worker.shell.calls import reason
from fumehood.worker.shell.places import Places
from fumehood.worker.shell.run import Shell

_NOT_THERE = 1
_NOT_FOR_PROGRAMS = ("display", "final_answer", "open")
"""What a cell can call and a program of a file would not know; `open` is put back where there are
files."""


def serve(
    order: Command, streams: list[int], session: Session | GuardedSession, output: TextIO
) -> int:
    """Run a command line with these streams for its standard ones; gives its exit code. After it
    they lead nowhere, so that whoever is at their other ends sees that they are over."""
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
        os.close(stream)
    policy = session.policy
    roots: list[str] | None = None
    if policy.language == "guarded":
        mounts = (mount.target for mount in policy.mounts)
        roots = [HOME, TEMPORARY, *mounts] if policy.files else []
    places = Places(roots, HOME)
    environment = {**os.environ, **order.environment}
    shell = Shell(places, environment, SessionPython(session, output), table.find, _let_go_of_wire)
    try:
        if order.cwd != HOME:
            places.go(order.cwd)
    except (OSError, ValueError) as error:
        shell.complain(f"sh: {order.cwd}: {reason(error)}")
        status = _NOT_THERE
    else:
        status = shell.run(order.line)
    with contextlib.suppress(OSError):  # there is nobody any more who reads it
        output.flush()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return status


def _let_go_of_wire() -> None:
    """In a copy: what is said to the host is not for code to say. The number stays taken, or the
    next thing opened would have it."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, WIRE)
    os.close(nowhere)


class SessionPython:
    """Runs programs in a session in which nothing has run yet. Each has a process of its own, a
    copy of one that runs none."""

    def __init__(self, session: Session | GuardedSession, output: TextIO) -> None:
        self._session, self._output = session, output

    @property
    def runs_modules(self) -> bool:
        return self._session.policy.language == "python"

    def run_module(
        self, name: str, arguments: list[str], environment: Mapping[str, str], home: str
    ) -> int:
        source = f"import runpy\nrunpy.run_module({name!r}, run_name='__main__', alter_sys=True)\n"
        return self.run(source, name, arguments, environment, home)

    def run(
        self,
        source: str,
        name: str,
        arguments: list[str],
        environment: Mapping[str, str],
        home: str,
    ) -> int:
        session = self._session
        os.environ.clear()
        os.environ.update(environment)
        errors = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False),
            encoding="utf-8",
            errors="backslashreplace",
            write_through=True,
        )
        session.namespace["__file__"] = name
        if isinstance(session, GuardedSession):
            sys.stderr = errors
            for tool in _NOT_FOR_PROGRAMS:
                if tool != "open" or not session.policy.files:
                    session.builtins.pop(tool, None)
        else:
            for tool in _NOT_FOR_PROGRAMS[:2]:
                vars(builtins).pop(tool, None)
            self._be_plain(name, arguments, home, errors)
        execution = session.outcome(source).as_execution()
        self._output.flush()
        status = self._told(execution, name, errors)
        errors.flush()
        return status

    def _be_plain(
        self, name: str, arguments: list[str], home: str, errors: io.TextIOWrapper
    ) -> None:
        """Where the language is off, code has the interpreter itself, and finds it as it does
        anywhere."""
        sys.argv = [name, *arguments]
        sys.path.insert(0, home)
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(  # type: ignore[misc]
            io.FileIO(0, closefd=False), encoding="utf-8", errors="surrogateescape"
        )
        sys.stderr = sys.__stderr__ = errors  # type: ignore[misc]

    def _told(self, execution: Execution, name: str, errors: TextIO) -> int:
        """The exit code of what a program did; what it raised is shown."""
        error = execution.error
        if error is None:
            return 0
        if error.type == "SystemExit":
            if error.message in ("", "None"):
                return 0
            digits = error.message.removeprefix("-")
            if digits.isascii() and digits.isdigit() and len(digits) < 10:
                return int(error.message) & 255
            errors.write(error.message + "\n")
            return 1
        shown = f"<{'string' if name == '-c' else 'stdin'}>" if name in ("-c", "-") else name
        text = error.traceback.replace("  cell 1, line ", f'  File "{shown}", line ')
        errors.write(text.rstrip("\n") + "\n")
        return 1
