"""Minutes of cells, faults, kills and re-creations on many executors at once; afterwards nothing
may be left, and no answer was wrong.

    python benchmarks/soak.py --minutes 10 --executors 8 --seed 1
    python benchmarks/soak.py --place all --minutes 10              every place in turn, for its
                                                                    share of the time
    python benchmarks/soak.py --place all --write docs/security/faults.md
        and the page tells what has come of it

Each executor has a thread, and a stream of random numbers that the seed decides; how the threads
meet is left to the machine. Beside them somebody kills zygotes and the processes around them, or
containers. What may come of each ordeal is in ordeals.py, what counts as a leak in leaks.py, where
all of it takes place in grounds.py, and how it is told in soaked.py. The exit code is 1 if an
answer was wrong, an executor hung or failed without cause, or something is left.
"""

from __future__ import annotations

import sys

# Else a file of this directory would be the package that talks to engines. And the tests, by whose
# means images are made, are beside it.
sys.path.append(sys.path.pop(0))
sys.path.append(__file__.rpartition("/benchmarks/")[0] or ".")

import argparse
import contextlib
import faulthandler
import gc
import importlib.util
import os
import random
import threading
import time
import traceback
from collections import Counter
from dataclasses import replace
from pathlib import Path

import processes
import soaked
from grounds import GROUNDS, LIMITS, Ground
from leaks import Growth, Holdings, leaks_since, use_own_temporary_directory, wait_until
from ordeals import Subject, Wrong, add_soon, ordeals_for

from fumehood import LocalPythonExecutor, Policy
from fumehood.executors import supervisor

HANG_SECONDS = 60.0
MOST_SHOWN = 20
VERIFY_EVERY = 5
SPARES = 1
"""Sandboxes that a zygote holds ready."""


