"""The commands of `fumehood repl` that begin with %: looking around, and going back and forth
between snapshots and branches.

A session is a tree. Its nodes are marks, each a snapshot with a number; its tips are branches, each
an executor of its own. Before every cell a mark is made by itself, for `%undo`: it has no number,
only the last few are kept, and it makes room for what somebody asks for.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from fumehood.cli import render, terminal
from fumehood.errors import FumehoodError, SandboxFailed
from fumehood.executors.local import LocalPythonExecutor
from fumehood.executors.snapshots import Snapshot
from fumehood.results import Execution

HELP = """\
A line is a cell; a block ends with a blank line. Variables stay from cell to cell.
The value of a cell is the value of its last statement, assignments included. Top-level await works.

{commands}
Ctrl-C               stop the cell that runs, or drop what was typed; a second one ends its process
Ctrl-D               leave"""

WIDEST_NAME = 60
"""Code may give its variables and files names of any length, which must not become as much space on
every line."""
MOST_UNDONE = 10
"""How many cells can be undone: each is a process that sleeps. Where variables are large there are
fewer, as what is changed is in memory twice, and all that a sandbox has counts against its limit: a
cell must not fail for want of memory that only `%undo` holds."""
LONGEST_LABEL = 60
SPARE_BRANCHES = (
    2  # the copy that a cell is undone with after a fault, and one that is just being made
)
BRANCH_NAME = re.compile(r"[^\W\d][\w.-]{0,29}")


class Misused(Exception):
    """A command that makes no sense here; the text is the one line that says why."""


class Magics:
    """What each command does. `open` makes the executor of a new session."""

    def __init__(self, open: Callable[[], LocalPythonExecutor], *, inline: bool) -> None:
        self._open = open
        self._inline = inline
        self.tree = Tree(open())

    @property
    def executor(self) -> LocalPythonExecutor:
        """That of the branch that the prompt is on."""
        return self.tree.here.executor

    def do(self, line: str) -> None:
        """Do what a line that begins with % asks for. Whatever is wrong with it, or with the
        sandbox, is one line."""
        name, *arguments = line.split(maxsplit=1)
        command = COMMANDS.get(name)
        argument = arguments[0].strip() if arguments else ""
        if command is None:
            terminal.say(f"no command {name!r}; there are {', '.join(COMMANDS)}")
        elif argument and not command.takes:
            terminal.say(f"{name} takes nothing, and was given {argument!r}")
        elif not argument and command.takes and not command.takes.startswith("["):
            terminal.say(f"{name} takes {command.takes}")
        elif command.branches and self._inline:
            terminal.say(f"{name} needs the jail; --inline has none")
        else:
            try:
                command.does(self, argument)
            except (
                Misused,
                FumehoodError,
                OSError,
                LookupError,
                TypeError,
                ValueError,
            ) as error:  # the sandbox may answer anything
                terminal.say(str(error))

    # -- looking around

    def variables(self) -> list[str]:
        return sorted(name for name in self.executor.state if not name.startswith("_"))

    def who(self, _argument: str) -> None:
        show_columns((name, self._shown_variable(name)) for name in self.variables())

    def _shown_variable(self, name: str) -> str:
        try:
            return terminal.one_line(render.shown_value(self.executor.state[name]))
        except (
            FumehoodError,
            LookupError,
            TypeError,
            ValueError,
        ) as error:  # what the sandbox may answer instead of a value
            return f"<cannot be shown: {terminal.one_line(str(error))}>"

    def files(self, _argument: str) -> None:
        show_columns(
            (path, f"{size:,} bytes") for path, size in sorted(self.executor.files.list().items())
        )

    def reset(self, _argument: str) -> None:
        self.tree.close()
        self.tree = Tree(self._open())

    def report(self, _argument: str) -> None:
        answer(self.executor.report())

    def help(self, _argument: str) -> None:
        rows = (
            f"{f'{name} {command.takes}':<19}  {command.says}" for name, command in COMMANDS.items()
        )
        answer(HELP.format(commands="\n".join(rows)))

    # -- going back and forth

    def snapshot(self, label: str) -> None:
        answer(f"snapshot {self.tree.snapshot(label)}")

    def restore(self, which: str) -> None:
        mark = self.tree.find(which)
        self.tree.restore(mark)
        answer(f"back at snapshot {mark}")

    def undo(self, _argument: str) -> None:
        answer(f"undone: {self.tree.undo()}")

    def fork(self, name: str) -> None:
        before = self.tree.here.name
        answer(f"on {self.tree.fork(name).name}, a fork of {before}")

    def switch(self, name: str) -> None:
        self.tree.here = self.tree.find_branch(name)
        answer(f"on {name}")

    def branches(self, _argument: str) -> None:
        for branch in self.tree.branches.values():
            answer(f"{'*' if branch is self.tree.here else ' '} {described(branch)}")

    def history(self, which: str) -> None:
        if which not in ("", "all"):
            raise Misused(f"%history takes 'all' or nothing, not {which!r}")
        answer(self.tree.drawn(everything=bool(which)))

    def discard(self, what: str) -> None:
        answer(f"discarded {self.tree.discard(what)}")


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table."""

    takes: str
    """Nothing, one argument, or one that may be left out."""
    says: str
    does: Callable[[Magics, str], None]
    branches: bool = False
    """Whether it needs processes of the code's own."""


