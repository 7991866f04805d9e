"""The host process that attacks are run from: it holds the canaries and the executors, and tells what became of them.

The test's end is in attack_host.py. A host is made once per identity and lives as long as it answers; what an attack may break is its
own sandbox, so if the host breaks, that is a finding. "plain" is the host whose runs are not jailed; it forks a world for each.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from . import identities, plain_world
from .canaries import Canaries, canary
from .corpus import LIMITS, PRELUDE, Attack, read

# The most that one attack may make the host's memory grow: what the wire may carry in a frame or two.
HOST_GROWTH_BYTES = 192 << 20


ENDLESS = "endless"
_ENDLESS_CELL = """
import ctypes, signal
ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: no signal when the parent dies
for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
print("begun", flush=True)
while True:
    try:
        while True:
            signal.pause()
    except BaseException:
        pass
"""


def become() -> None:
    """The first half of the process: take the identity and begin anew with it."""
    _, identity, directory = sys.argv
    token = canary("mount")
    if identity != "plain":
        identities.prepare(identity, Path(directory), token)
    package = Path(__file__).parent
    start = f"from {package.name}.{Path(__file__).stem} import serve; serve()"
    os.execv(sys.executable, [sys.executable, "-c", start, identity, directory, token])


def serve() -> None:
    """The second half: answer requests on stdin, an attack's name per line, until it closes."""
    _, identity, directory, token = sys.argv
    identities.adopt_orphans()
    if identity == "housed":
        from fumehood.executors import zygotes

        zygotes.LOCAL._launch = identities.start_contained
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    host = None if identity == "plain" else JailedRuns(Path(directory), token)
    for line in sys.stdin:
        name = line.strip()
        try:
            if host is None:
                answer = plain_world.run(read(name), Path(directory), token)
            else:
                answer = host.leave_running() if name == ENDLESS else host.run(read(name))
        except Exception:
            answer = {"died": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    if host is not None:
        host.close()


class JailedRuns:
    """Runs attacks in sandboxes, beside a neighbour that must not notice."""

    def __init__(self, directory: Path, mount_token: str) -> None:
        self._directory = directory
        self._mount_token = mount_token
        self._neighbour = self.executor(LIMITS)
        self._neighbour_token = canary("neighbour")
        self._neighbour_file = canary("file").lower()
        self._neighbour.send_variables({"token": self._neighbour_token, "name": self._neighbour_file})
        # Where there is no mount namespace there is no /lab, and the neighbour has its variables only.
        self._neighbour.run("import os\nlab = os.path.isdir('/lab')\nlab and open('/lab/' + name, 'w').write(token)")
        # The first sandbox starts what all share; it is not what an attack leaves behind.
        with self.executor(LIMITS) as first:
            first.run("1")
            self._report = first.report()
        self._processes = self.processes()
        time.sleep(0.2)
        while (now := self.processes()) != self._processes:  # the first is still ending
            self._processes = now
            time.sleep(0.2)

    def executor(self, limits: dict[str, float], **more: Any) -> Any:
        from fumehood import LocalPythonExecutor

        return LocalPythonExecutor(policy=policy(limits), on_fault="keep", **more)

    def processes(self) -> Counter[str]:
        """Those of all sandboxes, and of whatever holds them."""
        return _names_of_descendants()

    def run(self, attack: Attack) -> dict[str, Any]:
        # Counted before the canaries, which have some of their own, and after them.
        descriptors = _open_descriptors()
        memory = _peak_memory(reset=True)
        canaries = Canaries(self._directory, self._mount_token)
        try:
            answer = self._attempt(attack, canaries)
            answer["findings"] = canaries.findings()
        finally:
            canaries.close()
        texts = json.dumps(answer)
        answer["leaks"] = sorted(token for token in (*canaries.tokens, self._neighbour_token) if token in texts)
        answer["findings"] += self._left_behind(descriptors, memory)
        answer["report"] = self._report
        return answer

    def _attempt(self, attack: Attack, canaries: Canaries) -> dict[str, Any]:
        answer: dict[str, Any] = {"ending": "nothing", "value": "", "logs": "", "steps": []}
        executor = self.executor(attack.limits)
        try:
            executor.send_tools({"slow": _slow})
            executor.send_variables({**canaries.variables, "neighbour_file": self._neighbour_file})
            for cell in (PRELUDE.read_text(encoding="utf-8"), *attack.cells):
                answer.update(_described(executor.run(cell)))
            answer["steps"] = [_step(executor, step) for step in attack.host_steps]
            answer["afterwards"] = _afterwards(executor)
        finally:
            executor.close()
        return answer

    def leave_running(self) -> dict[str, Any]:
        begun = threading.Event()
        executor = self.executor(LIMITS, on_output=lambda text: begun.set())
        threading.Thread(target=executor.run, args=(_ENDLESS_CELL,), daemon=True).start()
        begun.wait(timeout=20)
        return {"pids": sorted(_descendants())}

    def _left_behind(self, descriptors: int, memory: int) -> list[str]:
        found = []
        deadline = time.monotonic() + 5  # the last of them may be dying, or the next spare being made
        while (now := self.processes()) != self._processes and time.monotonic() < deadline:
            time.sleep(0.01)
        if now != self._processes:
            found.append(f"other processes than before: {dict(now - self._processes)} more, {dict(self._processes - now)} fewer")
        if _open_descriptors() > descriptors:
            found.append("the host has more descriptors open than before")
        grown = _peak_memory() - memory
        if grown > HOST_GROWTH_BYTES:
            found.append(f"the host grew by {grown >> 20} MB")
        answer = self._neighbour.run("token, open('/lab/' + name).read() if lab else token")
        if answer.value != (self._neighbour_token, self._neighbour_token):
            found.append(f"the neighbour does not answer as before: {answer}")
        return found

    def close(self) -> None:
        self._neighbour.close()


def _slow() -> None:
    """A tool that takes a while, as those that fetch something do."""
    time.sleep(0.3)


def policy(limits: dict[str, float]) -> Any:
    """Of an executor for attacks. It is to have on_fault="keep": which processes there are before and after an attack is looked at, and
    bases come and go by themselves."""
    from fumehood import Limits, Policy

    limits.setdefault("branches", 2)  # they count as processes, of which these programs try to have too many
    return Policy(language="off", limits=Limits(**limits))  # type: ignore[arg-type]


def _described(execution: Any) -> dict[str, Any]:
    # Not its repr: a value of few bytes may have one without end.
    value = execution.value if type(execution.value) is str else f"a value of type {type(execution.value).__name__}"
    ending = "escaped" if value.startswith("ESCAPED") else "held" if value.startswith("held") else "nothing"
    if execution.error:
        ending = f"error {execution.error.type}"
        value = f"{execution.error.message}\n{execution.error.traceback}"
    if execution.fault:
        ending = f"fault {execution.fault}"
    return {"ending": ending, "value": value[:4000], "logs": execution.logs[:4000]}


def _step(executor: Any, step: str) -> str:
    """What the host gets when it does what a header says."""
    action, _, name = step.partition(" ")
    try:
        if action == "read":
            return repr(executor.files.read(name)[:200])
        if action == "race":  # the program swaps the file meanwhile
            return repr([_step(executor, f"read {name}") for _ in range(60)])
        if action == "send":  # more than a socket's buffer holds
            time.sleep(0.4)
            executor.send_variables({"more": b"x" * (8 << 20)})
            return "sent"
        if action == "list":
            return repr(executor.files.list(name) if name else executor.files.list())[:4000]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise ValueError(f"no such step: {step}")


def _afterwards(executor: Any) -> str:
    """Whether the executor can still be used: after any attack it answers, or says at once that it cannot."""
    try:
        execution = executor.run("20 + 22")
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    if execution.fault or execution.error:
        return f"fails with {execution.fault or execution.error.type}"
    return "answers" if execution.value == 42 else f"answers wrongly: {execution.value!r}"


def _descendants() -> dict[int, str]:
    """The processes below this one, with their names."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            head, _, tail = (entry / "stat").read_text().rpartition(") ")
        except OSError:
            continue
        parents[int(entry.name)] = int(tail.split()[1])
        names[int(entry.name)] = head.partition("(")[2]
    found: set[int] = set()
    generation = {os.getpid()}
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation} - found
        found |= generation
    return {pid: names[pid] for pid in found}


def _names_of_descendants() -> Counter[str]:
    """By name and not by number, because a spare takes the place of what was used."""
    return Counter(_descendants().values())


def _peak_memory(*, reset: bool = False) -> int:
    """The most memory this process has had since the last reset, in bytes."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    return next(int(line.split()[1]) << 10 for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
