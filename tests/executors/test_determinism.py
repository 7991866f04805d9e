"""Policy(seed=…, clock=…): the same cells give the same, each time, in any process. And what that
must not touch."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy, PolicyError

from .conftest import MakeExecutor
from .hosts import answer_of

WHEN = "2026-01-01T00:00:00+00:00"
BOTH = ["guarded", "off"]

MakeFixed = Callable[..., LocalPythonExecutor]


@pytest.fixture
def make_fixed(make_jailed: MakeExecutor) -> MakeFixed:
    def make(**options: Any) -> LocalPythonExecutor:
        kept = {name: options.pop(name) for name in ("on_fault", "on_error") if name in options}
        return make_jailed(policy=Policy(**{"seed": 1, "clock": WHEN} | options), **kept)

    return make


def value_of(executor: LocalPythonExecutor, code: str) -> Any:
    execution = executor.run(code)
    assert execution.error is None, execution.error.traceback
    return execution.value


# -- the same each time

PROGRAM = [
    (
        "import asyncio, random, time, uuid\nfrom datetime import UTC, date, datetime, timedelta,"
        " timezone\nprint(time.time(), datetime.now())"
    ),
    """
print(time.time_ns(), time.monotonic(), time.monotonic_ns(), time.perf_counter(), time.perf_counter_ns(), time.process_time())
print(time.process_time_ns(), time.thread_time(), time.thread_time_ns(), time.clock_gettime(0), time.clock_gettime_ns(1))
print(time.localtime(), time.gmtime(), time.ctime(), time.asctime(), time.strftime("%c %Z %z"), time.tzname, time.timezone)
print(datetime.now(), datetime.now(UTC), datetime.now(timezone(timedelta(hours=2))), datetime.today(), date.today())
print(datetime.now().astimezone(), time.time)
""",
    """
async def tick(name, seconds):
    for _ in range(3):
        await asyncio.sleep(seconds)
        print(name, time.time(), asyncio.get_running_loop().time())
await asyncio.gather(tick("a", 0.002), tick("b", 0.003), tick("c", 0.002))
""",
    (
        "words = {'some', 'words', 'in', 'a', 'set', ('a', 'pair'), 2.5, date(2026, 1,"
        " 1)}\nprint(words, frozenset('letters'))\nlist(words)"
    ),
    (
        "print(uuid.uuid4(), random.random(), random.Random().random(), random.sample(range(100),"
        " 5))\nrandom.seed()\nrandom.random()"
    ),
    "time.sleep(0.01)\n1 / 0",
    (
        "began = time.time()\nturns = 0\nwhile time.time() < began + 0.001:\n    turns += 1\nturns,"
        " datetime.now() - datetime(2026, 1, 1)"
    ),
]

HOST = f"""
shown = []
for language in ("guarded", "off"):
    with LocalPythonExecutor(policy=Policy(seed=1, clock={WHEN!r}, language=language)) as executor:
        for code in {PROGRAM!r}:
            execution = executor.run(code)
            shown.append([repr(execution.value), execution.logs, execution.error and execution.error.traceback])
