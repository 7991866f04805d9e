"""The time limit returns, whatever the code does about it, in the main thread and in any other. No
test here measures time."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.language import deadline

AWAITING_AND_CATCHING = """
import asyncio
async def f():
    while True:
        try:
            await asyncio.sleep(10_000)
        except BaseException: pass
await f()
"""
STUBBORN = {
    "a busy loop": "while True: pass",
    "catching everything": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    ),
    "a finally that goes on": (
        "def f():\n    while True:\n        try:\n            1 / 0\n        finally:\n           "
        " continue\nf()"
    ),
    "recursion in the handler": (
        "def f():\n    try:\n        while True: pass\n    except BaseException:\n        f()\nf()"
    ),
    "recursion in finally": "def f():\n    try:\n        f()\n    finally:\n        f()\nf()",
    "sleeping": "import time\ntime.sleep(10_000)",
    "sleeping and catching": (
        "import time\nwhile True:\n    try:\n        time.sleep(10_000)\n    except BaseException:"
        " pass"
    ),
    "awaiting": "import asyncio\nawait asyncio.sleep(10_000)",
    "awaiting and catching": AWAITING_AND_CATCHING,
    "a future that never comes": "import asyncio\nawait asyncio.Event().wait()",
    "a generator": (
        "def g():\n    while True:\n        try:\n            yield\n        except BaseException:"
        " pass\nfor _ in g(): pass"
    ),
    "a comprehension": "[0 for _ in iter(int, 1)]",
    "an endless finalizer": (
        "class A:\n    def __del__(self):\n        while True: pass\nA()\nx = 1\nwhile True: pass"
    ),
    "an error whose message never comes": (
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E"
    ),
}


@pytest.mark.parametrize("code", STUBBORN.values(), ids=STUBBORN)
@pytest.mark.parametrize("where", ["main thread", "other thread"])
def test_the_limit_returns(code: str, where: str) -> None:
    # After a finalizer the second cell collects the garbage of the whole process, which other tests
    # have filled: that would take its time.
    gc.freeze()
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=0.5)
    results = []

    def work() -> None:
        results.append(executor.run(code))
        results.append(executor.run("1 + 1"))

    if where == "main thread":
        work()
    else:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    gc.unfreeze()
    first, second = results
    assert first.error is not None
    assert first.fault == "timeout" or first.error.type == "E"
    assert second.value == 2
    assert sys.gettrace() is None or "fumehood" not in repr(sys.gettrace())


def test_a_coroutine_of_a_stopped_cell_does_not_go_on_when_it_is_collected() -> None:
    """In a child process: neither there nor at its end."""
    code = f"""
import gc
from fumehood import LocalPythonExecutor
print(LocalPythonExecutor(isolation="inline", timeout_seconds=0.2).run({AWAITING_AND_CATCHING!r}).fault)
gc.collect()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "timeout\n"


def test_c_code_that_looks_for_signals_is_stopped_in_the_main_thread() -> None:
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=0.2)
    execution = executor.run("import re\nre.match('(a*)*b', 'a' * 60)")
    assert execution.fault == "timeout"


@pytest.mark.parametrize("in_main", [True, False])
def test_interrupt_stops_a_cell_from_another_thread(in_main: bool) -> None:
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=None)
    started = threading.Event()
    executor.send_tools({"started": started.set})
    results = []

    def stop() -> None:
        started.wait()
        assert executor.interrupt()

    def work() -> None:
        results.append(
            executor.run(
                "started()\nwhile True:\n    try:\n        while True: pass\n    except"
                " BaseException: pass"
            )
        )

    first, second = (stop, work) if in_main else (work, stop)
    thread = threading.Thread(target=first)
    thread.start()
    second()
    thread.join()
    assert (results[0].fault, results[0].error.type) == ("killed", "Interrupted")
    assert executor.interrupt() is False


def test_an_interrupt_that_comes_as_the_cell_begins_is_thrown_into_the_cell_alone() -> None:
    """And not into the thread that watches the time, which is just beginning. In a child process:
    there the threads take turns more often."""
    code = """
import sys, threading
from fumehood.language.deadline import Deadline

thrown_elsewhere = []
sys.unraisablehook = thrown_elsewhere.append
sys.setswitchinterval(1e-6)

def loop():
    while True: pass

for _ in range(100):
    limited = Deadline(60)
    thread = threading.Thread(target=limited.run, args=(loop,))
    thread.start()
    while not limited.stop(): pass
    thread.join()
print(limited.reason, len(thrown_elsewhere))
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (child.stdout, child.returncode) == ("interrupt 0\n", 0), child.stderr


def test_an_interrupt_that_comes_as_the_cell_ends_does_not_end_the_process() -> None:
    """Its signal must not arrive when SIGALRM has its default action again."""
    code = """
import signal, threading
from fumehood.language.deadline import Deadline

limited, ended, has_begun = Deadline(None), threading.Event(), threading.Event()
send = signal.pthread_kill

