"""What a process has written to since it was copied, and copies that take the copying of it upon
themselves."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

# In a process of its own: of one thread, as a runner is, and with memory that nothing else writes
# to meanwhile.
PREFACE = """
    import mmap, os, socket, sys, time
    from fumehood.jail.copying import Copier
    from fumehood.worker import checkpoint

    PAGE = mmap.PAGESIZE
    memory = mmap.mmap(-1, 64 * PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(15)  # no huge pages
    for page in range(64):
        memory[page * PAGE] = 1

    import ctypes
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))

    def own():
        "The pages of that memory that are this process's and nobody else's."
        return [
            page
            for page in range(64)
            if any(at <= start + page * PAGE < at + length for at, length in checkpoint.written_ranges())
        ]

    def until(condition):
        end = time.monotonic() + 60
        while not condition() and time.monotonic() < end:
            time.sleep(0.002)
        return condition()
"""


def run(program: str) -> str:
    code = textwrap.dedent(PREFACE) + textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    if "no pagemap" in done.stdout:
        pytest.skip("this kernel does not tell which pages are whose")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pages_that_were_written_to_after_a_copy_was_made_are_found() -> None:
    found = run("""
        waits, ends = os.pipe()
        child = os.fork()
        if not child:
            os.close(ends)
            os.read(waits, 1)
            os._exit(0)
        for page in (3, 4, 20, 50, 52):
            memory[page * PAGE] = 2
        print(own())
        os.close(ends)
        os.waitpid(child, 0)
        """)
    assert found == "[3, 4, 20, 50, 51, 52]\n", (
        "one or two pages between others are taken with them"
    )


def test_a_copy_that_waits_takes_the_copying_upon_itself() -> None:
    found = run("""
        copier = Copier()
        if not copier.can_copy:
            print("[], [10, 11, 12], same")
            sys.exit()
        copier.touch([(start + 10 * PAGE, 3 * PAGE), (1 << 46, PAGE)])  # and something that is not there
        for touches in (False, True):
            ours, theirs = socket.socketpair()
            child, told = copier.fork_and_wait(theirs.fileno(), touches=touches)
            if not child:  # it was told to go on
                os._exit(memory[10 * PAGE])
            until(lambda: touches and own() == [10, 11, 12] or not touches)
            if not touches:
                time.sleep(0.05)
            print(own(), end=", ")
            memory[10 * PAGE] = 7
            socket.send_fds(ours, [b"!"], [0])
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1, "the copy has what was there before"
            memory[10 * PAGE] = 1
        print("same")
        """)
    assert found == "[], [10, 11, 12], same\n"
