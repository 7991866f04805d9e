"""A child's work: programs, one after the other, in a session of the guarded language beside the
host's secrets."""

from __future__ import annotations

import dataclasses
import errno
import gc
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from fumehood.executors.inline import make_stub
from fumehood.language.guarded.host_process import BorrowedProcess
from fumehood.language.guarded.session import Session
from fumehood.language.run import OwnProcess
from fumehood.policy import Limits, Policy
from fumehood.results import Execution

from . import planting, words
from .children import Row, rows_of

CELL_SECONDS = 0.3
OUTPUT_CHARACTERS = 20_000
POLICY = Policy(limits=Limits(cell_seconds=CELL_SECONDS, output_characters=OUTPUT_CHARACTERS))
UNGUARDED = dataclasses.replace(POLICY, language="off")


class Sink:
    """What programs print; the first of it."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._room = OUTPUT_CHARACTERS

    def write(self, text: str, /) -> int:
        self._parts.append(text[: self._room])
        self._room = max(0, self._room - len(text))
        return len(text)

    def flush(self) -> None:
        pass

    def getvalue(self) -> str:
        text = "".join(self._parts)
        self._parts.clear()
        self._room = OUTPUT_CHARACTERS
        return text


class Host:
    """Made once, before the first child: imports and views of modules are there then. `borrowed` is
    how inline isolation runs cells, in a process that gets back what it lent; otherwise as a worker
    does, in one of its own, which is quicker. `handles` says that the host is handling an error
    meanwhile, as many are: code may not see which, but it sees that there is one, as the context of
    its own."""

    def __init__(self, *, borrowed: bool, policy: Policy = POLICY, handles: bool = True) -> None:
        self.judge = planting.Judge()
        self._handles = handles
        self._borrowed = borrowed
        self._printed = Sink()
        self._policy = policy
        process_environment: Any = (
            BorrowedProcess(CELL_SECONDS, OUTPUT_CHARACTERS, lambda: self.session.loop)
            if borrowed
            else OwnProcess()
        )
        self.session = Session(policy, process_environment=process_environment)
        self.session.add_tools({"see": make_stub("see", self.judge.see, lambda name: None)})
        for name in words.MODULES if policy.language == "guarded" else ():
            self.session._modules.import_as(name)
        self.builtins = dict(self.session.builtins)
        self._watch: planting.Watch | None = None

    def enter(self) -> None:
        """In a child, before the first program."""
        self._watch = planting.Watch()
        if not self._borrowed:
            sys.stdout = sys.stderr = self._printed = Sink()  # of its own, as a worker's are
            self.session.process_environment.deadline.install()  # type: ignore[attr-defined]

    def run(
        self, cells: Iterable[str], secret_path: str, *, fresh: bool = True
    ) -> tuple[Execution, list[str]]:
        """The last cell's execution, and all that was found. `fresh` forgets the variables of
        before."""
        assert self._watch is not None
        session, judge, watch = self.session, self.judge, self._watch
        if fresh:
            session.namespace.clear()
            session.builtins.clear()
            session.builtins.update(self.builtins)
            session.namespace.update(secret_path=secret_path, scratch_path=f"{secret_path}-scratch")
        cells = tuple(cells)
        judge.begin("\n".join(cells))
        watch.found.clear()
        for cell in cells:
            execution = self._run_cell(cell, watch)
            for text in (
                execution.logs or self._printed.getvalue(),
                *(
                    ()
                    if execution.error is None
                    else (execution.error.message, execution.error.traceback)
                ),
            ):
                judge.read(text, "told")
            judge.look(execution.value, "the value of a cell")
        for name, value in [*session.namespace.items()]:
            if name not in ("__builtins__", "__name__"):
                judge.look(value, f"the variable {name!s:.40}")
        return execution, [*judge.end(), *dict.fromkeys(watch.found)]

    def _run_cell(self, cell: str, watch: planting.Watch, held: Any = planting.CANARY) -> Execution:
        """`held` is what a caller's frame holds, and its error."""
        if not self._handles:
            return self._run_held(cell, watch)
        try:
            raise LookupError(held)
        except LookupError:
            return self._run_held(cell, watch)

    def _run_held(self, cell: str, watch: planting.Watch) -> Execution:
        deadline: Any = self.session.process_environment.deadline
        if not self._borrowed:
            deadline.pending = None
            signal.setitimer(signal.ITIMER_REAL, CELL_SECONDS)
        watch.is_on = True
        try:
            return self.session.run(cell)
        finally:
            watch.is_on = False
            if not self._borrowed:
                signal.setitimer(signal.ITIMER_REAL, 0)
                deadline.pending = None


def try_all(
    host: Host,
    programs: list[tuple[str, ...]],
    tally: Counter[str],
    prepare: Callable[[Host], None] | None = None,
) -> list[tuple[int, list[str]]]:
    """Run programs in children, some in each; gives, of those of which something was found, the
    place and what. A program that ends its process is counted and left out: inline isolation says
    that it cannot stop all of them."""
    # a collection in a child would look at all that its parent holds, and copy the pages
    gc.freeze()
    path = planting.plant()
    findings: list[tuple[int, list[str]]] = []
    at = 0
    try:
        while at < len(programs):

            def work(tell: Callable[[Row], None], start: int = at) -> None:
                if prepare is not None:
                    prepare(host)
                host.enter()
                for number, program in enumerate(programs[start:], start):
                    tell({"begins": number})
                    execution, found = host.run(program, path)
                    refused = (
                        "refused" if execution.fault == "refused" and execution.violations else None
                    )
                    ending = refused or ("not Python" if _is_syntax(execution) else "run")
                    tell(
                        {
                            "number": number,
                            "ending": ending,
                            "found": found,
                            "raised": execution.error is not None,
                            "fault": execution.fault,
                        }
                    )

            before = at
            for row in rows_of(work):
                if "begins" in row:
                    at = row["begins"]
                elif "died" in row:
                    if "Traceback" in row["died"] and at == before:
                        raise RuntimeError(row["died"])
                    tally["ended their process"] += 1
                    at += 1
                    break
                else:
                    at = row["number"] + 1
                    _count(tally, row)
                    if row["found"]:
                        findings.append((row["number"], row["found"]))
    finally:
        planting.uproot(path)
    return findings


def _count(tally: Counter[str], row: Row) -> None:
    tally[row["ending"]] += 1
    if row["fault"] == "timeout":
        tally["stopped at the time limit"] += 1


def _is_syntax(execution: Execution) -> bool:
    error = execution.error
    return (
        error is not None
        and error.type in ("SyntaxError", "IndentationError", "TabError")
        and error.traceback.count("<cell") <= 1
    )


# What a kernel says that has no means to confine, or does not give them to us.
_LACKS = "|".join(map(str, (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EINVAL)))
_WITHOUT = re.compile(rf"JailUnavailable: |\[Errno ({_LACKS})\]")


def is_here() -> str | None:
    """Why this kernel cannot confine programs; None if it can. RuntimeError for any other reason,
    which is nothing to do without them for. It is asked by copying this process, as programs are
    run: not where a process has threads."""
    for row in rows_of(lambda tell: tell({})):
        if "died" in row:
            why = str(row["died"]).strip().splitlines()[-1]
            if not _WITHOUT.search(why):
                raise RuntimeError(row["died"])
            return why
    return None
