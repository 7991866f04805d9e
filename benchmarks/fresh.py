"""Fresh sandboxes: time to the first result, time until one is ready, short programs in a sandbox
each, CPU time, how many per second, how many at once, and the private memory of each.

A fresh sandbox is a process, or a set of processes, in which no other code has run. Monty's pool
hands out a used worker after clearing it. The benchmark shows that, and Monty with a new worker for
each checkout.
"""

from __future__ import annotations

import ast
import contextlib
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import processes
from side_by_side import Bar, Figure, Measure, Side, interleave, once, shown, timed

from fumehood import ExecutorPool, LocalPythonExecutor
from fumehood.executors import supervisor

LIBRARIES = ["numpy", "pandas"]
READY, ANSWERED = "fumehood, ready", "fumehood, first cell answered"
CLOSED = "fumehood, created, first result, closed"
FIRST_BAR = 3.5e-3
READY_BAR = 4e-3
SHORT_BAR = 2.0
CPU_BAR, HOST_CPU_BAR = 3e-3, 0.8e-3
RATE_BAR = 300
PRIVATE_BAR = 1e6
SHORT = Path(__file__).parent / "short"
CPU_GROUPS = Path("/sys/fs/cgroup/cpuacct")
ALIVE = 1000
BWRAP = "bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all --die-with-parent".split()
DESCRIPTORS_EACH = 8
DESCRIPTORS_OURS = 200


def executor() -> LocalPythonExecutor:
    return LocalPythonExecutor(LIBRARIES)


def answers(sandbox: LocalPythonExecutor, number: int) -> bool:
    return bool(sandbox.run(f"{number} + 1").value == number + 1)


def starts(quick: bool, peers: bool, image: str | None) -> Figure:
    """A fresh sandbox with numpy and pandas loaded, when its zygote runs already."""
    supervisor.close_all()
    first = timed(lambda: executor().close())()
    sides: dict[str, Measure] = {READY: until_ready, ANSWERED: until_answered}
    sizes: dict[str, int] = {}
    notes = [
        f"the first of all, which starts the zygote and imports {' and '.join(LIBRARIES)}:"
        f" {shown(first, 'seconds')}"
    ]
    size = 5 if quick else 20
    slow = 1 if quick else 3
    with ExitStack() as stack:
        if peers:
            import pydantic_monty

            reused = stack.enter_context(pydantic_monty.Monty())
            sides["pydantic-monty, checkout of a used worker"] = lambda: checkout(reused)
            renewed = stack.enter_context(pydantic_monty.Monty(max_checkouts_per_worker=1))
            sides["pydantic-monty, checkout of a new worker"] = lambda: checkout(renewed)
        if shutil.which("bwrap"):
            for name, command in (
                ("bwrap … true", ["true"]),
                ("bwrap … python -c pass", [sys.executable, "-I", "-c", "pass"]),
                (
                    "bwrap … python -c 'import numpy, pandas'",
                    [sys.executable, "-I", "-c", "import numpy, pandas"],
                ),
            ):
                sides[name] = timed(process([*BWRAP, *command]))
                sizes[name] = size if name.endswith("true") else slow
        else:
            notes.append("bwrap is not installed here, so it is not compared")
        if image is None:
            notes.append("docker is not compared: name an image that is here with --docker-image")
        elif why := docker_missing(image):
            notes.append(f"docker is not compared: {why}")
        else:
            sides["docker run … true"] = timed(
                process(docker("run", "--rm", "--network", "none", image, "true"))
            )
            sizes["docker run … true"] = slow
        measured = interleave(sides, batches=2 if quick else 10, size=size, sizes=sizes)
    title = "A fresh sandbox with numpy and pandas loaded"
    return Figure("fresh", title, "seconds", measured, (Bar(READY, READY_BAR),), notes)


def first_results(quick: bool) -> Figure:
    """Create a sandbox, get the first result, close the sandbox: what a user waits for. The first
    side, which the ratio refers to, starts a plain interpreter that runs nothing."""
    executor().close()  # starts the zygote
    sides: dict[str, Measure] = {
        "python -c pass": timed(process([sys.executable, "-c", "pass"])),
        CLOSED: until_closed,
    }
    measured = interleave(sides, batches=2 if quick else 10, size=5 if quick else 20)
    rate = 1 / measured[1].median
    return Figure(
        "first",
        "Create sandbox, first result, closed (default settings, numpy and pandas authorized)",
        "seconds",
        measured,
        (Bar(CLOSED, FIRST_BAR),),
        [f"{shown(rate, 'per second')} sequentially, from the median"],
    )


