"""A fleet on this machine: one result for every input, each from a sandbox that nothing else has
used."""

from __future__ import annotations

import asyncio
import math
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from fumehood import (
    CodeRaised,
    Fleet,
    Policy,
    PolicyError,
    SandboxFailed,
)

from ..executors.hosts import descendants, living, wait_until


def test_cells_after_one_that_fails_are_not_run(fleet: Fleet) -> None:
    (result,) = fleet.run_all(["print(1)", "1 / 0", "print(2)"], [None])
    assert (result.logs, len(result.executions), result.value) == ("1\n", 2, None)
    assert result.error is not None and result.error.type == "ZeroDivisionError"
    assert isinstance(result.failure, CodeRaised)


def test_one_that_crashes_floods_or_never_ends_hurts_no_other() -> None:
    codes = [
        "'fine'",
        "import os; os.abort()",
        "while True: print('x' * 100_000)",
        "while True: pass",
        "[0] * 10**12",
        "raise SystemExit(3)",
        "'fine'",
    ]
    with Fleet("local", per_node=2, policy=Policy(files=True, language="off")) as fleet:
        results = list(fleet.run_all(lambda code: code, codes, timeout_seconds=3))
    assert [result.fault for result in results] == [
        None,
        "crash",
        "output",
        "timeout",
        "memory",
        None,
        None,
    ]
    assert [result.value for result in results] == ["fine", *[None] * 5, "fine"]


def test_an_input_that_cannot_be_sent_has_a_result_that_says_so(fleet: Fleet) -> None:
    bad, fine, wrong, odd = fleet.run_all("input", [threading.Lock(), 1, {"a b": 1}, "\ud800"])
    assert fine.value == 1 and odd.value == "\ud800"
    for result in (bad, wrong):
        assert (
            result.error is not None
            and result.error.type == "PolicyError"
            and "\n" not in result.error.message
        )
        assert (
            isinstance(result.failure, PolicyError)
            and result.executions == ()
            and result.attempts == 0
        )
    assert bad.error is not None and bad.error.message.startswith(
        "the input cannot be sent into a sandbox: "
    )
    assert "identifier" in str(wrong.error)


def test_inputs_without_end_are_taken_as_results_are(fleet: Fleet) -> None:
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    results = fleet.run_all("input", endless(), in_flight=3)
    assert [next(results).value for _ in range(5)] == [1, 2, 3, 4, 5]
    assert taken <= 8, "three at most whose results were not taken"
    results.close()


def test_what_inputs_raise_comes_after_the_results_of_those_before(fleet: Fleet) -> None:
    def inputs() -> Iterator[int]:
        yield 1
        yield 2
        raise LookupError("no more")

    results = fleet.run_all("input", inputs())
    assert [next(results).value, next(results).value] == [1, 2]
    with pytest.raises(LookupError, match="no more"):
        next(results)


def test_a_task_maps_over_ordinary_and_asynchronous_inputs(fleet: Fleet) -> None:
    async def later() -> AsyncIterator[int]:
        for n in range(10):
            await asyncio.sleep(0)
            yield n

    async def main() -> None:
        assert [result.value async for result in fleet.map("input * 2", range(10))] == [
            2 * n for n in range(10)
        ]
        assert [result.value async for result in fleet.map("input * 2", later(), in_flight=2)] == [
            2 * n for n in range(10)
        ]

    asyncio.run(main())


def test_a_task_that_is_cancelled_leaves_nothing_running(fleet: Fleet) -> None:
    async def main() -> None:
        async def forever() -> None:
            async for _ in fleet.map("import time; time.sleep(100)", range(50)):
                pass

        task = asyncio.create_task(forever())
        while not fleet.metrics().in_flight:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    (result,) = fleet.run_all("input", [1], timeout_seconds=60)
    assert result.value == 1, "there is room again"
    assert fleet.metrics().queue == 0


def test_code_that_is_run_before_each_item_is_in_each_sandbox() -> None:
    with Fleet("local", per_node=1, setup="from math import tau", preload=["json"]) as fleet:
        assert [
            result.value for result in fleet.run_all("import json; json.dumps(tau > input)", [6, 7])
        ] == ["true", "false"]


def test_a_fleet_that_is_closed_says_so_to_whoever_waits_and_to_whoever_comes() -> None:
    fleet = Fleet("local", per_node=1)
    results = fleet.run_all("import time; time.sleep(100)", range(3))
    closing = threading.Timer(0.2, fleet.close)
    closing.start()
    with pytest.raises(SandboxFailed, match="the fleet was closed"):
        next(results)
    closing.join()
    with pytest.raises(SandboxFailed, match="make a new one"):
        fleet.run_all("1", [1])
    fleet.close()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"timeout_seconds": 0}, "timeout_seconds must be a positive number"),
        ({"timeout_seconds": math.inf}, "timeout_seconds must be a positive number"),
        ({"timeout_seconds": "3"}, "timeout_seconds must be a positive number"),
        ({"progress": "yes"}, "progress must be True, False or None, not 'yes'"),
        ({"in_flight": 0}, "in_flight must be"),
        ({"inputs": 5}, "inputs must be something to go through, not int"),
        ({"code": []}, "code must be a text"),
        ({"code": [1]}, "code must be a text"),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_at_once(
    fleet: Fleet, wrong: dict[str, object], message: str
) -> None:
    for maps in (fleet.run_all, fleet.map):
        with pytest.raises(PolicyError, match=message):
            maps(**{"code": "1", "inputs": [1], **wrong})  # type: ignore[operator]


@pytest.mark.parametrize(
    "wrong",
    [{"per_node": 0}, {"address": 5}, {"policy": "strict"}, {"setup": 1}, {"preload": "json"}],
    ids=str,
)
def test_a_fleet_says_what_it_cannot_be(wrong: dict[str, object]) -> None:
    (name,) = wrong
    with pytest.raises(PolicyError, match=f"^{name}(: imports)? must be"):
        Fleet(**{"address": "local", **wrong})  # type: ignore[arg-type]


INTERRUPTED = """
from fumehood import Fleet
with Fleet("local", per_node=2) as fleet:
    for result in fleet.run_all("import time; print(1); time.sleep(0 if input < 2 else 100)", range(50)):
        print(result.index, flush=True)
"""


@pytest.mark.extended
def test_a_program_that_is_interrupted_ends_soon_and_leaves_nothing() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert [program.stdout.readline() for _ in range(2)] == ["0\n", "1\n"]
    started = descendants(program.pid)
    assert len(started) >= 3, "a zygote, and the sandboxes of two items"
    program.send_signal(signal.SIGINT)
    _out, said = program.communicate(timeout=120)
    assert "KeyboardInterrupt" in said and program.returncode
    wait_until(lambda: not living(started), "all have ended")


def test_a_bar_is_shown_on_standard_error_when_asked_for(
    fleet: Fleet, capsys: pytest.CaptureFixture[str]
) -> None:
    results = list(fleet.run_all("1 / input", [0, 1, 2], progress=True))
    out, err = capsys.readouterr()
    assert len(results) == 3 and out == ""
    assert "3/3" in err and "1 failed" in err
