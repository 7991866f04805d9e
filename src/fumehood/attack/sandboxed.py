"""Runs programs in sandboxes, beside a neighbour that must not notice, and tells what became of
them and of the host."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fumehood.attack import words
from fumehood.attack.canaries import Canaries, canary
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program
from fumehood.attack.judging import danger_of, strangers_in, text_of
from fumehood.attack.loot import CANARY_TEXT
from fumehood.attack.outcomes import Outcome
from fumehood.attack.steps import BEGINS_BEFORE, Audited, as_an_agent, take
from fumehood.attack.tools import host_tools, plain_tools
from fumehood.executors.executor import Executor
from fumehood.policy import Policy
from fumehood.results import Execution

# The most that one program may make the host's memory grow: what the wire may carry in a frame or
# two.
HOST_GROWTH_BYTES = 192 << 20
_MOST_TEXT = 4000


class SandboxedRuns:
    """Runs programs in sandboxes of one configuration. `directory` is where canaries are put."""

    def __init__(
        self, configuration: Configuration, directory: Path, mount_token: str | None = None
    ) -> None:
        self.configuration = configuration
        self._directory = directory
        self._mount_token = mount_token
        self._neighbour = self.executor(configuration.plain_policy())
        self._neighbour_token = canary("neighbour")
        self._neighbour_file = canary("file").lower()
        self._neighbour.send_variables(
            {"token": self._neighbour_token, "name": self._neighbour_file}
        )
        # Where there is no mount namespace there are no files, and the neighbour has its variables
        # only.
        self._neighbour.run(
            "try:\n    lab = bool(open('/home/user/' + name, 'w').write(token))\n"
            "except OSError:\n    lab = False"
        )
        self._settled: tuple[tuple[str, ...], bool] | None = None

    def _settle(self, policy: Policy) -> None:
        """What holds sandboxes with the same modules is shared by them, and is not what a program
        leaves behind."""
        with self.executor(policy) as first:
            first.run("1")
            self._report = first.report()
        self._processes: Counter[str] = Counter()
        # The first is still ending, or the next spare being made.
        while (now := self.processes()) != self._processes:
            self._processes = now
            time.sleep(0.2)
        self._settled = policy.imports, policy.files

    def executor(self, policy: Policy) -> Executor:
        """`on_fault` is "keep": which processes there are before and after is looked at, and bases
        come and go by themselves."""
        from fumehood.executors.local import LocalPythonExecutor

        return LocalPythonExecutor(policy=policy, on_fault="keep")

    def processes(self) -> Counter[str]:
        """Those of all sandboxes, and of whatever holds them, by name and not by number: a spare
        takes the place of what was used."""
        return Counter(descendants().values())

    def run(self, program: Program) -> Outcome:
        policy = self.configuration.policy_for(program)
        if (policy.imports, policy.files) != self._settled:
            self._settle(policy)
        # Counted before the canaries, which have some of their own, and after them.
        descriptors = _open_descriptors()
        memory = _peak_memory(reset=True)
        canaries = Canaries(self._directory, self._mount_token)
        outcome = Outcome(report=self._report)
        texts: list[str] = []
        try:
            self._attempt(program, canaries, outcome, texts)
            outcome.findings += canaries.findings()
        finally:
            canaries.close()
        tokens = {
            *canaries.tokens,
            self._neighbour_token,
            *(() if program.judges_itself else (CANARY_TEXT,)),
        }
        told = "\n".join([*texts, json.dumps(outcome.as_data())])
        outcome.leaks = sorted(token for token in tokens if token in told)
        outcome.findings += self._left_behind(policy, descriptors, memory)
        return outcome

    def _attempt(
        self, program: Program, canaries: Canaries, outcome: Outcome, texts: list[str]
    ) -> None:
        guarded = self.configuration.guarded
        given = {**canaries.variables, "neighbour_file": self._neighbour_file}
        sessions = (
            [words.cells_of(program, guarded=guarded)]
            if program.judges_itself
            else list(program.sessions)
        )
        tools = (
            plain_tools(outcome) if program.judges_itself else host_tools(outcome, _noting(texts))
        )
        for number, cells in enumerate(sessions, 1):
            executor = self.executor(self.configuration.policy_for(program))
            try:
                executor.send_tools(tools)
                executor.send_variables(given)
                self._run_session(
                    program, executor, cells, tools, outcome, texts, is_last=number == len(sessions)
                )
            finally:
                executor.close()

    def _run_session(
        self,
        program: Program,
        executor: Executor,
        cells: tuple[str, ...],
        tools: dict[str, Any],
        outcome: Outcome,
        texts: list[str],
        *,
        is_last: bool,
    ) -> None:
        steps = program.host_steps if is_last else ()
        audited = Audited() if "audit" in steps else None
        if audited:
            audited.begin(executor)
        if "agent" in steps:
            outcome.steps.append(as_an_agent(executor, cells[-1], tools, outcome))
        else:
            for cell in cells:
                execution = executor.run(cell)
                note(execution, outcome, texts)
                outcome.findings += [
                    f"the host holds a {stranger}" for stranger in strangers_in(execution.value)
                ]
        outcome.steps += [
            take(step, executor, outcome) for step in steps if step not in BEGINS_BEFORE
        ]
        # What is about objects may spoil its own variables, and is told so.
        if is_last and program.judges_itself and "close" not in steps and "agent" not in steps:
            outcome.afterwards = _afterwards(executor)
        if audited:
            executor.close()
            outcome.steps.append(audited.verdict())

    def _left_behind(self, policy: Policy, descriptors: int, memory: int) -> list[str]:
        found = []
        deadline = time.monotonic() + 5  # they may be dying, or the next spare being made
        while time.monotonic() < deadline and (
            (now := self.processes()) != self._processes or _open_descriptors() > descriptors
        ):
            time.sleep(0.01)
        if now < self._processes:
            # One that was ending may have been counted before the program. If the program killed
            # one that belongs here, settling starts another.
            self._settle(policy)
        if now != self._processes:
            found.append(
                f"other processes than before: {dict(now - self._processes)} more,"
                f" {dict(self._processes - now)} fewer"
            )
        if _open_descriptors() > descriptors:
            found.append("the host has more descriptors open than before")
        grown = _peak_memory() - memory
        if grown > HOST_GROWTH_BYTES:
            found.append(f"the host grew by {grown >> 20} MB")
        answer = self._neighbour.run("token, open('/home/user/' + name).read() if lab else token")
        if answer.value != (self._neighbour_token, self._neighbour_token):
            found.append(f"the neighbour does not answer as before: {answer}")
        return found

    def close(self) -> None:
        self._neighbour.close()


class ContainedRuns(SandboxedRuns):
    """Runs programs in sandboxes of one container, beside a neighbour in it."""

    def __init__(
        self, configuration: Configuration, directory: Path, mount_token: str | None = None
    ) -> None:
        from fumehood.executors.docker import DockerContainer

        self._container = DockerContainer(base=configuration.base, sandboxes=3)
        try:
            super().__init__(configuration, directory, mount_token)
        except BaseException:
            self._container.close()
            raise

    def executor(self, policy: Policy) -> Executor:
        from fumehood.executors.docker import DockerExecutor

        return DockerExecutor(policy=policy, on_fault="keep", container=self._container)

    def processes(self) -> Counter[str]:
        from fumehood.docker.engine import Engine

        told = Engine().ask(
            "GET", f"/containers/{self._container.id}/top", {"ps_args": "-eo pid,comm"}
        )
        return Counter(row[-1] for row in told["Processes"])

    def close(self) -> None:
        super().close()
        self._container.close()


def _noting(texts: list[str]) -> Callable[[Any], str | None]:
    """A judge that keeps the text of what it is shown."""

    def danger(thing: Any) -> str | None:
        texts.append(text_of(thing))
        return danger_of(thing)

    return danger


def note(execution: Execution, outcome: Outcome, texts: list[str]) -> None:
    """Write down how a cell ended, and keep every text that came out of it."""
    texts.append(repr(execution))  # which is bounded, whatever the value is
    kind = type(execution.value)
    value = execution.value if kind is str else f"a value of type {kind.__name__}"
    found = [word for word in ("ESCAPED", "held") if value.startswith(word)]
    ending = found[0].lower() if found else "nothing"
    outcome.error = None
    if execution.error:
        ending = f"error {execution.error.type}"
        value = f"{execution.error.message}\n{execution.error.traceback}"
        outcome.error = str(execution.error)[:_MOST_TEXT]
    if execution.fault:
        ending = f"fault {execution.fault}"
        outcome.faults.append(execution.fault)
    outcome.violations += [
        {"text": str(each), "name": each.name, "reason": each.reason, "line": each.line}
        for each in execution.violations
    ]
    outcome.ending, outcome.value = ending, value[:_MOST_TEXT]
    outcome.logs = execution.logs[:_MOST_TEXT]
    texts += [value, execution.logs]
    reason = danger_of(execution.value)
    if reason:
        outcome.loot.append(f"the value of a cell: {reason}")
        texts.append(text_of(execution.value))


def _afterwards(executor: Executor) -> str:
    """Whether the executor can still be used. A process that died since, or does not answer, is
    told of once; then there is another."""
    answer = ""
    for _ in range(2):
        try:
            execution = executor.run("20 + 22")
        except Exception as error:
            return f"raises {type(error).__name__}: {error}"
        if not execution.fault and not execution.error:
            return "answers" if execution.value == 42 else f"answers wrongly: {execution.value!r}"
        answer = f"fails with {execution.fault or execution.error}"
        if execution.fault not in ("crash", "killed", "timeout"):
            break
    return answer


def descendants() -> dict[int, str]:
    """The processes below this one, with their names."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    own = os.getpid()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):  # noqa: PTH208
        with (
            contextlib.suppress(OSError),
            open(f"/proc/{pid}/stat", errors="replace") as file,  # noqa: PTH123
        ):
            head, _, tail = file.read().rpartition(") ")
            state, parent = tail.split()[:2]
            parents[pid] = int(parent)
            names[pid] = head.partition("(")[2]
            if state == "Z" and int(parent) == own:  # of a server that was killed
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
                del parents[pid]
    found: set[int] = set()
    generation = {os.getpid()}
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation} - found
        found |= generation
    return {pid: names[pid] for pid in found}


def _peak_memory(*, reset: bool = False) -> int:
    """The most memory this process has had since the last reset, in bytes."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    return next(
        int(line.split()[1]) << 10
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmHWM:")
    )


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
