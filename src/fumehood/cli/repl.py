"""`fumehood repl`: cells one after the other, with their variables kept."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

from fumehood.cli import options, render, terminal
from fumehood.cli.cells import Cells, NotACell
from fumehood.cli.history import kept_history
from fumehood.cli.interrupts import stopping
from fumehood.cli.live import Live
from fumehood.cli.source import LONGEST_SOURCE
from fumehood.errors import FumehoodError
from fumehood.executors.local import LocalPythonExecutor

HELP = """\
A line is a cell; a block ends with a blank line. Variables stay from cell to cell.
The value of a cell is the value of its last statement, assignments included. Top-level await works.

%who     the variables
%files   the files in /lab
%reset   forget them and start anew
%report  what isolates the code here, and what does not
%help    this text
Ctrl-C   stop the cell that runs, or drop what was typed; a second one ends its process
Ctrl-D   leave"""


def repl(
    imports: options.Imports = None,
    inline: options.Inline = False,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    files: options.Files = False,
    mounts: options.Mounts = None,
) -> None:
    """Run cells as they are typed, keeping their variables.

    Reads piped input too, without prompts.
    """
    with terminal.interruptible(), Prompt(options.Place(imports, inline, timeout, files, mounts, memory)) as prompt:
        if sys.stdin is not None and sys.stdin.isatty():
            prompt.talk()
        else:
            prompt.read_piped()


class Prompt:
    """One session: an executor, the lines of the next cell, and what is done with each line."""

    def __init__(self, place: options.Place) -> None:
        self.place = place
        self.live = Live(sys.stdout, lambda: self.executor.interrupt())
        self.executor = self.open()
        self.cells = Cells()
        self.commands = {
            "%who": self.show_variables,
            "%files": self.show_files,
            "%reset": self.reset,
            "%report": self.show_report,
            "%help": self.show_help,
        }

    def open(self) -> LocalPythonExecutor:
        return self.place.open(self.live)

    def __enter__(self) -> Prompt:
        return self

    def __exit__(self, *error: object) -> None:
        self.executor.close()

    def talk(self) -> None:
        """Until Ctrl-D: ask for lines, with editing and history."""
        terminal.write("fumehood repl: %help for help, Ctrl-D to leave", sys.stdout)
        terminal.write(self.executor.report().partition("\n")[0] + " (%report tells all)", sys.stdout)
        with kept_history(self.variables):
            interrupted = False
            while True:
                try:
                    # What an interrupt asks for is done in here, where a second one, of an impatient hand, is caught.
                    if interrupted:
                        self.cells.drop()
                        terminal.write("\ninterrupted", sys.stdout)
                        interrupted = False
                    self.take(input("... " if self.cells.started else ">>> "))
                except KeyboardInterrupt:
                    interrupted = True
                except EOFError:
                    terminal.write("\n", sys.stdout)
                    return

    def read_piped(self) -> None:
        """Until the end of the input: the same without prompts."""
        if sys.stdin is None:
            return
        # Bounded, as a line may have no end. What is longer than a cell may be is reported as that.
        while line := sys.stdin.readline(LONGEST_SOURCE + 2):
            self.take(line.rstrip("\r\n"))
        if (cell := self.cells.end()) is not None:
            self.run(cell)

    def take(self, line: str) -> None:
        # A paste may arrive as one line with newlines in it, and is then as many lines as it looks.
        for part in line.split("\n"):
            self.take_one(part)

    def take_one(self, line: str) -> None:
        if not self.cells.started and line.startswith("%"):
            command = self.commands.get(line.strip())
            if command is None:
                terminal.say(f"no command {line.strip()!r}; there are {', '.join(self.commands)}")
            else:
                self.do(command)
            return
        try:
            cell = self.cells.add(line)
        except NotACell as error:
            terminal.say(str(error))
            return
        if cell is not None:
            self.run(cell)

    def do(self, command: Callable[[], None]) -> None:
        try:
            command()
        except FumehoodError as error:
            terminal.say(str(error))

    def run(self, cell: str) -> None:
        nobody: contextlib.AbstractContextManager[list[int]] = contextlib.nullcontext([])
        with nobody if self.place.inline else stopping(self.executor) as interrupts:
            execution = self.executor.run(cell)
        if interrupts:
            self.live("\n")  # the terminal has shown ^C, in the middle of a line
        render.show(execution, self.live)

    def variables(self) -> list[str]:
        return sorted(name for name in self.executor.state if not name.startswith("_"))

    def show_variables(self) -> None:
        names = self.variables()
        width = max(map(len, names), default=0)
        for name in names:
            terminal.write(f"{name:<{width}}  {self.shown_variable(name)}", sys.stdout)

    def shown_variable(self, name: str) -> str:
        try:
            return terminal.one_line(render.shown_value(self.executor.state[name]))
        except (FumehoodError, KeyError, ValueError, TypeError) as error:  # what the sandbox may answer instead of a value
            return f"<cannot be shown: {terminal.one_line(str(error))}>"

    def show_files(self) -> None:
        files = self.executor.files.list()
        width = max(map(len, files), default=0)
        for path, size in sorted(files.items()):
            terminal.write(f"{terminal.one_line(path):<{width}}  {size:,} bytes", sys.stdout)

    def reset(self) -> None:
        self.executor.close()
        self.executor = self.open()

    def show_report(self) -> None:
        terminal.write(self.executor.report(), sys.stdout)

    def show_help(self) -> None:
        terminal.write(HELP, sys.stdout)
