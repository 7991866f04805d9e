"""What the soak does to an executor, and what must come of it. The tables are at the end.

A subject is an executor with a memory of what its variables must be. Deaths that it was told to
expect, because somebody killed one of its processes, are forgiven once each; whatever else goes
wrong is.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from grounds import Ground

from fumehood import Policy, SandboxFailed
from fumehood.results import Execution

Outcome = TypeVar("Outcome")
DEATHS = ("killed", "crash")
SETTLED_SECONDS = 4.0
"""A process that was told to die is dead after this long, and whoever has it has heard of that; one
that answers now was not hit."""


class Wrong(Exception):
    """The executor did something else than it must."""


def add(a: int, b: int) -> int:
    return a + b


def fail(text: str) -> None:
    raise ValueError(text)


async def add_soon(a: int, b: int) -> int:
    await asyncio.sleep(0.001)
    return a + b


@dataclass
class Subject:
    """One executor under test, used by one thread."""

    number: int
    random: random.Random
    imports: list[str]
    language: Literal["guarded", "off"]
    ground: Ground = field(default_factory=Ground)
    variables: dict[str, int] = field(default_factory=dict)
    in_doubt: bool = False
    """Whether the variables may have been lost, all of them together."""
    mourns_since: float | None = None
    """When one of its processes was killed; the death is forgiven when it shows."""
    forgiven: int = 0

    def __post_init__(self) -> None:
        self.executor = self.make()

    def make(self) -> Any:
        policy = Policy(
            imports=tuple(self.imports),
            limits=self.ground.limits,
            language=self.language,
            files=True,
        )
        tools = {"add": add, "fail": fail, "add_soon": add_soon}
        return self.attempt(lambda: self.ground.make(policy, tools))

    def end(self) -> None:
        """Give the executor back."""
        executor, self.executor = self.executor, None
        if executor is not None:
            self.ground.end(executor)

    def renew(self) -> None:
        """A new executor without variables."""
        self.end()
        self.executor = self.make()
        self.variables.clear()

    def mourn(self) -> None:
        self.mourns_since = time.monotonic()

    def attempt(
        self, action: Callable[[], Outcome], died: Callable[[Outcome], bool] = lambda outcome: False
    ) -> Outcome:
        """Does something; once more for each death that was to be expected."""
        while True:
            began, mourned = time.monotonic(), self.mourns_since
            try:
                outcome = action()
            except SandboxFailed:
                if self.mourns_since is None:
                    raise
            else:
                if self.mourns_since is None or not died(outcome):
                    if (
                        mourned is not None
                        and mourned == self.mourns_since
                        and began > mourned + SETTLED_SECONDS
                    ):
                        self.mourns_since = None
                    return outcome
            # Another kill may have come while this one was noticed; that one is still to show.
            if self.mourns_since == mourned:
                self.mourns_since = None
            self.forgiven += 1
            self.in_doubt = True

    def run(self, code: str, *expected_faults: str | None) -> Execution:
        def died(execution: Execution) -> bool:
            return execution.fault in DEATHS and execution.fault not in expected_faults

        return self.attempt(lambda: self.executor.run(code), died)

    def heed(self, execution: Execution) -> None:
        """Variables are lost only if that was said. A sandbox that broke the protocol is always
        replaced."""
        error = execution.error
        is_lost = error is not None and (
            "variables are lost" in error.message or error.type == "WorkerProtocolError"
        )
        if is_lost or execution.fault in DEATHS:
            self.in_doubt = True

    def value(self, code: str) -> Any:
        execution = self.run(code, None)
        if not execution.ok:
            raise Wrong(f"{code!r} gives {execution.fault}, {execution.error}")
        return execution.value

    def verify(self) -> None:
        """Its variables are what they must be. If they are in doubt, none may be left, but not
        some."""
        names = ", ".join(self.variables)
        code = f"try:\n    found = [{names}]\nexcept NameError as error:\n    found = None\nfound"
        doubted = self.in_doubt
        found = self.value(code)
        if found is None and (doubted or self.in_doubt):
            left = [name for name in self.variables if self.run(name, None).ok]
            if left:
                raise Wrong(f"after a death only some variables are left: {left} of {names}")
            self.variables.clear()
        elif found != [*self.variables.values()]:
            raise Wrong(f"the variables {self.variables} are {found}, in doubt: {doubted}")
        self.in_doubt = False


# -- cells whose outcome is known


@dataclass(frozen=True)
class Cell:
    """Code, and what must come of it: a value, or an error with its fault."""

    name: str
    code: str
    value: Any = None
    error: str | None = None
    faults: tuple[str | None, ...] = (None,)
    language: Literal["guarded", "off"] | None = None

    def __call__(self, subject: Subject) -> None:
        execution = subject.run(self.code, *self.faults)
        kind = execution.error.type if execution.error else None
        if (
            execution.fault not in self.faults
            or kind != self.error
            or execution.value != self.value
        ):
            raise Wrong(
                f"value {execution.value!r}, fault {execution.fault}, error {execution.error}"
            )
        subject.heed(execution)


# What a cell starts lives on in its sandbox, so both leave room for the next.
BOMB = """
import os, signal, time
children = []
try:
    while len(children) < 1000:
        child = os.fork()
        if not child:
            time.sleep(60)
            os._exit(0)
        children.append(child)
