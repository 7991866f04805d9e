"""Parallel tools: code in the jail calls tools of the host one after the other, and many at once
with `await`.

A tool stands for something slow: a search, a database, another model. It runs here, and a call
costs the code nothing but the wait; so eight waits at once cost as much as one. Every tool has an
awaitable twin, `tool.aio`. A plain function of the host is run in a thread, a coroutine function on
a loop of the host's; the code cannot tell.

    python examples/parallel_tools.py
"""

from __future__ import annotations

import threading
import time

from fumehood import LocalPythonExecutor

CITIES = ["Oslo", "Rome", "Lima", "Cairo", "Perth", "Quito", "Seoul", "Paris"]

ONE_BY_ONE = "found = {city: weather(city) for city in cities}"

ALL_AT_ONCE = """
import asyncio
found = dict(zip(cities, await asyncio.gather(*[weather.aio(city) for city in cities])))
"""

AS_THEY_COME = """
found, order = {}, []

async def ask(city, slots):
    async with slots:
        found[city] = await weather.aio(city)
        order.append(city)

async with asyncio.TaskGroup() as group:
    slots = asyncio.Semaphore(3)
    for city in cities:
        group.create_task(ask(city, slots))
"""


class Weather:
    """A slow service, which knows how many have asked it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = self.most = 0

    def __call__(self, city: str) -> float:
        """The temperature in a city."""
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.25)
        with self._lock:
            self._now -= 1
        return sum(map(ord, city)) % 40


def main() -> None:
    with LocalPythonExecutor() as executor:
        executor.send_variables({"cities": CITIES})
        for name, code in (
            ("one by one", ONE_BY_ONE),
            ("all at once", ALL_AT_ONCE),
            ("three at once", AS_THEY_COME),
        ):
            service = Weather()

            def weather(city: str, service: Weather = service) -> float:
                return service(city)

            executor.send_tools({"weather": weather})
            began = time.perf_counter()
            execution = executor.run(code)
            seconds = time.perf_counter() - began
            assert execution.ok, execution.error
            print(
                f"{name:<13} {len(execution.tool_calls)} calls, at most {service.most} at once,"
                f" {seconds:.2f} s"
            )
        warmest = executor("max(found, key=found.get)").output
        print(f"\nwarmest of {len(CITIES)}: {warmest}")


if __name__ == "__main__":
    main()