class Soak:
    def __init__(
        self, ground: Ground, seconds: float, executors: int, seed: int, kill_every: float
    ) -> None:
        self.ground = ground
        self.seed = seed
        self.kill_every = kill_every
        self.seconds = seconds
        self.over = threading.Event()
        self.done: Counter[str] = Counter()
        self.kills: Counter[str] = Counter()
        self.failures: list[str] = []
        self.busy: dict[int, tuple[str, float]] = {}
        self.growth = Growth()
        numpy = importlib.util.find_spec("numpy") is not None and ground.name in ("local", "pool")
        self.subjects = [
            Subject(
                number,
                random.Random(f"{seed}/{number}"),
                ["numpy"] if numpy and number % 3 == 0 else [],
                ground.language or ("off" if number % 2 else "guarded"),
                ground,
            )
            for number in range(executors)
        ]

    def run(self) -> None:
        threads = [
            threading.Thread(target=self.torment, args=(subject,), daemon=True)
            for subject in self.subjects
        ]
        for thread in threads:
            thread.start()
        chance = random.Random(f"{self.seed}/kills")
        until = time.monotonic() + self.seconds
        next_kill = time.monotonic() + self.kill_every
        while time.monotonic() < until and not self.hanging():
            self.over.wait(0.5)
            self.growth.sample(self.ground.lasting())
            if time.monotonic() > next_kill:
                next_kill = time.monotonic() + self.kill_every
                self.kill_somebody(chance)
        self.over.set()
        for thread in threads:
            while thread.is_alive() and not self.hanging():
                thread.join(0.5)
        for number, what in self.hanging():
            self.failures.append(f"executor {number} hangs in {what!r}")
        if self.hanging():
            faulthandler.dump_traceback(all_threads=True)

    def hanging(self) -> list[tuple[int, str]]:
        now = time.monotonic()
        return [
            (number, what)
            for number, (what, since) in [*self.busy.items()]
            if now - since > HANG_SECONDS
        ]

    def torment(self, subject: Subject) -> None:
        names, ordeals, weights = ordeals_for(subject)
        choices = range(len(ordeals))
        for turn in range(sys.maxsize):
            if self.over.is_set():
                break
            chosen = subject.random.choices(choices, weights)[0]
            self.busy[subject.number] = names[chosen], time.monotonic()
            try:
                ordeals[chosen](subject)
                if turn % VERIFY_EVERY == 0:
                    subject.verify()
            except Exception as error:
                self.note(subject, turn, names[chosen], error)
                self.renew(subject, turn)
            self.done[names[chosen]] += 1
        self.busy[subject.number] = "close", time.monotonic()
        try:
            subject.end()
        except Exception as error:
            self.note(subject, turn, "close", error)
        del self.busy[subject.number]

    def note(self, subject: Subject, turn: int, what: str, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        where = (
            ""
            if isinstance(error, Wrong)
            else f" at {' < '.join(f'{frame.name}:{frame.lineno}' for frame in frames[:-6:-1])}"
        )
        shown = f"{type(error).__name__}: {error}{where}"
        self.failures.append(
            f"executor {subject.number} ({subject.language}), turn {turn}, {what}: {shown}"
        )

    def renew(self, subject: Subject, turn: int) -> None:
        """After a failure: a new executor, so that one failure is counted once."""
        while not self.over.is_set():
            try:
                subject.renew()
                return
            except Exception as error:
                self.note(subject, turn, "a new executor after a failure", error)
                self.over.wait(1)

    def kill_somebody(self, chance: random.Random) -> None:
        killed = self.ground.kill(
            chance, lambda: [subject.mourn() for subject in self.subjects] and None
        )
        if killed is not None:
            self.kills[killed] += 1


def zygote_leaks(descriptors: int) -> list[str]:
    """What zygotes still hold of sandboxes that are closed. They notice an end soon, not at once;
    and of one that was dropped they are told when somebody asks them for something."""
    for zygote in supervisor.LOCAL._by_key.values():
        zygote._end_dropped()
    wait_until(
        lambda: (
            not any(
                len(worker.runners) > SPARES or len(worker.inits) > SPARES
                for worker in processes.workers()
            )
        ),
        10,
    )
    found = []
    for worker in processes.workers():
        found += [
            f"runner {runner.pid} ({runner.state}) of a closed sandbox"
            for runner in worker.runners[SPARES:]
        ]
        if len(worker.inits) > SPARES:
            found.append(f"{len(worker.inits)} inits where {SPARES} wait to be used")
        if (now := zygote_descriptors(worker)) > descriptors:
            kinds = Counter(
                str(entry.readlink()).split(":")[0]
                for entry in (processes.PROC / str(worker.zygote.pid) / "fd").iterdir()
            )
            found.append(
                f"{now} descriptors of the zygote, {descriptors} of a new one: {dict(kinds)}"
            )
    return found


def zygote_descriptors(worker: processes.Worker) -> int:
    """None, if only root may look: a zygote does not let itself be inspected."""
    with contextlib.suppress(PermissionError):
        return sum(1 for _ in (processes.PROC / str(worker.zygote.pid) / "fd").iterdir())
    return 0


def warm_up() -> int:
    """Uses once what this process keeps for ever, as the loop of asynchronous tools. Gives how many
    descriptors a zygote has that has started one sandbox and ended it.
    """
    with LocalPythonExecutor(
        limits=LIMITS, additional_functions={"add_soon": add_soon}
    ) as executor:
        executor("add_soon(1, 2)")
    wait_until(lambda: len(processes.workers()[0].runners) <= SPARES, 10)
    return zygote_descriptors(processes.workers()[0])


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--place",
        choices=[*GROUNDS, "all"],
        nargs="+",
        default=["local"],
        help="where, one after the other (local)",
    )
    parser.add_argument(
        "--each", action="store_true", help="say how often each ordeal was gone through"
    )
    parser.add_argument("--minutes", type=float, default=5, help="how long (5)")
    parser.add_argument("--executors", type=int, default=6, help="how many at once (6)")
    parser.add_argument("--seed", type=int, default=0, help="decides what is done to each (0)")
    parser.add_argument(
        "--kill-every",
        type=float,
        default=10,
        help="seconds between kills of a zygote or of what is around it (10)",
    )
    parser.add_argument(
        "--cell-seconds",
        type=float,
        default=2,
        help="what a cell may take: more on a busy machine, but less than half of --kill-every, or"
        " a cell that uses all of it never ends (2)",
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help="a page, whose section on the soak is to be what came of this one",
    )
    return parser.parse_args()


