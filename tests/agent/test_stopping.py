"""Ending a run that goes on: by a limit, by somebody, by a signal; wherever it is."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import AgentInterrupted, AgentTimeout, CodeAgent
from fumehood.agent.events import OutputArrived, RunFinished, TextArrived
from fumehood.models.base import Cancellation, Cancelled, Model
from fumehood.models.messages import ChatMessage

from .conftest import MakeAgent, turn

ENDLESS = "print('going', flush=True)\nwhile True:\n    pass"


class Silent(Model):
    """Never answers, unless it is cancelled."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.was_cancelled = threading.Event()

    def generate(self, messages: Any, cancel: Cancellation | None = None) -> ChatMessage:  # type: ignore[override]
        self.was_cancelled.clear()
        self.asked.set()
        assert cancel is not None
        with cancel.closing(self.was_cancelled.set):
            self.was_cancelled.wait()
        raise Cancelled


def when(happened: threading.Event, do: Callable[[], Any]) -> threading.Thread:
    def work() -> None:
        assert happened.wait(60)
        do()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_an_interruption_ends_the_call_of_a_model(make_agent: MakeAgent) -> None:
    model = Silent()
    agent = make_agent(model=model)
    when(model.asked, agent.interrupt)
    with pytest.raises(AgentInterrupted):
        agent.run("Go.")
    assert model.was_cancelled.is_set()


def test_a_model_that_cannot_be_cancelled_is_left_to_itself(make_agent: MakeAgent) -> None:
    asked, release = threading.Event(), threading.Event()

    def model(messages: Any) -> str:
        asked.set()
        release.wait(60)
        return turn("final_answer(1)")

    agent = make_agent(model=model)
    when(asked, agent.interrupt)
    try:
        with pytest.raises(AgentInterrupted):
            agent.run("Go.")
    finally:
        release.set()
    assert agent.run("Again.") == 1


def test_an_interruption_ends_a_cell_and_the_agent_can_be_asked_again(
    make_agent: MakeAgent,
) -> None:
    printed = threading.Event()

    def observe(event: Any) -> None:
        if isinstance(event, OutputArrived):
            printed.set()

    agent = make_agent("x = 1", ENDLESS, "final_answer(x)", on_event=observe)
    when(printed, agent.interrupt)
    result = agent.run("Go.", return_full_result=True)
    assert result.state == "interrupted" and len(result.steps) == 2
    assert agent.run("Again.") == 1


@pytest.mark.parametrize("where", ["model", "cell"])
def test_the_time_of_a_run_ends_it_wherever_it_is(make_agent: MakeAgent, where: str) -> None:
    says = ENDLESS  # until the first run has ended, even if that comes to no cell
    agent = make_agent(model=Silent() if where == "model" else lambda messages: turn(says))
    with pytest.raises(AgentTimeout, match=r"0\.3 seconds"):
        agent.run("Go.", timeout=0.3)
    says = "final_answer(7)"
    if where == "cell":
        assert agent.run("Go.") == 7


@pytest.mark.parametrize("where", ["model", "cell"])
def test_a_signal_handler_s_exception_ends_the_run(make_agent: MakeAgent, where: str) -> None:
    """As the specification shows it: an alarm whose handler raises."""

    def handler(number: int, frame: Any) -> None:
        raise TimeoutError("Agent execution timed out")

    agent = make_agent(model=Silent()) if where == "model" else make_agent(ENDLESS)
    before = signal.signal(signal.SIGALRM, handler)
    if agent.executor_type == "inline" and where == "cell":
        signal.signal(signal.SIGALRM, before)
        pytest.skip("inline, the alarm is the cell's own time limit")
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError, match="Agent execution timed out"):
            agent.run("Go.")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert agent.interrupt() is False, "nothing is left running"


def test_cancelling_an_awaited_run_interrupts_it(make_agent: MakeAgent) -> None:
    model = Silent()
    agent = make_agent(model=model)

    async def main() -> None:
        task = asyncio.create_task(agent.arun("Go."))
        await asyncio.to_thread(model.asked.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert model.was_cancelled.is_set() and agent.interrupt() is False


# -- events


def test_events_come_in_order_and_end_with_the_result(make_agent: MakeAgent) -> None:
    agent = make_agent("print('hello')", "final_answer(2)")
    events = list(agent.run("Go.", stream=True))
    kinds = [type(event).__name__ for event in events if not isinstance(event, TextArrived)]
    step = ["StepStarted", "CodeParsed", "StepFinished"]
    assert [kind for kind in kinds if kind != "OutputArrived"] == [
        "RunStarted",
        *step,
        *step,
        "RunFinished",
    ]
    assert "".join(event.text for event in events if isinstance(event, OutputArrived)) == "hello\n"
    assert isinstance(events[-1], RunFinished) and events[-1].result.output == 2


def test_closing_the_events_interrupts_the_run(make_agent: MakeAgent) -> None:
    agent = make_agent("x = 1", ENDLESS, "final_answer(x)")
    with agent.run("Go.", stream=True) as events:
        for event in events:
            if isinstance(event, OutputArrived):
                break
    assert agent.interrupt() is False
    assert agent.run("Again.") == 1


def test_events_that_nobody_reads_do_not_keep_the_agent_busy(make_agent: MakeAgent) -> None:
    model = Silent()
    agent = make_agent(model=model)
    stream = agent.run("Go.", stream=True)
    assert model.asked.wait(60)
    del stream
    assert model.was_cancelled.wait(60)


# -- teams


def test_a_lead_that_is_interrupted_ends_the_work_of_its_members(make_agent: MakeAgent) -> None:
    model = Silent()
    member = make_agent(model=model, name="member", description="Waits.")
    lead = make_agent("final_answer(member('Wait.'))", managed_agents=[member])
    when(model.asked, lead.interrupt)
    with pytest.raises(AgentInterrupted):
        lead.run("Go.")
    assert model.was_cancelled.wait(60)
    assert isinstance(member, CodeAgent)
