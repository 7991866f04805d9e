"""Fleet: many programs, each in a fresh sandbox, on the machines of a Ray cluster or on this
one."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import weakref
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Mapping
from dataclasses import replace
from typing import Any, Self

from fumehood.errors import PolicyError
from fumehood.fleet.engine import Engine
from fumehood.fleet.inputs import Code
from fumehood.fleet.links import LocalPlaces, Places
from fumehood.fleet.progress import check_progress, shown
from fumehood.fleet.results import FleetMetrics, FleetResult
from fumehood.fleet.runs import Run
from fumehood.policy import Policy

LOCAL = "local"


class Fleet:
    """Runs code for each of many inputs, each in a sandbox that nothing else has used, and gives a
    result for every one of them.

    `address` is a Ray cluster's ("ray://…", "auto"), None for the one that this program is
    connected to or for one that Ray starts here, and "local" for this machine without Ray.
    `per_node` is how many items run at once on each node, its processors if not given. `policy`
    holds for every sandbox, with the modules of `preload` authorized too, and so imported before a
    sandbox starts; `setup` is code that is run in each before its item. `resources` are what a node
    must have to be used, in Ray's terms ({"CPU": 8}), and what is held there; without it each node
    with a processor is used, and nothing is held.

    Nodes that join are used, and items of nodes that are lost are run again elsewhere: see map().
    From any thread and any event loop; several maps may run at once. Close it, or use it in a
    `with` block: its sandboxes on all nodes end with it.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        per_node: int | None = None,
        policy: Policy | None = None,
        preload: Iterable[str] = (),
        setup: str | None = None,
        resources: Mapping[str, float] | None = None,
    ) -> None:
        if per_node is not None and (type(per_node) is not int or per_node < 1):
            raise PolicyError(
                f"per_node must be a whole number of at least 1 or None, not {per_node!r}"
            )
        if address is not None and not isinstance(address, str):
            raise PolicyError(f"address must be a text or None, not {address!r}")
        if policy is not None and not isinstance(policy, Policy):
            raise PolicyError(f"policy must be a Policy, not {policy!r}")
        if setup is not None and not isinstance(setup, str):
            raise PolicyError(f"setup must be code in a string, not {setup!r}")
        try:
            wanted = Policy(imports=preload)  # type: ignore[arg-type]  # checks the names
        except PolicyError as error:
            raise PolicyError(f"preload: {error}") from None
        self.policy = replace(
            policy or Policy(), imports=(*(policy.imports if policy else ()), *wanted.imports)
        )
        places: Places
        if address == LOCAL and resources is not None:
            raise PolicyError("resources are a Ray cluster's; leave them out for address='local'")
        if address == LOCAL:
            self.policy.verify(stacklevel=2)  # elsewhere other modules may be installed
            places = LocalPlaces(self.policy, per_node or os.cpu_count() or 1, setup)
        else:
            from fumehood.fleet.ray_links import RayPlaces  # late: an extra brings Ray

            self.policy.warn_of_dangers(stacklevel=2)
            places = RayPlaces(address, self.policy, per_node, setup, resources)
        self._engine = Engine(places)
        weakref.finalize(self, self._engine.stop)

    def map(
        self,
        code: Code,
        inputs: Iterable[Any] | AsyncIterable[Any],
        *,
        in_order: bool = True,
        timeout_seconds: float | None = None,
        retries: int = 2,
        repeatable: bool = True,
        in_flight: int | None = None,
        progress: bool | None = None,
    ) -> AsyncGenerator[FleetResult, None]:
        """Run code for each input: `async for result in fleet.map("input ** 2", range(1000))`.

        `code` is a cell, or a list of cells, of which those after one that fails are not run; an
        input is its variables, if it is a dictionary, and else the variable `input`. Or `code` is a
        function that gives the cells for an input; those find no variables. `inputs` may be
        endless, and asynchronous: no more than `in_flight` are taken whose results were not given
        yet; if that is None, as many as keep the nodes busy. Ordinary ones are taken in a thread.

        Results come in the order of the inputs, or as they are there. An item may take
        `timeout_seconds`, all its cells together; if that is None, each cell may take what the
        policy says. If its node is lost, it is run again up to `retries` times, unless `repeatable`
        is False: then, or after that, its result has the error NodeLost. An input that cannot be
        sent has a result that says so.

        `progress` shows a bar on standard error; if it is None, only where that is a terminal. To
        stop early, leave the loop and close the iterator (`aclose()`): what still runs is ended.
        """
        check_progress(progress)
        run = self._run(
            code,
            inputs,
            timeout_seconds,
            in_order=in_order,
            retries=retries,
            repeatable=repeatable,
            in_flight=in_flight,
        )
        return self._results_later(run, inputs, progress)

    async def _results_later(
        self, run: Run, inputs: Any, progress: bool | None
    ) -> AsyncGenerator[FleetResult, None]:
        """A method, so that there is a fleet for as long as somebody wants its results."""
        with shown(inputs, progress) as tell:
            async with contextlib.aclosing(run.later()) as results:
                async for result in results:
                    tell(result)
                    yield result

    def run_all(
        self,
        code: Code,
        inputs: Iterable[Any],
        *,
        in_order: bool = True,
        timeout_seconds: float | None = None,
        retries: int = 2,
        repeatable: bool = True,
        in_flight: int | None = None,
        progress: bool | None = None,
    ) -> Generator[FleetResult, None, None]:
        """`map` for programs without an event loop: `for result in fleet.run_all(…)`."""
        if isinstance(inputs, AsyncIterable):
            raise PolicyError("asynchronous inputs are for map(); run_all() takes ordinary ones")
        check_progress(progress)
        run = self._run(
            code,
            inputs,
            timeout_seconds,
            in_order=in_order,
            retries=retries,
            repeatable=repeatable,
            in_flight=in_flight,
        )
        return self._results(run, inputs, progress)

    def _results(
        self, run: Run, inputs: Iterable[Any], progress: bool | None
    ) -> Generator[FleetResult, None, None]:
        """As with map()."""
        with shown(inputs, progress) as tell, contextlib.closing(run.results()) as results:
            for result in results:
                tell(result)
                yield result

    def _run(self, code: Code, inputs: Any, seconds: float | None, **options: Any) -> Run:
        if seconds is not None and (
            isinstance(seconds, bool)
            or not isinstance(seconds, (int, float))
            or not 0 < seconds < math.inf
        ):
            raise PolicyError(f"timeout_seconds must be a positive number or None, not {seconds!r}")
        if not isinstance(inputs, (Iterable, AsyncIterable)):
            raise PolicyError(
                f"inputs must be something to go through, not {type(inputs).__name__}"
            )
        self._engine.see_if_open()
        return Run(self._engine, code, inputs, seconds, **options)

    def metrics(self) -> FleetMetrics:
        """What the nodes have done so far, and what they have now."""
        return self._engine.metrics()

    def close(self) -> None:
        """End everything that runs, on all nodes; maps that are not over raise SandboxFailed.
        Closing twice is harmless."""
        self._engine.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.to_thread(self.close)
