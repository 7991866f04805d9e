"""`fumehood repl`: cells one after the other, with their variables kept."""

from __future__ import annotations

import contextlib
import sys

from fumehood.cli import options, render, terminal
from fumehood.cli.cells import Cells, NotACell
from fumehood.cli.history import kept_history
from fumehood.cli.interrupts import stopping
from fumehood.cli.live import Live
from fumehood.cli.magics import Magics, Misused
from fumehood.cli.source import LONGEST_SOURCE
from fumehood.errors import FumehoodError
from fumehood.executors.local import LocalPythonExecutor


def repl(
    imports: options.Imports = None,
    packages: options.With = None,
    build: options.Build = False,
    inline: options.Inline = False,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    files: options.Files = False,
    programs: options.Programs = False,
    mounts: options.Mounts = None,
    seed: options.Seed = None,
    clock: options.Clock = None,
    audit: options.Audit = None,
) -> None:
    """Run cells as they are typed, keeping their variables.

    Reads piped input too, without prompts.
    Exit code: 0 done, 2 bad input, 3 there is no place to run code in.

    Example: fumehood repl --import numpy --files
    """
    place = options.Place(
        imports, inline, timeout, files, programs, mounts, memory, seed, clock, packages, build
    )
    with terminal.interruptible(), options.audited(audit), Prompt(place) as prompt:
        if sys.stdin is not None and sys.stdin.isatty():
            prompt.talk()
        else:
            prompt.read_piped()


class Prompt:
    """One session: its executors, the lines of the next cell, and what is done with each line."""

    def __init__(self, place: options.Place) -> None:
        self.place = place
        self.live = Live(sys.stdout, lambda: self.executor.interrupt())
        self.magics = Magics(lambda: place.open(self.live), inline=place.inline)
        self.cells = Cells()
        self.talking = False

    @property
    def executor(self) -> LocalPythonExecutor:
        return self.magics.executor

    def __enter__(self) -> Prompt:
        return self

    def __exit__(self, *error: object) -> None:
        self.magics.tree.close()

    def talk(self) -> None:
        """Until Ctrl-D: ask for lines, with editing and history."""
        self.talking = True
        terminal.write("fumehood repl: %help for help, Ctrl-D to leave", sys.stdout)
        terminal.write(
            self.executor.report().partition(". ")[0] + " (%report tells what that means)",
            sys.stdout,
        )
        with kept_history(self.magics.variables):
            interrupted = False
            while True:
                try:
                    # What an interrupt asks for is done in here, where a second one, of an
                    # impatient hand, is caught.
                    if interrupted:
                        self.cells.drop()
                        terminal.write("\ninterrupted", sys.stdout)
                        interrupted = False
                    self.take(input(self.prompt()))
                except KeyboardInterrupt:
                    interrupted = True
                except EOFError:
                    terminal.write("\n", sys.stdout)
                    return

    def prompt(self) -> str:
        name = self.magics.tree.here.name
        return ("" if name == "main" else f"{name} ") + ("... " if self.cells.started else ">>> ")

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
            self.magics.do(line)
            return
        try:
            cell = self.cells.add(line)
        except NotACell as error:
            terminal.say(str(error))
            return
        if cell is not None:
            self.run(cell)

    def run(self, cell: str) -> None:
        # Piped cells are one program: Ctrl-C ends it all. Inline, the library takes the signal
        # itself.
        stops_cell = self.talking and not self.place.inline
        tree = self.magics.tree
        interrupts: list[int] = []
        if not self.place.inline:
            tree.before(cell)
        try:
            with stopping(self.executor, interrupts) if stops_cell else contextlib.nullcontext():
                execution = self.executor.run(cell)
        except KeyboardInterrupt:
            if len(interrupts) > 1:
                terminal.say(f"the cell's process was ended; {self.go_back()}")
            raise
        except FumehoodError as error:  # no sandbox to be had any more; perhaps with the next cell
            terminal.say(str(error))
            return
        if interrupts:
            self.live("\n")  # the terminal has shown ^C, in the middle of a line
        render.show(execution, self.live)
        tree.after(execution)

    def go_back(self) -> str:
        """After the process of a cell was ended: what there is now."""
        try:
            self.magics.tree.undo()
        except (Misused, FumehoodError):
            return "its variables are lost"
        return "the variables are as they were before it"