def short_programs(quick: bool) -> Figure:
    """Programs of ten lines, each in a fresh sandbox, beside plain CPython in this process. A
    sample is the mean time of a program in a round of many. The ratio depends on how long they
    take."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(SHORT.glob("*.py"))]
    programs = [
        text.replace("seed = 0", f"seed = {number}", 1)
        for number in range(2 if quick else 10)
        for text in texts
    ]
    name = "fumehood, one after the other"
    rounds = 1 if quick else 10
    with ExecutorPool(2, max_size=os.cpu_count() or 1, preload=LIBRARIES) as pool:
        sides: dict[str, Callable[[], list[Any]]] = {
            "plain CPython in one process": lambda: [run_plainly(text) for text in programs],
            name: lambda: [run_fresh(text) for text in programs],
            "fumehood, ExecutorPool.map": lambda: [run.value for run in pool.map(programs)],
        }
        values = [act() for act in sides.values()]
        assert values[0] == values[1] == values[2], "a program has another result in a sandbox"
        measured = interleave({side: timed(act) for side, act in sides.items()}, batches=rounds)
    for side in measured:
        side.batches = [[sample / len(programs) for sample in batch] for batch in side.batches]
    return Figure(
        "short",
        f"{rounds * len(programs):,} programs of ten lines, a fresh sandbox each; time of one",
        "seconds",
        measured,
        (Bar(name, SHORT_BAR * measured[0].median),),
    )


def run_plainly(program: str) -> Any:
    """The value of the last line, as plain CPython computes it."""
    tree = ast.parse(program)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr), "a program ends with an expression"
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(tree, "<program>", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "<program>", "eval"), namespace)


def run_fresh(program: str) -> Any:
    with executor() as sandbox:
        return sandbox.run(program).value


def cpu_time(quick: bool) -> Figure:
    """CPU time of all processes for a fresh sandbox with an empty cell, from creation to the end of
    its last process, and the part of the host's process. The kernel counts it for a cgroup, which
    only root can make."""
    total, host = "all processes", "the host's process"
    title = "CPU time of a fresh sandbox with an empty cell"
    if not CPU_GROUPS.is_dir() or os.geteuid():
        note = "not measured: this needs root and cgroup v1's cpuacct"
        return Figure("cpu", title, "seconds", [Side(total), Side(host)], notes=[note])
    count = 10 if quick else 200
    group = CPU_GROUPS / f"fumehood-benchmark-{os.getpid()}"
    group.mkdir()
    supervisor.close_all()
    (group / "cgroup.procs").write_text(str(os.getpid()))
    samples: dict[str, list[list[float]]] = {total: [], host: []}
    try:
        for _ in range(2 if quick else 6):
            for _ in range(20):  # a warm zygote
                run_fresh("")
            settle(group)
            before = used_cpu(group), time.process_time()
            for _ in range(count):
                run_fresh("")
            own = time.process_time() - before[1]
            settle(group)
            samples[total].append([(used_cpu(group) - before[0]) / count])
            samples[host].append([own / count])
    finally:
        supervisor.close_all()
        (CPU_GROUPS / "cgroup.procs").write_text(str(os.getpid()))
        for _ in range(100):
            with contextlib.suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.1)
    sides = [Side(name, batches) for name, batches in samples.items()]
    bars = (Bar(total, CPU_BAR), Bar(host, HOST_CPU_BAR))
    return Figure("cpu", title, "seconds", sides, bars)


def used_cpu(group: Path) -> float:
    return int((group / "cpuacct.usage").read_text()) / 1e9


def settle(group: Path) -> None:
    """Wait until closed sandboxes are cleaned up: no CPU time is used any more."""
    last = -1.0
    while (now := used_cpu(group)) - last > 1e-3:
        last = now
        time.sleep(0.1)


def until_closed() -> float:
    started = time.perf_counter()
    with executor() as sandbox:
        right = answers(sandbox, 1)
    seconds = time.perf_counter() - started
    assert right
    return seconds


def until_ready() -> float:
    started = time.perf_counter()
    with executor():
        return time.perf_counter() - started


def until_answered() -> float:
    started = time.perf_counter()
    with executor() as sandbox:
        right = answers(sandbox, 1)
        seconds = time.perf_counter() - started
    assert right
    return seconds


def checkout(pool: Any) -> float:
    started = time.perf_counter()
    with pool.checkout():
        return time.perf_counter() - started


def process(command: list[str]) -> Callable[[], object]:
    return lambda: subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, capture_output=True
    )


def docker(*arguments: str) -> list[str]:
    return ["docker", *arguments]


def docker_missing(image: str) -> str:
    """Why docker cannot be compared; empty if it can. An image is never fetched: that would be
    measured, or worse, happen unasked."""
    if not shutil.which("docker"):
        return "it is not installed here"
    found = subprocess.run(
        docker("image", "inspect", image), capture_output=True, text=True, check=False
    )
    return (
        ""
        if found.returncode == 0
        else found.stderr.strip().splitlines()[-1]
        if found.stderr.strip()
        else f"no image {image}"
    )


def rates(quick: bool) -> Figure:
    """Sandboxes made and closed again without a pause, by several threads at once."""
    seconds = 0.5 if quick else 3.0
    executor().close()  # so that the zygote is running
    sides: dict[str, Measure] = {}
    for threads in (1, 2, 4):
        sides[rate_name(threads)] = lambda threads=threads: rate(
            lambda: executor().close(), threads, seconds
        )  # type: ignore[misc]
    if shutil.which("bwrap"):
        sides["bwrap … true, 2 threads"] = lambda: rate(process([*BWRAP, "true"]), 2, seconds)
    measured = interleave(sides, batches=1 if quick else 4)
    best = max(measured[:3], key=lambda side: side.median)
    notes = [f"{os.cpu_count()} cores"]
    return Figure(
        "rate",
        "Fresh sandboxes made and closed, sustained",
        "per second",
        measured,
        (Bar(best.name, RATE_BAR),),
        notes,
    )


def rate_name(threads: int) -> str:
    return f"fumehood, {threads} {'thread' if threads == 1 else 'threads'}"


def rate(action: Callable[[], object], threads: int, seconds: float) -> float:
    """How often a second an action is done by so many threads; an error of one is raised here."""
    counts = [0] * threads
    errors: list[BaseException] = []
    started = time.perf_counter()

    def repeat(number: int) -> None:
        try:
            while time.perf_counter() < started + seconds:
                action()
                counts[number] += 1
        except BaseException as error:
            errors.append(error)

    running = [threading.Thread(target=repeat, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if errors:
        raise errors[0]
    return sum(counts) / (time.perf_counter() - started)


def memory(quick: bool, peers: bool) -> Figure:
    """Memory that only one sandbox has: pages of its runner that no other process shares. Its
    init has none, it lives in the zygote's.

    There are several on both sides, or what all workers of one kind share would be counted as the
    private memory of the only one.
    """
    count = 4 if quick else 20
    idle, used = "fumehood, ready", "fumehood, after a cell"
    supervisor.close_all()
    notes = []
    figures: list[Side] = []
    with ExitStack() as stack:
        sandboxes = [stack.enter_context(executor()) for _ in range(count)]
        for name in (idle, used):
            if name == used:
                assert all(answers(sandbox, number) for number, sandbox in enumerate(sandboxes))
            worker = processes.workers()[0]
            runners = [runner.private_bytes() for runner in worker.runners]
            figures.append(Side(name, once(runners)))
        together = shown(
            sum(each.private_bytes() for each in (worker.supervisor, worker.zygote)), "bytes"
        )
        notes.append(f"once for all sandboxes: supervisor and zygote, together {together} private")
    if peers:
        figures += monty_memory(min(count, 8))
    return Figure(
        "memory",
        "Private memory of one idle sandbox",
        "bytes",
        figures,
        (Bar(idle, PRIVATE_BAR),),
        notes,
    )


def monty_memory(count: int) -> list[Side]:
    import pydantic_monty

    before = {process.pid for process in processes.descendants()}
    sides = []
    with ExitStack() as stack:
        pool = stack.enter_context(pydantic_monty.Monty(min_processes=count, max_processes=count))
        sessions = [stack.enter_context(pool.checkout()) for _ in range(count)]
        for name in ("pydantic-monty, ready", "pydantic-monty, after a cell"):
            if name.endswith("cell"):
                for session in sessions:
                    session.feed_run("1 + 1")
            found = [
                process
                for process in processes.descendants()
                if process.pid not in before and process.is_alive
            ]
            sides.append(Side(name, once([process.private_bytes() for process in found])))
    return sides


def alive(quick: bool) -> Figure:
    """Many sandboxes alive at once, and all of them answer."""
    wanted = 50 if quick else ALIVE
    name = "fumehood, alive and answering"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    supervisor.close_all()  # a zygote that was started before has the lower limit
    notes = []
    right = 0
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        stack.callback(supervisor.close_all)
        if hard != resource.RLIM_INFINITY and hard < wanted * DESCRIPTORS_EACH + DESCRIPTORS_OURS:
            notes.append(
                f"the hard limit of open files here, {hard:,}, may be too low for {wanted:,}"
            )
        free = available_bytes()
        sandboxes: list[LocalPythonExecutor] = []
        started = time.perf_counter()
        try:
            for _ in range(wanted):
                sandboxes.append(stack.enter_context(executor()))
        except Exception as error:
            notes.append(f"no more after {len(sandboxes):,}: {type(error).__name__}: {error}")
        made = time.perf_counter()
        try:
            for number, sandbox in enumerate(sandboxes):
                right += answers(sandbox, number)
        except Exception as error:
            notes.append(f"one did not answer: {type(error).__name__}: {error}")
        answered = time.perf_counter()
        workers = processes.workers()
        private = sum(runner.private_bytes() for worker in workers for runner in worker.runners)
        notes.append(
            f"made in {made - started:.1f} s, all asked in {answered - made:.2f} s,"
            f" {len(processes.open_descriptors()):,} descriptors"
        )
        total = shown(private, "bytes")
        notes.append(
            f"private memory {total} in all, and {shown(max(0, free - available_bytes()), 'bytes')}"
            " less free on the machine"
        )
        ending = time.perf_counter()
    notes.append(f"closed in {time.perf_counter() - ending:.1f} s")
    return Figure(
        "alive",
        f"{wanted:,} sandboxes alive at once",
        "count",
        [Side(name, once([right]))],
        (Bar(name, wanted),),
        notes,
    )


def available_bytes() -> int:
    lines = (processes.PROC / "meminfo").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
