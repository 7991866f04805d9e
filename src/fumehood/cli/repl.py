"""`fumehood repl`: cells one after the other, with their variables kept."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable

from fumehood.cli import options, render, terminal
from fumehood.cli.cells import Cells, NotACell
from fumehood.cli.history import kept_history
from fumehood.cli.interrupts import stopping
from fumehood.cli.live import Live
from fumehood.cli.source import LONGEST_SOURCE
from fumehood.errors import FumehoodError
from fumehood.executors.local import LocalPythonExecutor

WIDEST_NAME = 60
"""Code may give its variables and files names of any length, which must not become as much space on every line."""

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
        self.talking = False
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
        self.talking = True
        terminal.write("fumehood repl: %help for help, Ctrl-D to leave", sys.stdout)
        terminal.write(self.executor.report().partition(". ")[0] + " (%report tells what that means)", sys.stdout)
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
        except (FumehoodError, OSError, LookupError, TypeError, ValueError) as error:  # the sandbox may answer anything
            terminal.say(str(error))

    def run(self, cell: str) -> None:
        # Piped cells are one program: Ctrl-C ends it all. Inline, the library takes the signal itself.
        stops_cell = self.talking and not self.place.inline
        interrupts: list[int] = []
        try:
            with stopping(self.executor, interrupts) if stops_cell else contextlib.nullcontext():
                execution = self.executor.run(cell)
        except KeyboardInterrupt:
            if len(interrupts) > 1:
                terminal.say("the cell's process was ended; its variables are lost")
            raise
        except FumehoodError as error:  # no sandbox to be had any more; perhaps with the next cell
            terminal.say(str(error))
            return
        if interrupts:
            self.live("\n")  # the terminal has shown ^C, in the middle of a line
        render.show(execution, self.live)

    def variables(self) -> list[str]:
        return sorted(name for name in self.executor.state if not name.startswith("_"))

    def show_variables(self) -> None:
        show_columns((name, self.shown_variable(name)) for name in self.variables())

    def shown_variable(self, name: str) -> str:
        try:
            return terminal.one_line(render.shown_value(self.executor.state[name]))
        except (FumehoodError, LookupError, TypeError, ValueError) as error:  # what the sandbox may answer instead of a value
            return f"<cannot be shown: {terminal.one_line(str(error))}>"

    def show_files(self) -> None:
        show_columns((path, f"{size:,} bytes") for path, size in sorted(self.executor.files.list().items()))

    def reset(self) -> None:
        self.executor.close()
        self.executor = self.open()

    def show_report(self) -> None:
        terminal.write(self.executor.report(), sys.stdout)

    def show_help(self) -> None:
        terminal.write(HELP, sys.stdout)


def show_columns(rows: Iterable[tuple[str, str]]) -> None:
    """Names and what they stand for, one per line."""
    shown = [(terminal.one_line(name), text) for name, text in rows]
    width = min(max((len(name) for name, _text in shown), default=0), WIDEST_NAME)
    for name, text in shown:
        terminal.write(f"{name:<{width}}  {text}", sys.stdout)