except OSError:
    pass
for child in children:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
0 < len(children) < 1000
"""
ORPHAN = "import os, time\nif not os.fork():\n    time.sleep(1)\n    os._exit(0)\n1"
STUBBORN = (
    "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n     "
    "   pass"
)
GATHER = "import asyncio\nawait asyncio.gather(*[add_soon.aio(i, 1) for i in range(4)])"
CRASH = "import os\nos.kill(os.getpid(), 11)"
JUNK = "import os, time\nos.write(3, b'junk' * 100)\ntime.sleep(60)"
CAUGHT = "try:\n    fail('no')\nexcept ValueError as error:\n    caught = str(error)\ncaught"

# fmt: off
CELLS: tuple[tuple[int, Cell], ...] = (
    (4, Cell("an exception",           "1 / 0", error="ZeroDivisionError")),
    (2, Cell("a refused import",       "import socket", error="ForbiddenImport", faults=("refused",), language="guarded")),  # noqa: E501
    (1, Cell("a soft timeout",         "while True:\n    pass", error="TimeLimit", faults=("timeout",))),  # noqa: E501
    (1, Cell("a stubborn loop",        STUBBORN, error="TimeLimit", faults=("timeout",))),
    (1, Cell("a hard timeout",         "sum(range(10 ** 11))", error="TimeLimit", faults=("timeout",))),  # noqa: E501
    (1, Cell("a long sleep",           "import time\ntime.sleep(60)", error="TimeLimit", faults=("timeout",))),  # noqa: E501
    (2, Cell("too much memory",        "large = bytearray(1 << 30)", error="MemoryError", faults=("memory",))),  # noqa: E501
    (1, Cell("a flood of output",      "while True:\n    print('x' * 10_000)", error="OutputLimit", faults=("output",))),  # noqa: E501
    (2, Cell("an exit",                "import sys\nsys.exit(3)", error="SystemExit")),
    (3, Cell("a tool",                 "add(20, 22)", value=42)),
    (2, Cell("a tool that fails",      "fail('no')", error="ValueError")),
    (2, Cell("a tool's error, caught", CAUGHT, value="no")),
    (2, Cell("tools, gathered",        GATHER, value=[1, 2, 3, 4])),
    (2, Cell("a crash",                CRASH, error="Crashed", faults=("crash",), language="off")),
    (2, Cell("a hard exit",            "import os\nos._exit(3)", error="Exited", faults=("crash",), language="off")),  # noqa: E501
    (1, Cell("junk on the wire",       JUNK, error="WorkerProtocolError", faults=("crash",), language="off")),  # noqa: E501
    (1, Cell("an orphan",              ORPHAN, value=1, language="off")),
)
# fmt: on

# -- what needs more than a cell


def calculate(subject: Subject) -> None:
    a, b = subject.random.randrange(10**6), subject.random.randrange(10**6)
    if subject.value(f"{a} * {b}") != a * b:
        raise Wrong(f"{a} * {b} is something else")


def assign(subject: Subject) -> None:
    subject.verify()
    name, value = f"v{subject.random.randrange(8)}", subject.random.randrange(10**6)
    subject.value(f"{name} = {value}")
    if subject.in_doubt:
        subject.variables.clear()  # it died of a kill and began anew, so this one is all there is
        subject.in_doubt = False
    subject.variables[name] = value


def print_lines(subject: Subject) -> None:
    lines = subject.random.randrange(1, 200)
    execution = subject.run(f"for number in range({lines}):\n    print(number)", None)
    if execution.logs != "".join(f"{number}\n" for number in range(lines)):
        raise Wrong(f"{lines} lines printed came as {execution.logs[:200]!r}, {execution.error}")


def interrupt(subject: Subject) -> None:
    """Stop a cell from another thread, which asks until there is a cell to stop."""
    over = threading.Event()

    def stop() -> None:
        while not over.is_set() and not subject.executor.interrupt():
            time.sleep(0.005)

    with beside(stop, over):
        execution = subject.run("while True:\n    pass", "killed", "timeout")
    if execution.fault not in ("killed", "timeout"):
        raise Wrong(f"interrupted, and it says {execution.fault}, {execution.error}")
    subject.heed(execution)


def cancel(subject: Subject) -> None:
    async def wait() -> None:
        await asyncio.wait_for(subject.executor.arun("while True:\n    pass"), 0.05)

    with contextlib.suppress(asyncio.TimeoutError):
        asyncio.run(wait())
    subject.in_doubt = True  # nobody is there to be told


def send_and_fetch(subject: Subject) -> None:
    value: Any = {
        "list": [subject.random.random() for _ in range(100)],
        "text": "é" * 1000,
        "bytes": bytes(100_000),
    }
    if "numpy" in subject.imports:
        import numpy as np

        value = np.arange(subject.random.randrange(1, 200_000), dtype="float64")

    def there_and_back() -> Any:
        subject.executor.send_variables({"sent": value})
        return subject.executor.state["sent"]

    found = subject.attempt(there_and_back)
    if type(found) is not type(value) or not (
        found.tobytes() == value.tobytes() if "numpy" in subject.imports else found == value
    ):
        raise Wrong("a value came back as another")


def files(subject: Subject) -> None:
    content = subject.random.randbytes(subject.random.randrange(1, 50_000))

    def there_and_back() -> bytes:
        subject.executor.files.write("soak/file", content)
        return subject.executor.files.read("soak/file")

    if subject.attempt(there_and_back) != content:
        raise Wrong("a file came back as another")


def hold_an_object(subject: Subject) -> None:
    held = [subject.value("class Thing:\n    pass\nThing()") for _ in range(3)]
    del held


def snapshot(subject: Subject) -> None:
    """Go back to what was, and lose only what came after."""

    def there_and_back() -> bool:
        made = subject.executor.snapshot()
        try:
            subject.heed(subject.executor.run("astray = 1"))
            subject.executor.restore(made)
        finally:
            made.discard()
        after = subject.executor.run("astray")
        subject.heed(after)
        return not after.ok

    if not subject.attempt(there_and_back):
        raise Wrong("what came after a snapshot is still there")
    subject.verify()


def fork(subject: Subject) -> None:
    """What a fork does its parent does not see."""

    def apart() -> tuple[Any, bool]:
        other = subject.executor.fork()
        try:
            mine = subject.executor.run("apart")
            subject.heed(mine)
            return other.run("apart = 6 * 7\napart").value, mine.ok
        finally:
            other.close()

    if subject.attempt(apart, lambda outcome: outcome[0] != 42) != (42, False):
        raise Wrong("a fork and its parent are not apart")


def fork_bomb(subject: Subject) -> None:
    """Started in a sandbox of plain Python only; elsewhere there is nothing to fork with."""
    if subject.language == "off":
        execution = subject.run(BOMB, None)
        if execution.fault == "timeout":
            subject.renew()  # a busy machine; the processes it had time to start are still there
        elif execution.value is not True:
            raise Wrong(
                f"value {execution.value!r}, fault {execution.fault}, error {execution.error}"
            )


def recreate(subject: Subject) -> None:
    subject.renew()


def drop(subject: Subject) -> None:
    """An executor that nobody closes ends when nobody has it."""
    subject.executor = subject.make()
    subject.variables.clear()
    gc.collect()


def kill_runner(subject: Subject) -> None:
    kill(subject, "runner")


def kill_init(subject: Subject) -> None:
    kill(subject, "init")


def kill_running(subject: Subject) -> None:
    delay = subject.random.random() * 0.02
    over = threading.Event()

    def strike() -> None:
        if not over.wait(delay):
            kill(subject, "runner")

    subject.mourn()
    with beside(strike, over):
        subject.value("import time\ntime.sleep(0.1)")


def kill(subject: Subject, which: str) -> None:
    """The executor's own handle of the process is the only sure way to the right one, and it is
    nobody else's business."""
    runner = subject.executor._session._runner
    if runner is not None:
        subject.mourn()
        if which == "runner":
            runner.signal(signal.SIGKILL)
        elif runner.sandbox.init is not None:
            runner.sandbox.zygote.processes.send_signal(runner.sandbox.init, signal.SIGKILL)