say(shown)
"""


@pytest.mark.long
@pytest.mark.extended
def test_two_hosts_see_the_same_outcomes_to_the_last_byte() -> None:
    first, second = answer_of(HOST), answer_of(HOST)
    assert json.dumps(first) == json.dumps(second)
    guarded, plain = first[: len(PROGRAM)], first[len(PROGRAM) :]
    assert [logs for _, logs, _ in guarded] == [logs for _, logs, _ in plain]
    assert "1767225600.000001 2026-01-01 00:00:00.000002" in first[0][1]
    assert [error is not None for _, _, error in guarded] == [False] * 5 + [True, False]


def test_a_clock_alone_leaves_random_numbers_random_and_a_seed_alone_leaves_the_machine_s_clock(
    make_fixed: MakeFixed,
) -> None:
    code = (
        "import random, time, uuid\nrandom.random(), uuid.uuid4(), random.Random().random(),"
        " time.time()"
    )
    one, other = (value_of(make_fixed(seed=None), code) for _ in range(2))
    assert all(a != b for a, b in zip(one[:3], other[:3], strict=True)) and one[3] == other[3]
    one, other = (value_of(make_fixed(clock=None), code) for _ in range(2))
    assert one[:3] == other[:3]
    assert one[3] != other[3] and abs(time.time() - other[3]) < 3600


# -- what follows the clock

READINGS = {
    "time.time()": "1767225600.000001",
    "time.time_ns()": "1767225600000001000",
    "time.monotonic()": "1e-06",
    "time.monotonic_ns()": "1000",
    "time.perf_counter()": "1e-06",
    "time.perf_counter_ns()": "1000",
    "time.process_time()": "1e-06",
    "time.process_time_ns()": "1000",
    "time.thread_time()": "1e-06",
    "time.thread_time_ns()": "1000",
    "time.clock_gettime(time.CLOCK_REALTIME)": "1767225600.000001",
    "time.clock_gettime_ns(time.CLOCK_REALTIME)": "1767225600000001000",
    "time.clock_gettime_ns(time.CLOCK_MONOTONIC)": "1000",
    "time.clock_gettime_ns(time.CLOCK_BOOTTIME)": "1000",
    "time.clock_gettime_ns(time.CLOCK_PROCESS_CPUTIME_ID)": "1000",
    "tuple(time.localtime())": "(2026, 1, 1, 0, 0, 0, 3, 1, 0)",
    "tuple(time.localtime(None))": "(2026, 1, 1, 0, 0, 0, 3, 1, 0)",
    "tuple(time.gmtime())": "(2026, 1, 1, 0, 0, 0, 3, 1, 0)",
    "tuple(time.gmtime(0))": "(1970, 1, 1, 0, 0, 0, 3, 1, 0)",
    "time.ctime()": "'Thu Jan  1 00:00:00 2026'",
    "time.ctime(0)": "'Thu Jan  1 00:00:00 1970'",
    "time.asctime()": "'Thu Jan  1 00:00:00 2026'",
    "time.asctime(time.gmtime(0))": "'Thu Jan  1 00:00:00 1970'",
    "time.strftime('%Y %Z')": "'2026 UTC'",
    "time.strftime('%Y', time.gmtime(0))": "'1970'",
    "time.tzname, time.timezone, time.daylight": "(('UTC', 'UTC'), 0, 0)",
    "datetime.now()": "datetime.datetime(2026, 1, 1, 0, 0, 0, 1)",
    "datetime.now(tz=UTC).isoformat()": "'2026-01-01T00:00:00.000001+00:00'",
    "datetime.utcnow()": "datetime.datetime(2026, 1, 1, 0, 0, 0, 1)",
    "datetime.today()": "datetime.datetime(2026, 1, 1, 0, 0, 0, 1)",
    "date.today()": "datetime.date(2026, 1, 1)",
    "datetime(2026, 7, 1).astimezone().isoformat()": "'2026-07-01T00:00:00+00:00'",
    "type(datetime.now()) is datetime and type(datetime.today()) is datetime": "True",
    "isinstance(datetime.now(), datetime) and not issubclass(datetime, int)": "True",
    "type(datetime.now() + timedelta(1)) is datetime": "True",
    "datetime.now() < datetime.now() < datetime.now(UTC).replace(tzinfo=None)": "True",
    "copy.deepcopy([time.time, datetime.now()])[0] is time.time": "True",
    "type(Own.now()).__name__, type(Own.today()).__name__, Own.now().microsecond": (
        "('Own', 'Own', 3)"
    ),
    "Stopwatch().read()": "1e-06",
}
BEFORE = """
import copy, time
from datetime import UTC, date, datetime, timedelta
class Own(datetime): pass
class Stopwatch:
    read = time.perf_counter