def soak_at(place: str, seconds: float, arguments: argparse.Namespace) -> tuple[Soak, list[str]]:
    """A soak in one place; gives it, and what it has left behind."""
    descriptors = warm_up()
    supervisor.close_all()
    gc.collect()
    temporary = use_own_temporary_directory()
    limits = replace(
        LIMITS, cell_seconds=arguments.cell_seconds, grace_seconds=arguments.cell_seconds / 4
    )
    ground = GROUNDS[place](limits)
    if place != "local":
        with_one = ground.make(
            Policy(limits=limits), {}
        )  # what a place keeps for ever it has from its first use on
        ground.end(with_one)
        ground.close()
        del with_one
        supervisor.close_all()
        gc.collect()
        ground = GROUNDS[place](limits)
    before = Holdings.now(temporary)
    soak = Soak(ground, seconds, arguments.executors, arguments.seed, arguments.kill_every)
    soak.run()
    soak.subjects.clear()
    gc.collect()
    leaks = (zygote_leaks(descriptors) if place == "local" else []) + soak.growth.leaks()
    leaks += ground.close()
    supervisor.close_all()
    # A supervisor that was killed leaves its cgroup to be swept by the next one.
    LocalPythonExecutor(limits=LIMITS).close()
    supervisor.close_all()
    return soak, leaks + leaks_since(before, soak.growth.supervisors)


def main() -> int:
    arguments = parse_arguments()
    places = [*GROUNDS] if "all" in arguments.place else arguments.place
    rows: list[soaked.Soaked] = []
    hangs = False
    for place in places:
        soak, leaks = soak_at(place, arguments.minutes * 60 / len(places), arguments)
        tell(place, soak, leaks, arguments)
        rows.append(row_of(place, soak, leaks, arguments))
        hangs = any("hangs" in failure for failure in soak.failures)
        if hangs:
            break
    print(f"\n{soaked.table(rows)}", flush=True)
    if arguments.write is not None:
        soaked.write(arguments.write, rows, is_root=os.geteuid() == 0)
    if hangs:
        os._exit(1)  # the thread that hangs would keep us from ending
    return 1 if any(row.wrong or row.left for row in rows) else 0


def row_of(
    place: str, soak: Soak, leaks: list[str], arguments: argparse.Namespace
) -> soaked.Soaked:
    memory = soak.growth.text().removesuffix(", once warm")
    done, wrong = soak.done.total(), len(soak.failures)
    return soaked.Soaked(
        place,
        soak.seconds / 60,
        arguments.executors,
        done,
        killed_in(soak),
        wrong,
        len(leaks),
        memory,
    )


def killed_in(soak: Soak) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(soak.kills.items())) or "nobody"


def tell(place: str, soak: Soak, leaks: list[str], arguments: argparse.Namespace) -> None:
    print(
        f"{place}: seed {arguments.seed}, {arguments.executors} executors, {soak.seconds / 60:g}"
        f" minutes: {soak.done.total():,} ordeals"
    )
    if arguments.each:
        for name, count in soak.done.most_common():
            print(f"  {count:7,}  {name}")
    print(f"  killed from outside: {killed_in(soak)}; memory: {soak.growth.text()}")
    for title, lines in (("wrong", soak.failures), ("left behind", leaks)):
        print(f"  {title}: {len(lines) or 'nothing'}")
        for line in lines[:MOST_SHOWN]:
            print(f"    {line}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
