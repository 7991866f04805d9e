"""How long a trip takes: host to code and back (a trivial cell), and code to host and back (a call
of a tool)."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from typing import Any

from side_by_side import Bar, Figure, Measure, interleave, timed

from fumehood import LocalPythonExecutor

JAIL, INLINE, MONTY = "fumehood, jail", "fumehood, inline", "pydantic-monty"
CELL_BAR = 100e-6
CALL_BAR = 80e-6
MONTY_CALLS = 100_000_000  # a session of Monty's takes a thousand calls unless told otherwise
LOOP = "for i in range({calls}):\n    add(i, 1)"
# A coroutine function of the host is called by its plain name in Monty, and by `.aio` in fumehood,
# which makes every tool awaitable.
GATHER = "import asyncio\nanswers = await asyncio.gather(*[{call}(i, 1) for i in range({calls})])"


def add(a: int, b: int) -> int:
    return a + b


async def add_soon(a: int, b: int) -> int:
    return a + b


def cells(quick: bool, peers: bool) -> Figure:
    """A trivial cell: each time another text, and again and again the same, which fumehood does not
    compile again.

    Without a base to go back to: what that costs is in branching.py.
    """
    numbers = itertools.count()
    again, monty_again = f"{JAIL}, same text", f"{MONTY}, same text"

    def source() -> str:
        return f"x = {next(numbers)} + 1"

    with ExitStack() as stack:
        jail = stack.enter_context(LocalPythonExecutor(on_fault="keep"))
        inline = stack.enter_context(LocalPythonExecutor(isolation="inline"))
        sides: dict[str, Measure] = {
            JAIL: timed(lambda: must(jail.run(source()))),
            again: timed(lambda: must(jail.run("x = 1 + 1"))),
            INLINE: timed(lambda: must(inline.run(source()))),
        }
        if peers:
            session = stack.enter_context(monty_session())
            sides[MONTY] = timed(lambda: session.feed_run(source()))
            sides[monty_again] = timed(lambda: session.feed_run("x = 1 + 1"))
        measured = interleave(sides, batches=4 if quick else 40, size=25 if quick else 100)
    bars = (Bar(JAIL, CELL_BAR), Bar(JAIL, MONTY), Bar(again, CELL_BAR), Bar(again, monty_again))
    return Figure("cell", "A trivial cell, round trip", "seconds", measured, bars)


def calls(quick: bool, peers: bool) -> Figure:
    """A loop of calls of a tool that adds two numbers; the time of the cell, divided by the
    calls."""
    count = 50 if quick else 200
    code = LOOP.format(calls=count)
    with ExitStack() as stack:
        jail = stack.enter_context(LocalPythonExecutor(on_fault="keep"))
        jail.send_tools({"add": add})
        sides: dict[str, Measure] = {JAIL: shared_by(count, timed(lambda: must(jail.run(code))))}
        if peers:
            session = stack.enter_context(monty_session())
            sides[MONTY] = shared_by(
                count, timed(lambda: session.feed_run(code, external_lookup={"add": add}))
            )
        measured = interleave(sides, batches=4 if quick else 20, size=5)
    return Figure(
        "call",
        "A call of a host's tool from code",
        "seconds",
        measured,
        (Bar(JAIL, CALL_BAR), Bar(JAIL, MONTY)),
    )


def gathered_calls(quick: bool, peers: bool) -> Figure:
    """Calls made all at once and awaited together, of a plain function and of a coroutine
    function."""
    count = 50 if quick else 200
    plain, coroutine = f"{JAIL}, plain function", f"{JAIL}, coroutine function"
    title = "A call of a host's tool from code, gathered"
    with ExitStack() as stack:
        jail = stack.enter_context(LocalPythonExecutor(on_fault="keep"))
        jail.send_tools({"add": add, "add_soon": add_soon})
        loop = asyncio.new_event_loop()
        stack.callback(loop.close)

        def jailed(tool: str) -> Measure:
            code = GATHER.format(call=f"{tool}.aio", calls=count)
            return shared_by(count, on_loop(loop, lambda: jail.arun(code)))

        sides = {coroutine: jailed("add_soon"), plain: jailed("add")}
        if peers:
            monty = AsyncExitStack()
            session = loop.run_until_complete(async_monty_session(monty))
            stack.callback(lambda: loop.run_until_complete(monty.aclose()))
            code = GATHER.format(call="add_soon", calls=count)
            sides[MONTY] = shared_by(
                count,
                on_loop(
                    loop, lambda: session.feed_run(code, external_lookup={"add_soon": add_soon})
                ),
            )
        measured = interleave(sides, batches=4 if quick else 20, size=5)
    return Figure(
        "gather",
        title,
        "seconds",
        measured,
        (Bar(coroutine, CALL_BAR), Bar(coroutine, MONTY), Bar(plain, CALL_BAR)),
    )


def must(execution: Any) -> None:
    """A benchmark of cells that fail would be quick and worthless."""
    if not execution.ok:
        raise RuntimeError(execution.error.traceback)


def shared_by(count: int, measure: Measure) -> Measure:
    return lambda: measure() / count


def on_loop(loop: asyncio.AbstractEventLoop, start: Any) -> Measure:
    """The time of one awaitable, taken on the loop, so that starting and stopping the loop does not
    count."""

    async def measured() -> float:
        started = time.perf_counter()
        outcome = await start()
        seconds = time.perf_counter() - started
        if hasattr(outcome, "ok"):
            must(outcome)
        return seconds

    return lambda: loop.run_until_complete(measured())


@contextmanager
def monty_session() -> Iterator[Any]:
    import pydantic_monty

    with (
        pydantic_monty.Monty() as pool,
        pool.checkout(limits={"max_suspensions": MONTY_CALLS}) as session,
    ):
        yield session


async def async_monty_session(stack: AsyncExitStack) -> Any:
    import pydantic_monty

    pool = await stack.enter_async_context(pydantic_monty.AsyncMonty())
    return await stack.enter_async_context(pool.checkout(limits={"max_suspensions": MONTY_CALLS}))
