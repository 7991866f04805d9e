"""What is done when nobody has something any more."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading

import pytest

from fumehood.finalizer import Finalizer


class Thing:
    pass


@pytest.mark.extended
def test_for_what_is_dropped_it_is_done_by_another_thread_and_nobody_waits() -> None:
    may_go_on, done = threading.Event(), threading.Event()
    where: list[threading.Thread] = []

    def say_goodbye(name: str) -> None:
        may_go_on.wait()
        where.append(threading.current_thread())
        assert name == "a thing"
        done.set()

    thing = Thing()
    thing.itself = thing  # type: ignore[attr-defined]  # only the collector finds it
    finalizer = Finalizer(thing, say_goodbye, "a thing")
    del thing
    gc.collect()
    assert not finalizer.is_due and not where
    may_go_on.set()
    assert done.wait(60)
    assert where != [threading.current_thread()]


def test_at_the_end_of_the_program_it_is_done_before_that_ends() -> None:
    program = """
        import time
        from fumehood.finalizer import Finalizer
        class Thing: pass
        thing = Thing()
        finalizer = Finalizer(thing, lambda: (time.sleep(0.2), print("done", flush=True)))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "done\n" and done.stderr == ""