"""


@pytest.mark.parametrize("language", BOTH)
def test_everything_that_reads_the_time_follows_the_clock(
    make_fixed: MakeFixed, language: str
) -> None:
    executor = make_fixed(language=language, on_error="rollback")
    assert executor.run(BEFORE).error is None
    start = executor.snapshot()
    for code in READINGS:
        executor.restore(start)
        assert (code, repr(value_of(executor, code))) == (code, READINGS[code])


@pytest.mark.parametrize("language", BOTH)
def test_sleeping_takes_its_time_and_moves_the_clock_as_far(
    make_fixed: MakeFixed, language: str
) -> None:
    executor = make_fixed(language=language)
    began = time.monotonic()
    code = (
        "import asyncio, time\na = time.time_ns()\ntime.sleep(0.1)\nb = time.time_ns()\nawait"
        " asyncio.sleep(0.1)\nb - a, time.time_ns() - b"
    )
    slept, awaited = value_of(executor, code)
    assert time.monotonic() - began >= 0.2
    assert slept == 100_001_000
    assert 100_000_000 < awaited < 100_020_000


PANDAS = """
import pandas as pd
shown = [pd.Timestamp.now(), pd.Timestamp.now("UTC+09:00"), pd.Timestamp.today(), pd.Timestamp("now"), pd.to_datetime("today")]
shown += [pd.Timestamp.now("UTC"), pd.to_datetime(["now", "today"])[0], pd.Period.now("D")]
print(*shown, sep="\\n")
print(pd.Series(range(50)).sample(5).tolist())
type(shown[0]) is pd.Timestamp
"""


@pytest.mark.long
@pytest.mark.parametrize("language", BOTH)
def test_pandas_follows_the_clock_and_the_seed(make_fixed: MakeFixed, language: str) -> None:
    pytest.importorskip("pandas")
    printed = []
    for _ in range(2):
        execution = make_fixed(imports=("pandas",), language=language).run(PANDAS)
        assert execution.error is None and execution.value is True, execution.error
        printed.append(execution.logs)
    assert printed[0] == printed[1]
    lines = printed[0].splitlines()
    assert lines[1].startswith("2026-01-01 09:00:00.00000") and all(
        line.startswith("2026-01-01") for line in lines[:8]
    )


NUMPY = """
import numpy as np
a = np.random.default_rng().random(), np.random.default_rng().random(), np.random.RandomState().rand(), np.random.rand()
np.random.seed()
a, np.random.rand(), np.random.Generator(np.random.PCG64()).random()
"""


@pytest.mark.parametrize(
    ("imports", "language"),
    [(("numpy",), "guarded"), (("numpy",), "off"), ((), "off")],
    ids=["guarded", "off", "off, imported by the cell itself"],
)
def test_numpy_s_generators_draw_the_same_and_each_its_own(
    make_fixed: MakeFixed, imports: tuple[str, ...], language: str
) -> None:
    pytest.importorskip("numpy")
    first = value_of(make_fixed(imports=imports, language=language), NUMPY)
    assert value_of(make_fixed(imports=imports, language=language), NUMPY) == first
    assert len({*first[0], *first[1:]}) == 6


def test_secrets_stay_secret(make_fixed: MakeFixed) -> None:
    code = (
        "import os, random, secrets\nos.urandom(8), secrets.token_hex(),"
        " random.SystemRandom().random()"
    )
    one, other = (value_of(make_fixed(imports=("os",)), code) for _ in range(2))
    assert not {*one} & {*other}


# -- tools


@pytest.mark.parametrize("language", BOTH)
def test_waiting_for_tools_moves_no_clock_however_long_they_take(
    make_fixed: MakeFixed, language: str
) -> None:
    def run(pauses: dict[int, float]) -> Any:
        def ask(number: int) -> int:
            """Answers.

            Args:
                number: which
            """
            time.sleep(pauses[number])
            return number

        executor = make_fixed(language=language)
        executor.send_tools({"ask": ask})
        one_by_one = value_of(
            executor, "import asyncio, time\nask(1), time.time_ns(), ask(2), time.time_ns()"
        )
        together = (
            "await asyncio.gather(ask.aio(1), asyncio.sleep(0.02), ask.aio(2)), time.time_ns()"
        )
        return (
            one_by_one,
            value_of(executor, together),
            value_of(executor, "await asyncio.sleep(0.001)\ntime.time_ns()"),
        )

    assert run({1: 0.0, 2: 0.05}) == run({1: 0.05, 2: 0.0}) == run({1: 0.0, 2: 0.0})


# -- branches

READ = "import time, uuid\ntime.time_ns(), uuid.uuid4()"


def test_forks_go_on_from_the_same_instant_each_by_itself(make_fixed: MakeFixed) -> None:
    def run() -> list[Any]:
        executor = make_fixed()
        value_of(executor, READ)
        forks = executor.fork(2)
        try:
            return [value_of(each, READ) for each in (executor, *forks)]
        finally:
            for fork in forks:
                fork.close()

    found = run()
    assert run() == found
    assert len({when for when, _ in found}) == 1
    assert len({number for _, number in found}) == 3


# -- what it must not touch

ENDLESS = {
    "sleeping": "import time\ntime.sleep(1e6)",
    "awaiting": "import asyncio\nawait asyncio.sleep(1e6)",
    "reading": "import time\nwhile time.monotonic() < 1e6: pass",
    "moving the clock": (
        "import asyncio\nclock = asyncio.get_event_loop()._clock\nclock._waited = -(10 **"
        " 18)\nawait asyncio.sleep(1e6)"
    ),
    "spinning": "import asyncio\nwhile True: await asyncio.sleep(0)",
}


@pytest.mark.long
@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("how", ENDLESS)
def test_the_time_limit_is_the_machine_s(make_fixed: MakeFixed, language: str, how: str) -> None:
    executor = make_fixed(language=language, limits=Limits(cell_seconds=1))
    execution = executor.run(ENDLESS[how])
    assert execution.fault == "timeout"
    assert value_of(executor, "1 + 1") == 2


@pytest.mark.long
def test_the_process_that_starts_sandboxes_heeds_no_python_variable_of_the_host() -> None:
    program = f"""
import os
os.environ.update(PYTHONHASHSEED="7", PYTHONPATH="/nonexistent", PYTHONDONTWRITEBYTECODE="1")
with LocalPythonExecutor(policy=Policy(language="off")) as executor:
    say(executor.run("import os, sys\\nhash('{WHEN}'), '/nonexistent' in sys.path, sys.flags.dont_write_bytecode, dict(os.environ)").value)
"""
    number, has_path, flag, environment = answer_of(program)
    assert (has_path, flag) == (False, 0)
    assert "PYTHONHASHSEED" not in environment
    assert answer_of(program.replace('"7"', '"8"'))[0] == number


def test_the_caller_s_own_process_cannot_have_another_clock() -> None:
    with pytest.raises(PolicyError, match="clock needs the jail"):
        LocalPythonExecutor(isolation="inline", policy=Policy(clock=WHEN))
