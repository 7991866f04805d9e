"""Calls of tools, seen from inside: numbered, answered in any order, from threads and tasks, and
over when the cell is."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections import deque
from typing import Any

import pytest

from fumehood.wire import messages
from fumehood.worker.runner import Calls, _Waiting


class Wire:
    """A line without a socket: what is sent is kept, what is received is what the test has put
    in."""

    def __init__(self) -> None:
        self.sent: list[messages.CallTool] = []
        self.coming: deque[Any] = deque()
        self.sending = threading.RLock()
        self._changed = threading.Condition()
        self._signal, self._sign = socket.socketpair()
        self.fileno = self._signal.fileno
        """It never becomes readable: `receive` gives what comes."""

    def send(self, message: Any, buffers: Any = ()) -> None:
        with self._changed:
            self.sent.append(message)
            self._changed.notify_all()

    def receive(self, timeout: float | None = None, *, looks: bool = True) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: self.coming, 60 if timeout is None else timeout)
            return (self.coming.popleft(), []) if self.coming else None

    def give(self, *heard: Any) -> None:
        with self._changed:
            self.coming.extend(heard)
            self._changed.notify_all()

    def wait_for_calls(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.sent) >= count, 60)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def calls(wire: Wire) -> Calls:
    made = Calls(
        wire, lambda args, kwargs: ((args, kwargs), []), lambda node, buffers: node, lambda: None
    )  # type: ignore[arg-type]
    made.is_open, made.pid = True, os.getpid()
    return made


def returned(call: int, value: Any) -> messages.ToolReturned:
    return messages.ToolReturned(call=call, value=value)


def test_a_call_gives_what_the_host_returned(calls: Calls, wire: Wire) -> None:
    wire.give(returned(1, "result"))
    assert calls.call("f", (1,), {"k": 2}) == "result"
    assert (wire.sent[0].name, wire.sent[0].arguments) == ("f", ((1,), {"k": 2}))


def test_a_call_raises_what_the_host_raised(calls: Calls, wire: Wire) -> None:
    wire.give(messages.ToolRaised(call=1, error="KeyError", arguments=["k"], message="'k'"))
    with pytest.raises(KeyError) as raised:
        calls.call("f", (), {})
    assert raised.value.args == ("k",)


def test_answers_that_nobody_waits_for_are_dropped(calls: Calls, wire: Wire) -> None:
    wire.give(returned(99, "old"), returned(1, "mine"))
    assert calls.call("f", (), {}) == "mine"


def test_calls_of_many_threads_get_each_their_own_answer_in_any_order(
    calls: Calls, wire: Wire
) -> None:
    results: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda n=n: results.update({n: calls.call("f", (n,), {})}))
        for n in range(10)
    ]
    for thread in threads:
        thread.start()
    wire.wait_for_calls(10)
    wire.give(
        *[returned(message.call, message.arguments[0][0] * 2) for message in reversed(wire.sent)]
    )
    for thread in threads:
        thread.join(60)
    assert results == {n: 2 * n for n in range(10)}


def test_calls_of_tasks_are_answered_while_the_loop_waits(calls: Calls, wire: Wire) -> None:
    async def main() -> list[Any]:
        tasks = [asyncio.ensure_future(calls.acall("f", (n,), {})) for n in range(3)]
        await asyncio.sleep(0)
        wire.give(*[returned(number, number * 10) for number in (3, 1, 2)])
        while not all(task.done() for task in tasks):
            calls.wait_in_loop(0.01)
            await asyncio.sleep(0)
        return [task.result() for task in tasks]

    assert asyncio.run(main()) == [10, 20, 30]
    assert all(message.parallel for message in wire.sent)


def test_a_loop_has_nothing_to_wait_for_without_a_call(calls: Calls) -> None:
    assert calls.wait_in_loop(0) is False


def test_a_request_that_a_waiting_thread_reads_reaches_the_main_loop(
    calls: Calls, wire: Wire
) -> None:
    wire.give(messages.GetVariable(id=5, name="x"), returned(1, "mine"))
    assert calls.call("f", (), {}) == "mine"
    request = calls.next_request()
    assert request is not None
    assert request[0].name == "x"


def test_a_thread_that_still_waits_when_the_cell_ends_is_told(calls: Calls, wire: Wire) -> None:
    errors: list[str] = []

    def work() -> None:
        try:
            calls.call("f", (), {})
        except RuntimeError as error:
            errors.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    wire.wait_for_calls(1)
    calls.is_open = False
    calls.end_cell()
    wire.give(messages.GetVariable(id=5, name="x"))
    thread.join(60)
    assert errors == ["the cell that called the tool has ended"]
    request = calls.next_request()
    assert request is not None
    assert request[0].id == 5


def test_no_call_is_made_between_cells(calls: Calls, wire: Wire) -> None:
    calls.is_open = False
    calls.end_cell()
    with pytest.raises(RuntimeError, match="only while a cell runs"):
        calls.call("f", (), {})
    assert wire.sent == []


def test_a_cell_that_was_stopped_when_it_had_just_begun_to_read_keeps_nobody_from_reading(
    calls: Calls, wire: Wire
) -> None:
    calls.reading.acquire()  # and there came the exception
    calls.is_open = False
    calls.end_cell()
    wire.give(messages.Run(id=1, code="1"))
    received = calls.next_request()
    assert received is not None and received[0].code == "1"


def test_another_thread_that_reads_when_a_cell_ends_goes_on_reading(
    calls: Calls, wire: Wire
) -> None:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(calls.wait_in_loop(20)))
    calls.waiting[7] = waiting = _Waiting()  # a call, so that there is something to read for
    thread.start()
    while calls._reader is None:
        time.sleep(0.001)
    calls.is_open = False
    calls.end_cell()
    assert calls.reading.locked()
    wire.give(returned(1, "late"))
    thread.join(60)
    assert results == [True] and waiting.is_done and waiting.answer is None
