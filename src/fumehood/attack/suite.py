"""The suite: every program against one configuration, by several hosts at once, and what came of
each."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fumehood.attack.asking import AskedHost, HostDied, HostNeverBegan, ask_for
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program, names, read
from fumehood.attack.outcomes import Outcome, Verdict, judged


@dataclass(frozen=True)
class Result:
    program: Program
    verdict: Verdict
    why: str
    outcome: Outcome | None = None

    @property
    def was_tried(self) -> bool:
        return self.verdict != "left out"


class SuiteFailed(Exception):
    """The suite cannot be run in this configuration."""


def run_all(
    configuration: Configuration,
    chosen: Iterable[str] | None = None,
    *,
    hosts: int | None = None,
    seconds: float | None = None,
) -> Iterator[Result]:
    """Each program's result, as it comes. SuiteFailed if there is no sandbox to attack, or not all
    was done in `seconds`. Leaving off early ends the hosts."""
    until = None if seconds is None else time.monotonic() + seconds
    programs = [read(name) for name in (names() if chosen is None else chosen)]
    waiting: queue.SimpleQueue[Program] = queue.SimpleQueue()
    # One server is enough for all of them, and has a host of its own.
    of_clients: queue.SimpleQueue[Program] = queue.SimpleQueue()
    number = 0
    # Those that wait for a limit on purpose go first, so that none of them is waited for alone at
    # the end; then by what they import: a host gets ready for that.
    for program in sorted(programs, key=lambda program: (-_patience(program), program.imports)):
        if reason := configuration.leaves_out(program):
            yield Result(program, "left out", reason)
        else:
            (of_clients if program.is_of_a_client else waiting).put(program)
            number += 1
    results: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
    crew = [
        _Worker(configuration, waiting, results)
        for _ in range(min(hosts or _hosts(configuration), waiting.qsize()))
    ]
    crew += [_Worker(configuration, of_clients, results)] if of_clients.qsize() else []
    try:
        for worker in crew:
            worker.start()
        for done in range(number):
            try:
                result = results.get(
                    timeout=None if until is None else max(0.0, until - time.monotonic())
                )
            except queue.Empty:
                raise SuiteFailed(
                    f"{done:,} of {number:,} programs were done in {seconds:g} seconds, and that is"
                    " all there are; try fewer at once"
                ) from None
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        for worker in crew:
            worker.leave()
        for worker in crew:
            worker.join()


def _patience(program: Program) -> float:
    waits = "fault timeout" in program.fields.get("expect", "")
    return program.limits["cell_seconds"] if waits else 0.0


def _hosts(configuration: Configuration) -> int:
    # Some programs wait and some compute: a few more than there are processors. A container is one
    # host's.
    several = max(2, min(8, len(os.sched_getaffinity(0)) + 1))
    return 1 if configuration.place == "docker" else several


class _Worker(threading.Thread):
    """Takes programs and has its host run them; a host that a program ended is that program's
    doing, and is begun anew."""

    def __init__(
        self,
        configuration: Configuration,
        waiting: queue.SimpleQueue[Program],
        results: queue.SimpleQueue[Result | BaseException],
    ) -> None:
        super().__init__(name="fumehood-attack", daemon=True)
        self._configuration = configuration
        self._waiting = waiting
        self._results = results
        self._leaves = threading.Event()
        self._host: AskedHost | None = None
        self.is_busy = False

    def leave(self) -> None:
        self._leaves.set()
        host = self._host
        if host is not None and host.alive and self.is_busy:
            host.end()

    def run(self) -> None:
        try:
            while not self._leaves.is_set():
                try:
                    program = self._waiting.get_nowait()
                except queue.Empty:
                    break
                self._results.put(self._result_of(program))
        except BaseException as error:
            self._results.put(error)
        finally:
            if self._host is not None:
                self._host.close()

    def _result_of(self, program: Program) -> Result:
        if self._host is None or not self._host.alive:
            try:
                self._host = ask_for(self._configuration)
            except HostNeverBegan as error:
                raise SuiteFailed(str(error)) from None
        self.is_busy = True
        try:
            outcome = self._host.run(program.name)
        except HostDied as died:
            self._host = None
            return Result(program, "escaped", f"the host did not live through it: {died}")
        except HostNeverBegan as error:
            raise SuiteFailed(str(error)) from None
        finally:
            self.is_busy = False
        verdict, why = judged(program, outcome, self._configuration)
        return Result(program, verdict, why, outcome)