@contextlib.contextmanager
def beside(action: Callable[[], None], over: threading.Event) -> Iterator[None]:
    """Runs an action in a thread while the body runs; both are over afterwards."""
    thread = threading.Thread(target=action)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


# fmt: off
ORDEALS: tuple[tuple[int, str, Callable[[Subject], None]], ...] = (
    (12, "calculate",          calculate),
    (12, "assign",             assign),
    (6,  "print",              print_lines),
    (2,  "interrupt",          interrupt),
    (1,  "cancel",             cancel),
    (4,  "send and fetch",     send_and_fetch),
    (3,  "files",              files),
    (3,  "hold an object",     hold_an_object),
    (2,  "snapshot",           snapshot),
    (2,  "fork",               fork),
    (1,  "a fork bomb",        fork_bomb),
    (3,  "close and recreate", recreate),
    (2,  "drop",               drop),
    (1,  "kill the runner",    kill_runner),
    (1,  "kill the init",    kill_init),
    (1,  "kill while running", kill_running),
)
# fmt: on


def ordeals_for(subject: Subject) -> tuple[list[str], list[Callable[[Subject], None]], list[int]]:
    """Names, ordeals and weights of what can be done to this one."""
    rows: list[tuple[int, str, Callable[[Subject], None]]] = [*ORDEALS]
    rows += [
        (weight, cell.name, cell)
        for weight, cell in CELLS
        if cell.language in (None, subject.language)
    ]
    rows = [row for row in rows if row[1] not in subject.ground.skips]
    return [row[1] for row in rows], [row[2] for row in rows], [row[0] for row in rows]
