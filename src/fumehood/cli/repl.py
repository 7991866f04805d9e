"""`fumehood repl`: cells one after the other, with their variables kept."""

from __future__ import annotations

import sys
from collections.abc import Callable

from fumehood.cli import options, render, terminal
from fumehood.cli.cells import Cells, NotACell
from fumehood.cli.history import kept_history
from fumehood.cli.source import LONGEST_SOURCE
from fumehood.executors.local import LocalPythonExecutor

HELP = """\
A line is a cell; a block ends with a blank line. Variables stay from cell to cell.
The value of a cell is the value of its last statement, assignments included. Top-level await works.

%who     the variables
%reset   forget them and start anew
%report  what isolates the code here, and what does not
%help    this text
Ctrl-C   stop the cell that runs, or drop what was typed
Ctrl-D   leave"""


def repl(
    imports: options.Imports = None,
    inline: options.Inline = False,
    timeout: options.Timeout = None,
) -> None:
    """Run cells as they are typed, keeping their variables.

    Reads piped input too, without prompts.
    """
    prompt = Prompt(lambda: options.open_executor(imports, inline=inline, timeout=timeout))
    try:
        if sys.stdin is not None and sys.stdin.isatty():
            prompt.talk()
        else:
            prompt.read_piped()
    except KeyboardInterrupt:
        terminal.fail("interrupted", terminal.INTERRUPTED)
    finally:
        prompt.executor.close()


class Prompt:
    """One session: an executor, the lines of the next cell, and what is done with each line."""

    def __init__(self, open_executor: Callable[[], LocalPythonExecutor]) -> None:
        self.open_executor = open_executor
        self.executor = open_executor()
        self.cells = Cells()
        self.commands = {
            "%who": self.show_variables,
            "%reset": self.reset,
            "%report": self.show_report,
            "%help": self.show_help,
        }

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
                command()
            return
        try:
            cell = self.cells.add(line)
        except NotACell as error:
            terminal.say(str(error))
            return
        if cell is not None:
            self.run(cell)

    def run(self, cell: str) -> None:
        render.show(self.executor.run(cell))

    def variables(self) -> list[str]:
        return sorted(name for name in self.executor.state if not name.startswith("_"))

    def show_variables(self) -> None:
        state = self.executor.state
        width = max(map(len, self.variables()), default=0)
        for name in self.variables():
            shown = terminal.one_line(render.shown_value(state[name]))
            terminal.write(f"{name:<{width}}  {shown}", sys.stdout)

    def reset(self) -> None:
        self.executor.close()
        self.executor = self.open_executor()

    def show_report(self) -> None:
        terminal.write(self.executor.report(), sys.stdout)

    def show_help(self) -> None:
        terminal.write(HELP, sys.stdout)
