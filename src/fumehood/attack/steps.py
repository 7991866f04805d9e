"""What the host does with a sandbox after a program's cells, as the program's header asks:
everything a host does that hostile code could lie in wait for. Each step gives a text; one with
ESCAPED in it is a verdict.

    read NAME       read a file of /home/user             list          list its files
    race NAME       read it again and again         send          send more than a socket's buffer
                                                                  holds
    state           fetch every variable            show          show what was printed, as a
                                                                  terminal would get it
    snapshot        take a snapshot and go back     fork          go on in a fork
    save            save variables to a file and load them in another sandbox
    again           run one more cell               close         close the executor, and wait for
                                                                  what comes then
    watch           watch its files                 command LINE  run a command, and see how it ends
    audit           verify the log that was kept of it all
    agent           have an agent run the cell as the code that its model wrote
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fumehood.attack.judging import danger_of, strangers_in
from fumehood.attack.outcomes import Outcome
from fumehood.events import KINDS, Event, Printed
from fumehood.executors.executor import Executor

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PROBE = "[20 + 22, 'answers']"
_MOST_VARIABLES = 200
_COMMAND_SECONDS = 2.0

# They begin before the cells, and are not done by `take`.
BEGINS_BEFORE = ("audit", "agent")


def take(step: str, executor: Executor, outcome: Outcome) -> str:
    """What the host gets. What it is refused is an answer too; any error but the documented ones is
    not caught."""
    from fumehood.errors import FumehoodError

    action, _, name = step.partition(" ")
    if action not in _ACTIONS:
        raise ValueError(f"no such step: {step}")
    with _Watch() as watch:
        try:
            got = _ACTIONS[action](executor, outcome, name)
        except (FumehoodError, OSError, ValueError, KeyError, TypeError) as error:
            got = f"{type(error).__name__}: {error}"
    return watch.verdict or got


class _Watch:
    """Sees whether the host gets into trouble while it does something with a sandbox: descriptors
    that pile up in its table, or a wait that does not end when it should."""

    _MOST_DESCRIPTORS = 60
    _MOST_SECONDS = 60.0
    verdict = ""

    def __enter__(self) -> _Watch:
        self._began, self._before = time.monotonic(), _descriptors()
        self._is_done = threading.Event()
        self._peak = self._before
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._is_done.wait(0.02):
            self._peak = max(self._peak, _descriptors())

    def __exit__(self, *_exc: object) -> None:
        self._is_done.set()
        self._thread.join()
        more, seconds = self._peak - self._before, time.monotonic() - self._began
        if more > self._MOST_DESCRIPTORS:
            self.verdict = f"ESCAPED: the host had {more} more descriptors meanwhile"
        elif seconds > self._MOST_SECONDS:
            self.verdict = f"ESCAPED: the host waited for {seconds:.0f} seconds"


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def _read(executor: Executor, _outcome: Outcome, name: str) -> str:
    return repr(executor.files.read(name)[:200])


def _race(executor: Executor, outcome: Outcome, name: str) -> str:
    # The program swaps the file meanwhile.
    return repr([take(f"read {name}", executor, outcome) for _ in range(60)])


def _send(executor: Executor, _outcome: Outcome, _name: str) -> str:
    time.sleep(0.4)
    executor.send_variables({"more": b"x" * (8 << 20)})
    return "sent"


def _rest(executor: Executor, _outcome: Outcome, _name: str) -> str:
    time.sleep(4.5)  # programs that go on meanwhile do so for four seconds
    return "rested"


def _list(executor: Executor, _outcome: Outcome, _name: str) -> str:
    return repr(executor.files.list())[:4000]


def _watch(executor: Executor, _outcome: Outcome, _name: str) -> str:
    with executor.files.watch(recursive=True) as watch:
        executor.files.write("watched", b"")
        return repr(watch.wait(5.0))[:200]


def _command(executor: Executor, _outcome: Outcome, line: str) -> str:
    result = executor.commands.run(line, timeout=_COMMAND_SECONDS)
    told = f"{line}: {result.exit_code} {result.error} {result.stdout_bytes[:500]!r}"
    if line == "echo answers" and (result.exit_code, result.stdout_bytes) != (0, b"answers\n"):
        return f"ESCAPED: the next command is of no use: {told}"
    return told if 0 <= result.exit_code < 256 else f"ESCAPED: there is no such exit code: {told}"


def _state(executor: Executor, outcome: Outcome, _name: str) -> str:
    found: dict[str, str] = {}
    for name in list(executor.state)[:_MOST_VARIABLES]:
        try:
            value = executor.state[name]
        except Exception as error:
            found[name] = type(error).__name__
            continue
        found[name] = type(value).__name__
        outcome.findings += [f"the host holds a {stranger}" for stranger in strangers_in(value)]
        outcome.loot += filter(None, [danger_of(value)])
    return repr(found)[:4000]


def _show(executor: Executor, outcome: Outcome, _name: str) -> str:
    from fumehood.wire.show import printable

    shown = printable(outcome.logs) + printable(outcome.value) + printable(outcome.error or "")
    return (
        f"ESCAPED: a terminal is sent {_CONTROL.findall(shown)[:3]!r}"
        if _CONTROL.search(shown)
        else "nothing a terminal would obey"
    )


def _snapshot(executor: Executor, _outcome: Outcome, _name: str) -> str:
    snapshot = executor.snapshot()
    executor.run("after_the_snapshot = 1")
    executor.restore(snapshot)
    answer = _again(executor)
    return (
        "ESCAPED: what came after the snapshot is still there"
        if "after_the_snapshot" in executor.state
        else answer
    )


def _fork(executor: Executor, _outcome: Outcome, _name: str) -> str:
    with executor.fork() as other:
        answer = _again(other)
        other.run("only_in_the_fork = 1")
    return (
        "ESCAPED: what a fork did is seen here" if "only_in_the_fork" in executor.state else answer
    )


def _save(executor: Executor, outcome: Outcome, _name: str) -> str:
    with tempfile.TemporaryDirectory(prefix="fumehood-attack-") as directory:
        path = Path(directory) / "state"
        saved = executor.save(path)
        with type(executor).load(path, executor.policy) as other:
            answer = _again(other)
            return f"{answer}; saved {sorted(saved.saved)[:9]}; {_state(other, outcome, '')}"


def _close(executor: Executor, outcome: Outcome, _name: str) -> str:
    before = len(outcome.findings), len(outcome.loot)
    executor.close()
    time.sleep(0.2)
    return (
        "closed"
        if before == (len(outcome.findings), len(outcome.loot))
        else "ESCAPED: a tool was called after the end"
    )


def _again(executor: Executor, _outcome: Outcome | None = None, _name: str = "") -> str:
    execution = executor.run(_PROBE)
    if execution.error:
        return f"{execution.fault or execution.error.type}"
    return (
        "answers"
        if execution.value == [42, "answers"]
        else f"ESCAPED: it answers {execution.value!r:.200}"
    )


_EVERY: tuple[Callable[[Executor, Outcome, str], str], ...] = (
    *(_read, _race, _send, _rest, _list, _watch, _command, _state, _show, _again),
    *(_snapshot, _fork, _save, _close),
)
_ACTIONS = {action.__name__.removeprefix("_"): action for action in _EVERY}


# -- those that begin before the cells


class _Count:
    """Notes what events there are; as the log, it is told of each before anything goes on, and
    leaves out what that leaves out."""

    is_prompt = True

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Printed):
            self.told.append(type(event).__name__)


class Audited:
    """A log of all that an executor does, and a count of what it was told beside it."""

    def __init__(self) -> None:
        from fumehood.audit.log import AuditLog

        self._directory = tempfile.TemporaryDirectory(prefix="fumehood-attack-")
        self._path = Path(self._directory.name) / "log.jsonl"
        self._log = AuditLog(self._path)
        self._count = _Count()

    def begin(self, executor: Executor) -> None:
        executor.observe(self._log)
        executor.observe(self._count)

    def verdict(self) -> str:
        from fumehood.audit.reading import read
        from fumehood.audit.verifying import verify

        self._log.close()
        try:
            verification = verify(self._path)
            if not verification.intact or not verification.sealed or verification.missing:
                return f"ESCAPED: the log is not whole: {verification}"
            written = [record.event for record in read(self._path) if record.event in KINDS]
            text = self._path.read_text(encoding="utf-8")
            if len(text.splitlines()) != verification.lines or _CONTROL.search(text):
                return (
                    "ESCAPED: a line of the log is no line to everybody, or holds what a terminal"
                    " obeys"
                )
            if sorted(written) != sorted(self._count.told):
                return (
                    "ESCAPED: the log has other events than there were:"
                    f" {set(written) ^ set(self._count.told) or 'in number'}"
                )
            return f"the log is whole: {verification.lines} lines"
        finally:
            self._directory.cleanup()


# What an agent's model writes after the program has run. What the program prints must not take its
# place.
_LAST_WORDS = "I know the answer.\n```python\nfinal_answer('the answer of the model')\n```"
_ANSWER = "the answer of the model"


def as_an_agent(executor: Executor, cell: str, tools: dict[str, Any], outcome: Outcome) -> str:
    """Have an agent run a cell that its model wrote. The model is fixed: whatever else happens is
    the doing of the cell's output."""
    from fumehood.agent.code_agent import CodeAgent
    from fumehood.models.function import FunctionModel

    asked: list[list[dict[str, Any]]] = []

    def model(messages: list[dict[str, Any]]) -> str:
        asked.append(messages)
        return f"I try something.\n```python\n{cell}\n```" if len(asked) == 1 else _LAST_WORDS

    agent = CodeAgent(tools, FunctionModel(model), executor=executor, max_steps=4)
    answer = agent.run("Do something harmless.")
    if answer != _ANSWER:
        return f"ESCAPED: the agent answers {answer!r:.200}, which its model did not"
    if len(asked) != 2:
        return f"ESCAPED: the model was asked {len(asked)} times"
    speakers = [message["role"] for message in asked[1]]
    if speakers.count("assistant") != 1:
        return f"ESCAPED: the model is told that it said what it did not: {speakers}"
    outcome.value = repr(asked[1][-1])[:4000]
    return "the answer is the model's own"
