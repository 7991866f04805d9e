"""How fast a large array goes into a sandbox and comes back, beside what the machine does without
any sandbox.

The references are copied memory, and the same bytes through a plain pair of sockets to another
Python process that only takes them.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import ExitStack

from side_by_side import Bar, Figure, Measure, interleave

from fumehood import LocalPythonExecutor

SENT, FETCHED = "fumehood, sent in", "fumehood, fetched"
BAR = 1e9
TAKER = """
import socket, sys
taker = socket.socket(fileno=int(sys.argv[1]))
room = memoryview(bytearray(int(sys.argv[2])))
while True:
    filled = 0
    while filled < len(room):
        count = taker.recv_into(room[filled:])
        if not count:
            sys.exit()
        filled += count
    taker.sendall(b"k")
"""


def throughput(quick: bool) -> Figure:
    import numpy as np

    size = 10_000_000 if quick else 100_000_000
    array = np.random.default_rng(0).random(size // 8)
    size = array.nbytes
    target = np.zeros_like(array)
    with ExitStack() as stack:
        jail = stack.enter_context(LocalPythonExecutor(["numpy"]))
        jail.send_variables({"array": array})
        assert jail.run("float(array.sum())").value == float(array.sum())
        assert np.array_equal(jail.state["array"], array)
        ours = stack.enter_context(plain_taker(stack, size))

        def send_plainly() -> None:
            ours.sendall(array.data.cast("B"))
            assert ours.recv(1) == b"k"

        sides: dict[str, Measure] = {
            SENT: per_second(size, lambda: jail.send_variables({"array": array})),
            FETCHED: per_second(size, lambda: jail.state["array"]),
            "memory copied": per_second(size, lambda: np.copyto(target, array)),
            "memory copied to a new place": per_second(size, array.copy),
            "plain pair of sockets": per_second(size, send_plainly),
        }
        measured = interleave(sides, batches=3 if quick else 10)
    title = f"A float64 array of {size / 1e6:.0f} MB, host to sandbox and back"
    return Figure("array", title, "bytes per second", measured, (Bar(SENT, BAR), Bar(FETCHED, BAR)))


def plain_taker(stack: ExitStack, size: int) -> socket.socket:
    """A socket to a process that takes `size` bytes at a time and answers each time with one."""
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, "-I", "-c", TAKER, str(theirs.fileno()), str(size)]
        taker = subprocess.Popen(command, pass_fds=[theirs.fileno()])
    stack.callback(taker.wait)
    return ours


def per_second(size: int, action: object) -> Measure:
    def measure() -> float:
        started = time.perf_counter()
        kept = action()  # type: ignore[operator]
        seconds = time.perf_counter() - started
        del kept  # giving memory back is not part of the trip
        return size / seconds

    return measure
