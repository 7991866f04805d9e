"""Ctrl-C goes to the cell first, and to us when it is pressed again or when there is no cell."""

from __future__ import annotations

import signal

import pytest

from fumehood.cli.interrupts import stopping


class Executor:
    def __init__(self, running):
        self.running = running
        self.asked = 0

    def interrupt(self):
        self.asked += 1
        return self.running


def test_the_first_interrupt_stops_the_cell_and_the_second_ends_everything():
    executor, came = Executor(running=True), []
    with stopping(executor, came):
        signal.raise_signal(signal.SIGINT)
        assert (executor.asked, len(came)) == (1, 1)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert (executor.asked, len(came)) == (1, 2)


def test_without_a_cell_the_first_is_ours():
    came = []
    with pytest.raises(KeyboardInterrupt), stopping(Executor(running=False), came):
        signal.raise_signal(signal.SIGINT)
    assert len(came) == 1


def test_afterwards_interrupts_are_as_before():
    before = signal.getsignal(signal.SIGINT)
    with stopping(Executor(running=True), []):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