def send_late(*args):
    has_begun.set()
    ended.wait(0.5)  # not set while the end of the cell waits for this signal
    send(*args)

signal.pthread_kill = send_late
stopping = threading.Thread(target=limited.stop)

def function():
    stopping.start()
    has_begun.wait()

limited.run(function)
ended.set()
stopping.join()
print(limited.reason)
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (child.stdout, child.returncode) == ("interrupt\n", 0), child.stderr


def test_an_alarm_of_the_host_s_own_still_reaches_it() -> None:
    """The specification wraps a run in signal.alarm: the handler's exception must come out, past
    code that catches everything."""

    class HostTimeout(Exception):
        pass

    def handler(signum: int, frame: object) -> None:
        raise HostTimeout

    before = signal.signal(signal.SIGALRM, handler)
    try:
        executor = LocalPythonExecutor(isolation="inline", timeout_seconds=60)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(HostTimeout):
            executor.run(
                "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
            )
        assert executor("1").output == 1
        signal.setitimer(signal.ITIMER_REAL, 1000)
        executor.run("x = 1")
        left = signal.setitimer(signal.ITIMER_REAL, 0)[0]
        assert 900 < left <= 1000
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_control_c_stops_the_cell_and_reaches_the_host() -> None:
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=60)
    executor.send_tools(
        {"press": lambda: threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()}
    )
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            executor.run(
                "press()\nwhile True:\n    try:\n        while True: pass\n    except"
                " BaseException: pass"
            )
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert executor("1").output == 1


@pytest.mark.parametrize("hook", [sys.settrace, sys.setprofile])
@pytest.mark.parametrize("event", range(12))
def test_what_is_thrown_late_goes_no_further_and_leaves_no_lock_locked(
    hook: Callable[[Any], None], event: int
) -> None:
    """The exception of a stop arrives after the function has ended, at one of the moments at which
    the trace or the profile is called: in those, statements do not always guard what they
    contain."""
    limited = deadline.Deadline(None)
    escaped: list[BaseException] = []
    left: list[Any] = []
    events = 0

    def throw(frame: object, what: str, argument: object) -> Any:
        nonlocal events
        if limited.is_idle:
            events += 1
            if events == event + 1:
                deadline._throw_into(threading.get_ident(), deadline._Stop)
                for _ in range(10):  # it arrives here
                    pass
        return throw

    def function() -> None:
        limited.reason = "timeout"
        hook(throw)

    def work() -> None:
        try:
            limited.run(function)
        except BaseException as error:
            escaped.append(error)
        left.extend((sys.gettrace(), sys.getprofile()))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert (escaped, left) == ([], [None, None])
    assert limited._lock.acquire(blocking=False)


def test_a_trace_that_the_host_had_set_is_there_again() -> None:
    def trace(frame: object, event: str, arg: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        LocalPythonExecutor(isolation="inline", timeout_seconds=0.1).run("while True: pass")
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_a_quick_cell_is_not_stopped_and_nothing_arrives_later() -> None:
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=1)
    assert executor("1").output == 1
    end = time.monotonic() + 1.2
    while time.monotonic() < end:
        pass
    assert executor("2").output == 2


AMID_THE_END_OF_A_LOOP = """
loop._stopping, loop._thread_id = True, 1
asyncio.events._set_running_loop(loop)
while True: pass
"""


def test_a_stop_amid_the_end_of_a_loop_leaves_one_that_runs_again() -> None:
    policy = Policy(limits=Limits(cell_seconds=0.3))
    with LocalPythonExecutor(policy=policy, on_fault="keep") as executor:
        executor("import asyncio\nloop = asyncio.get_event_loop()\nawait asyncio.sleep(0)")
        assert executor.run(AMID_THE_END_OF_A_LOOP).fault == "timeout"
        assert executor("await asyncio.sleep(0, 5)").output == 5
        assert executor("asyncio.run(asyncio.sleep(0, 6))").output == 6

    def stop_amid_the_end() -> None:
        events._set_running_loop(asyncio.new_event_loop())
        while True:
            pass

    events = asyncio.events
    inline = LocalPythonExecutor(policy=policy, isolation="inline")
    inline.send_tools({"stop_amid_the_end": stop_amid_the_end})
    assert inline.run("stop_amid_the_end()").fault == "timeout"
    assert events._get_running_loop() is None
    assert inline("import asyncio\nawait asyncio.sleep(0, 7)").output == 7


def test_a_session_in_a_process_of_its_own_is_interrupted_by_a_signal() -> None:
    """In a child process: it takes the signals for good."""
    code = """
import threading
from fumehood.language.guarded.session import Session
from fumehood.policy import Policy
session = Session(Policy())
session.deadline.install()
threading.Timer(0.2, session.interrupt).start()
print(session.run("while True: pass").fault, session.run("1 + 1").value, session.interrupt())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["killed", "2", "False"]