COMMANDS = {
    "%who": Command("", "the variables", Magics.who),
    "%files": Command("", "the files in /home/user", Magics.files),
    "%snapshot": Command(
        "[LABEL]",
        "keep variables and files as they are now, to go back to",
        Magics.snapshot,
        branches=True,
    ),
    "%restore": Command(
        "[WHICH]",
        "go back to a snapshot, by number or label; the last if not told which",
        Magics.restore,
        branches=True,
    ),
    "%undo": Command(
        "",
        f"go back to before the last cell, or %restore; {MOST_UNDONE} times at most",
        Magics.undo,
        branches=True,
    ),
    "%fork": Command(
        "[NAME]",
        "go on in a new branch that begins here; this one stays as it is",
        Magics.fork,
        branches=True,
    ),
    "%switch": Command(
        "NAME", "go on in another branch, as it was left", Magics.switch, branches=True
    ),
    "%branches": Command("", "the branches", Magics.branches, branches=True),
    "%history": Command(
        "[all]",
        "snapshots and branches as a tree; all: with what %undo goes back to",
        Magics.history,
        branches=True,
    ),
    "%discard": Command(
        "WHAT",
        "give up a snapshot, or a branch with the snapshots made on it",
        Magics.discard,
        branches=True,
    ),
    "%reset": Command("", "forget everything and start anew", Magics.reset),
    "%report": Command("", "what isolates the code here, and what does not", Magics.report),
    "%help": Command("", "this text", Magics.help),
}


def answer(text: str) -> None:
    terminal.write(text, sys.stdout)


def show_columns(rows: Iterable[tuple[str, str]]) -> None:
    """Names and what they stand for, one per line."""
    shown = [(terminal.one_line(name), text) for name, text in rows]
    width = min(max((len(name) for name, _text in shown), default=0), WIDEST_NAME)
    for name, text in shown:
        answer(f"{name:<{width}}  {text}")


@dataclass(eq=False, slots=True)
class Mark:
    """A moment that can be gone back to."""

    number: int
    """0 if it was made by itself."""
    label: str
    snapshot: Snapshot
    branch: Branch
    parent: Mark | None
    cells: int
    size: int
    """What it may hold of memory, at most."""

    def __str__(self) -> str:
        return f"{self.number}: {self.label}" if self.label else str(self.number)


@dataclass(eq=False, slots=True)
class Branch:
    """A line of cells, with variables and files of its own."""

    name: str
    executor: LocalPythonExecutor
    at: Mark | None = None
    """The last mark on the way here."""
    cells: int = 0
    size: int = 0
    """What the last cell had of memory when it had most, in bytes."""
    undo: list[Mark] = field(default_factory=list)
    """What `%undo` goes back to, the last first to go. A fork begins with those of the branch it
    comes from."""


