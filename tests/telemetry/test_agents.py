"""Spans and metrics of real agents and executors, in a sandbox and inline."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from fumehood import LocalPythonExecutor

from .conftest import MakeAgent, Telemetry


@pytest.fixture(autouse=True)
def no_complaints(caplog: pytest.LogCaptureFixture) -> Any:
    """OpenTelemetry only logs when a context is left in another place than it was entered in."""
    yield
    assert [
        record.getMessage() for record in caplog.records if record.name.startswith("opentelemetry")
    ] == []


def test_the_whole_of_a_run(telemetry: Telemetry, make_agent: MakeAgent) -> None:
    telemetry.turn_on()

    def look(what: str) -> str:
        """Looks something up."""
        with telemetry.tracer.start_as_current_span(f"looking {what}"):
            return what.upper()

    def fail() -> None:
        """Fails."""
        raise LookupError("not here")

    member = make_agent(
        "final_answer(look('b'))", name="member", description="Helps.", tools=[look]
    )
    lead = make_agent(
        "Plan: look, then ask.",
        "a = look('a')",
        "1 / 0",
        "fail()",
        "final_answer(a + member('Help.'))",
        name="lead",
        tools=[look, fail],
        managed_agents=[member],
        planning_interval=10,
    )
    with telemetry.tracer.start_as_current_span("request"):
        assert lead.run("Go.") == "AB"
    below_member = ["chat replay", "fumehood.cell", ["execute_tool look", ["looking b"]]]
    assert telemetry.tree() == [
        "request",
        [
            "invoke_agent lead",
            [
                *("plan lead", ["chat replay"]),
                *("chat replay", "fumehood.cell", ["execute_tool look", ["looking a"]]),
                *("chat replay", "fumehood.cell"),
                *("chat replay", "fumehood.cell", ["execute_tool fail"]),
                *(
                    "chat replay",
                    "fumehood.cell",
                    ["execute_tool member", ["invoke_agent member", below_member]],
                ),
            ],
        ],
    ]
    assert telemetry.span("execute_tool fail").attributes["error.type"] == "LookupError"
    cells = [
        span.attributes.get("error.type")
        for span in telemetry.spans
        if span.name == "fumehood.cell"
    ]
    assert cells == [None, "ZeroDivisionError", "LookupError", None, None]
    assert telemetry.span("invoke_agent lead").attributes["fumehood.run.steps"] == 4
    called = {
        (by["gen_ai.agent.name"], by["gen_ai.tool.name"]): count
        for by, (count, _) in telemetry.points("gen_ai.execute_tool.duration")
    }
    assert called == {
        ("lead", "look"): 1,
        ("lead", "fail"): 1,
        ("lead", "member"): 1,
        ("member", "look"): 1,
    }
    assert {
        by["gen_ai.agent.name"]: sum
        for by, (_, sum) in telemetry.points("gen_ai.invoke_agent.tool_calls")
    } == {"lead": 3, "member": 1}


def test_a_model_that_fails_is_an_error_of_its_span_and_of_the_run(
    telemetry: Telemetry, make_agent: MakeAgent
) -> None:
    telemetry.turn_on()

    def model(messages: Any) -> str:
        raise ConnectionError("no route")

    result = make_agent(model=model, name="a").run("Go.", return_full_result=True)
    assert result.state == "error"
    assert [span.attributes["error.type"] for span in telemetry.spans] == [
        "AgentGenerationError",
        "ModelError",
    ]
    by, (count, _) = telemetry.points("gen_ai.client.operation.duration")[0]
    assert by["error.type"] == "ModelError" and count == 1


@pytest.mark.long
def test_a_fault_is_told_and_counted(telemetry: Telemetry, make_agent: MakeAgent) -> None:
    telemetry.turn_on()
    make_agent(
        "while True: pass", "final_answer(1)", name="a", executor_kwargs={"timeout_seconds": 1.5}
    ).run("Go.")
    span = next(span for span in telemetry.spans if span.name == "fumehood.cell")
    assert span.attributes["error.type"] == span.attributes["fumehood.cell.fault"] == "timeout"
    assert ({"fumehood.cell.fault": "timeout"}, 1) in telemetry.points("fumehood.cell.faults")


# -- the context of tools


@pytest.fixture
def executor(place: str) -> Any:
    made = LocalPythonExecutor(isolation="inline" if place == "inline" else "jail")
    yield made
    made.close()


def _inside(telemetry: Telemetry) -> Any:
    def look(name: str) -> str:
        """Looks."""
        with telemetry.tracer.start_as_current_span(f"in {name}"):
            time.sleep(0.01)
        return name

    async def alook(name: str) -> str:
        """Looks."""
        with telemetry.tracer.start_as_current_span(f"in {name}"):
            await asyncio.sleep(0.01)
            with telemetry.tracer.start_as_current_span(f"then {name}"):
                return name

    return {"look": look, "alook": alook}


CALLS = {
    "one after the other": ("look('a')\nlook('b')", ["in a"], ["in b"]),
    "in parallel": (
        "import asyncio\nawait asyncio.gather(look.aio('a'), look.aio('b'))",
        ["in a"],
        ["in b"],
    ),
    "asynchronous": (
        "await alook('a')\nawait alook('b')",
        ["in a", ["then a"]],
        ["in b", ["then b"]],
    ),
    "asynchronous, in parallel": (
        "import asyncio\nawait asyncio.gather(alook('a'), alook('b'))",
        ["in a", ["then a"]],
        ["in b", ["then b"]],
    ),
}


@pytest.mark.parametrize("how", CALLS)
def test_what_a_tool_does_is_below_its_call_however_it_is_called(
    telemetry: Telemetry, executor: Any, how: str
) -> None:
    code, first, second = CALLS[how]
    telemetry.turn_on()
    tools = _inside(telemetry)
    executor.send_tools(tools)
    with telemetry.tracer.start_as_current_span("request"):
        assert executor.run(code).error is None
    tree = telemetry.tree()
    assert tree[0] == "request" and tree[1][0] == "fumehood.cell"
    names, below = tree[1][1][0::2], tree[1][1][1::2]
    tool = "execute_tool alook" if "alook" in code else "execute_tool look"
    assert names == [tool, tool] and sorted(below) == [first, second]


def test_agents_run_from_tasks_at_once_do_not_mix(
    telemetry: Telemetry, make_agent: MakeAgent
) -> None:
    telemetry.turn_on()
    names = ("one", "two", "three")
    agents = {
        name: make_agent(
            f"x = look('{name}')", "final_answer(x)", name=name, tools=[_tool(telemetry)]
        )
        for name in names
    }

    async def request(name: str) -> None:
        with telemetry.tracer.start_as_current_span(f"request {name}"):
            assert await agents[name].arun("Go.") == name

    async def main() -> None:
        await asyncio.gather(*(request(name) for name in names))

    asyncio.run(main())
    _check_apart(telemetry, names)


def _tool(telemetry: Telemetry) -> Any:
    return _inside(telemetry)["look"]


def _check_apart(telemetry: Telemetry, names: tuple[str, ...]) -> None:
    expected = {}
    for name in names:
        steps = [
            "chat replay",
            "fumehood.cell",
            ["execute_tool look", [f"in {name}"]],
            "chat replay",
            "fumehood.cell",
        ]
        expected[f"request {name}"] = [f"invoke_agent {name}", steps]
    tree = telemetry.tree()
    assert sorted(tree[0::2], key=str) == sorted(expected)
    assert dict(zip(tree[0::2], tree[1::2], strict=True)) == expected


# -- ends


def test_a_run_that_is_interrupted_leaves_no_span_open(
    telemetry: Telemetry, make_agent: MakeAgent
) -> None:
    on = telemetry.turn_on()
    asked, done = threading.Event(), threading.Event()

    def model(messages: Any) -> str:
        asked.set()
        done.wait(60)
        return "```python\nfinal_answer(1)\n```"

    agent = make_agent(model=model, name="a")
    thread = threading.Thread(target=lambda: (asked.wait(60), agent.interrupt()))
    thread.start()
    assert agent.run("Go.", return_full_result=True).state == "interrupted"
    thread.join()
    assert on._spans._open == {}
    assert telemetry.span("invoke_agent a").attributes["fumehood.run.state"] == "interrupted"
    done.set()


def test_a_tool_that_hangs_past_its_cell_s_end_is_abandoned(telemetry: Telemetry) -> None:
    on = telemetry.turn_on()
    begun, done = threading.Event(), threading.Event()

    def hang() -> None:
        """Hangs."""
        begun.set()
        done.wait(60)

    executor = LocalPythonExecutor()
    executor.send_tools({"hang": hang})
    thread = threading.Thread(target=lambda: (begun.wait(60), executor.interrupt()))
    thread.start()
    assert executor.run("hang()").fault == "killed"
    thread.join()
    assert on._spans._open == {}
    assert telemetry.span("execute_tool hang").attributes["error.type"] == "abandoned"
    done.set()
    executor.close()