class Tree:
    """The branches and marks of one session, and the branch that the prompt is on."""

    def __init__(self, executor: LocalPythonExecutor) -> None:
        self.here = Branch("main", executor)
        self.branches = {"main": self.here}
        self.marks: list[Mark] = []
        self.no_undo = ""
        """Why the last cell has nothing to be undone with."""
        self._numbers = itertools.count(1)

    def close(self) -> None:
        for branch in self.branches.values():
            branch.executor.close()

    # -- marks

    def snapshot(self, label: str = "") -> Mark:
        label = " ".join(terminal.printable(label).split())
        if label.isdecimal():
            raise Misused(
                f"a label cannot be a number, as {label!r} would be taken for the number of a"
                " snapshot"
            )
        if len(label) > LONGEST_LABEL:
            raise Misused(f"a label has at most {LONGEST_LABEL} characters")
        self._make_room()
        number = next(self._numbers)
        return self._mark(number, label, f"snapshot {number}")

    def find(self, text: str) -> Mark:
        """A mark by its number or label, the last one with that label; without either the last on
        the way here, or the last made."""
        chosen = [mark for mark in self.marks if mark.number]
        if not chosen:
            raise Misused("there is no snapshot yet; %snapshot makes one")
        if not text:
            return next((mark for mark in _upwards(self.here.at) if mark.number), chosen[-1])
        label = " ".join(text.split())
        for mark in reversed(chosen):
            if label in (str(mark.number), mark.label):
                return mark
        raise Misused(f"no snapshot {text!r}; %history shows those there are")

    def restore(self, mark: Mark) -> None:
        """Go back on this branch. This can be undone like a cell."""
        self.before(f"%restore {mark.number}")
        try:
            self.here.executor.restore(mark.snapshot)
        except BaseException:
            self.did_nothing()
            raise
        self._be_at(mark)

    # -- undoing

    def before(self, what: str) -> None:
        """Make a mark for `%undo`. If none can be made, the cell runs all the same, as it would
        where nothing can be branched at all."""
        self._make_room()
        is_first = self.here.at is None and not self.here.cells
        try:
            mark = self._mark(
                0, terminal.one_line(what)[:LONGEST_LABEL], "the snapshot before the cell"
            )
        except SandboxFailed as error:
            # going back to an earlier one would undo this cell too, without saying so
            self.here.undo.clear()
            self._forget_unused()
            # Later it may mean that variables are lost, which nobody should learn from a NameError.
            if not is_first and str(error) != self.no_undo:
                terminal.say(str(error))
            self.no_undo = str(error)
            return
        self.no_undo = ""
        self.here.undo.append(mark)
        made = [mark for mark in self.marks if not mark.number]
        sizes = itertools.accumulate(mark.size for mark in reversed(made))
        most = self.here.executor.policy.limits.memory_bytes
        kept = sum(size <= most for size in itertools.islice(sizes, MOST_UNDONE))
        for old in made[: -max(kept, 1)]:
            self._forget(old)

    def after(self, execution: Execution) -> None:
        """Note what has become of the cell that the last mark was made for."""
        if execution.rolled_back:
            self.did_nothing()
        else:
            self.here.cells += 1
            self.here.size = execution.usage.peak_memory_bytes or self.here.size

    def did_nothing(self) -> None:
        """What the last mark was made for has changed nothing, so it is not what `%undo` would
        undo."""
        if self.here.undo:
            self.here.undo.pop()
            self._forget_unused()

    def undo(self) -> str:
        """Go back to before the last cell, or `%restore`; gives which that was."""
        if not self.here.undo:
            raise Misused(
                f"nothing to undo: {self.no_undo}"
                if self.no_undo
                else f"nothing to undo; at most the last {MOST_UNDONE} cells can be"
            )
        mark = self.here.undo[-1]
        self.here.executor.restore(mark.snapshot)
        self.here.undo.pop()
        self._be_at(mark)
        self._forget_unused()
        return mark.label

    # -- branches

    def fork(self, name: str = "") -> Branch:
        """A new branch that begins where this one is; the prompt goes there."""
        if name and not BRANCH_NAME.fullmatch(name):
            raise Misused(f"a branch has a name such as 'faster', not {terminal.one_line(name)!r}")
        if name in self.branches:
            raise Misused(f"there is a branch {name!r} already; %switch {name} goes there")
        name = name or next(
            name for name in map("fork{}".format, itertools.count(1)) if name not in self.branches
        )
        self._make_room(2)
        made = Branch(
            name,
            self.here.executor.fork(),
            self.here.at,
            self.here.cells,
            self.here.size,
            [*self.here.undo],
        )
        self.here = self.branches[name] = made
        return made

    def find_branch(self, name: str) -> Branch:
        if name not in self.branches:
            raise Misused(
                f"no branch {terminal.one_line(name)!r}; there"
                f" {'are' if len(self.branches) > 1 else 'is'} {', '.join(self.branches)}"
            )
        return self.branches[name]

    def discard(self, text: str) -> str:
        """Give up a branch, with the snapshots made on it, or a snapshot; gives which that was."""
        if text not in self.branches:
            mark = self.find(text)
            self._forget(mark)
            return f"snapshot {mark.number}"
        branch = self.branches[text]
        if branch is self.here:
            raise Misused(f"the prompt is on {text}; %switch to another branch first")
        del self.branches[text]
        for mark in [mark for mark in self.marks if mark.branch is branch]:
            self._forget(mark)
        self._forget_unused()
        branch.executor.close()
        return f"branch {text}"

    # -- the books

    def _mark(self, number: int, label: str, instead: str) -> Mark:
        branch = self.here
        snapshot = branch.executor.snapshot(label if number and label else instead)
        mark = Mark(number, label, snapshot, branch, branch.at, branch.cells, branch.size)
        self.marks.append(mark)
        branch.at = mark
        return mark

    def _be_at(self, mark: Mark) -> None:
        self.here.at, self.here.cells, self.here.size = mark, mark.cells, mark.size

    def _make_room(self, processes: int = 1) -> None:
        """What was made by itself gives way: nobody could be told to discard what he has not
        made."""
        most = self.here.executor.policy.limits.branches - SPARE_BRANCHES
        while len(self.marks) + 2 * (len(self.branches) - 1) + processes > most:
            oldest = next((mark for mark in self.marks if not mark.number), None)
            if oldest is None:
                return
            self._forget(oldest)

    def _forget_unused(self) -> None:
        for mark in [mark for mark in self.marks if not mark.number]:
            if not any(mark in branch.undo for branch in self.branches.values()):
                self._forget(mark)

    def _forget(self, mark: Mark) -> None:
        self.marks.remove(mark)
        for other in self.marks:
            if other.parent is mark:
                other.parent = mark.parent
        for branch in self.branches.values():
            branch.undo = [other for other in branch.undo if other is not mark]
            if branch.at is mark:
                branch.at = mark.parent
        mark.snapshot.discard()

    # -- drawing

    def drawn(self, *, everything: bool = False) -> str:
        """The marks as a tree, each branch where it has got to, a star at the one that the prompt
        is on."""
        shown = [mark for mark in self.marks if mark.number or everything]
        below: dict[Mark | None, list[Mark | Branch]] = {}
        nodes: list[Mark | Branch] = [*shown, *self.branches.values()]
        for node in nodes:
            above = _upwards(node.at if isinstance(node, Branch) else node.parent)
            below.setdefault(next((mark for mark in above if mark in shown), None), []).append(node)
        lines: list[str] = []
        left = [(node, 0) for node in reversed(below.get(None, []))]
        while left:
            node, depth = left.pop()
            lines.append(f"{'* ' if node is self.here else '  '}{'  ' * depth}{described(node)}")
            if isinstance(node, Mark):
                left += [(child, depth + 1) for child in reversed(below.get(node, []))]
        return "\n".join(lines)


def _upwards(mark: Mark | None) -> Iterator[Mark]:
    while mark is not None:
        yield mark
        mark = mark.parent


def described(node: Mark | Branch) -> str:
    count = "1 cell" if node.cells == 1 else f"{node.cells} cells"
    if isinstance(node, Branch):
        return f"{node.name}, {count}"
    name = str(node) if node.number else f"before {node.label}"
    return f"{name} (after {count}{'' if node.snapshot.is_alive else ', gone'})"
