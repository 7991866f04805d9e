"""Tools by callback: code calls, the client answers; once, in time, and only its own."""

from __future__ import annotations

from typing import Any

import pytest

from .asking import Client, code_of, until
from .hearing import PRICE, answer, answering, declare, hearing


@pytest.fixture
def sandbox(client: Client) -> str:
    made = client.create()
    assert declare(client, made, PRICE).status_code == 200
    return made


def test_a_call_is_told_and_its_answer_is_what_the_tool_gives(client: Client, sandbox: str) -> None:
    with hearing(client, sandbox, "price('ACME') * 2") as events:
        got = answering(client, sandbox, events, lambda ticker: {"ACME": 21.5}[ticker])
    assert [event["type"] for event in got] == ["began", "tool_call", "result", "end"]
    call = got[1]
    assert (call["tool"], call["arguments"], call["timeout_seconds"], call["run"]) == (
        "price",
        {"ticker": "ACME"},
        60,
        got[0]["run"],
    )
    assert got[2]["outcome"]["value"] == 43


def test_an_argument_of_a_wrong_type_is_an_error_in_code_and_nobody_is_asked(
    client: Client, sandbox: str
) -> None:
    ran = client.run(sandbox, "price(3)")
    assert ran["error"]["type"] == "TypeError"
    assert "ticker" in ran["error"]["message"]


def test_calls_made_at_once_are_open_at_once_and_answered_in_any_order(
    client: Client, sandbox: str
) -> None:
    code = "import asyncio\nawait asyncio.gather(*[price.aio(str(n)) for n in range(5)])"
    with hearing(client, sandbox, code) as events:
        calls = []
        for event in events:
            if event["type"] == "tool_call":
                calls.append(event)
            if len(calls) == 5:
                break
        listed = client.get(f"/v1/sandboxes/{sandbox}/calls").json()["calls"]
        assert {call["call"] for call in listed} == {call["call"] for call in calls}
        for call in reversed(calls):
            answer(client, sandbox, call["call"], value=float(call["arguments"]["ticker"]))
        result = next(events)
    assert result["outcome"]["value"] == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_arguments_and_answers_that_json_has_no_form_for_are_typed(client: Client) -> None:
    sandbox = client.create()
    declare(
        client,
        sandbox,
        {
            "name": "echo",
            "description": "Gives back what it is given.",
            "inputs": {"x": {"type": "any"}},
        },
    )
    with hearing(client, sandbox, "echo({1: (2, b'three')}) == {1: (2, b'three')}") as events:
        got = answering(client, sandbox, events, lambda x: x)
    assert "$wire" in got[1]["arguments"]["x"]
    assert got[2]["outcome"]["value"] is True


@pytest.mark.parametrize(
    ("kind", "caught"),
    [
        ("KeyError", "KeyError"),
        ("BrokerClosed", "Exception"),
        ("SystemExit", "Exception"),
        ("Stop Iteration", "Exception"),
    ],
)
def test_an_error_is_raised_where_code_made_the_call(
    client: Client, sandbox: str, kind: str, caught: str
) -> None:
    code = f"try:\n    price('ACME')\nexcept {caught} as error:\n    found = str(error)\nfound"
    with hearing(client, sandbox, code) as events:
        for event in events:
            if event["type"] == "tool_call":
                answered = answer(
                    client, sandbox, event["call"], error={"type": kind, "message": "no such share"}
                )
                assert answered.status_code == 204
            elif event["type"] == "result":
                assert "no such share" in event["outcome"]["value"]
                break
        else:
            pytest.fail("the cell did not end well")


def test_a_call_that_nobody_answers_in_time_is_a_timeout_in_code(
    client: Client, sandbox: str
) -> None:
    declare(client, sandbox, {**PRICE, "timeout_seconds": 0.1})
    with hearing(client, sandbox, "price('ACME')") as events:
        heard = [*events]
    (call,) = [event["call"] for event in heard if event["type"] == "tool_call"]
    (error,) = [event["outcome"]["error"] for event in heard if event["type"] == "error"]
    assert error["type"] == "TimeoutError"
    assert "price was not answered within 0.1 seconds" in error["message"]
    late = answer(client, sandbox, call, value=1)
    assert code_of(late) == (410, "gone")


def test_an_answer_is_taken_once_and_only_for_a_call_that_is_open(
    client: Client, other: Client, sandbox: str
) -> None:
    assert code_of(answer(client, sandbox, "0" * 24, value=1)) == (404, "not_found")
    with hearing(client, sandbox, "price('a') + price('b')") as events:
        next(events)
        call = next(events)["call"]
        assert code_of(answer(other, sandbox, call, value=1)) == (404, "not_found")
        assert code_of(answer(client, client.create(), call, value=1)) == (404, "not_found")
        assert code_of(client.post(f"/v1/sandboxes/{sandbox}/calls/{call}", json={})) == (
            400,
            "invalid",
        )
        assert code_of(answer(client, sandbox, call, value=1, error={"message": "both"})) == (
            400,
            "invalid",
        )
        assert answer(client, sandbox, call, value=1).status_code == 204
        assert code_of(answer(client, sandbox, call, value=2)) == (409, "conflict")
        second = next(events)["call"]
        answer(client, sandbox, second, value=10)
        assert next(events)["outcome"]["value"] == 11


def test_a_call_that_is_open_when_its_cell_is_interrupted_is_over(
    client: Client, sandbox: str
) -> None:
    with hearing(client, sandbox, "price('a')") as events:
        next(events)
        call = next(events)["call"]
        client.post(f"/v1/sandboxes/{sandbox}/interrupt")
        assert [event["type"] for event in events] == ["fault", "end"]
    until(
        lambda: not client.get(f"/v1/sandboxes/{sandbox}/calls").json()["calls"], "no call is open"
    )
    assert code_of(answer(client, sandbox, call, value=1)) == (410, "gone")


def test_a_fork_has_the_tools_and_its_calls_are_its_own(client: Client, sandbox: str) -> None:
    (fork,) = client.post(f"/v1/sandboxes/{sandbox}/fork", json={"number": 1}).json()["sandboxes"]
    client.made.append(fork["id"])
    with hearing(client, fork["id"], "price('ACME')") as events:
        next(events)
        call = next(events)["call"]
        assert client.get(f"/v1/sandboxes/{sandbox}/calls").json() == {"calls": []}
        assert code_of(answer(client, sandbox, call, value=1)) == (404, "not_found")
        assert answer(client, fork["id"], call, value=1).status_code == 204
        assert next(events)["outcome"]["value"] == 1


def test_arguments_that_are_too_large_for_a_client_are_an_error_in_code(client: Client) -> None:
    sandbox = client.create()
    declare(
        client,
        sandbox,
        {"name": "take", "description": "Takes it.", "inputs": {"x": {"type": "any"}}},
    )
    ran = client.run(sandbox, "take('x' * 2_000_000)")
    assert ran["error"]["type"] == "ValueError"
    assert "1,048,576 bytes are the most" in ran["error"]["message"]


def test_so_many_calls_may_be_open_and_no_more(client: Client, sandbox: str) -> None:
    code = (
        "import asyncio\nasync def one():\n    try:\n        return await price.aio('a')\n   "
        " except Exception as error:\n        print(error)\nanswers = await asyncio.gather(*[one()"
        " for _ in range(80)])\nlen([answer for answer in answers if answer])"
    )
    calls, printed = [], ""
    with hearing(client, sandbox, code) as events:
        for event in events:
            if event["type"] == "tool_call":
                calls.append(event["call"])
            printed += event.get("text", "")
            if len(calls) == 64 and printed.count("\n") == 16:
                break
        assert set(printed.splitlines()) == {
            "64 calls wait for their answers already, and no more may at once"
        }
        for call in calls:
            assert answer(client, sandbox, call, value=1.0).status_code == 204
        assert next(events)["outcome"]["value"] == 64


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "no name", "description": "x"},
        {"name": "print", "description": "x"},
        {"name": "x", "description": " "},
        {"name": "x", "description": "x", "inputs": {"a": {"type": "nothing"}}},
        {"name": "x", "description": "x", "inputs": {"a b": {"type": "any"}}},
        {"name": "x", "description": "x", "timeout_seconds": 0},
        {"name": "x", "description": "x", "output": "any"},
    ],
)
def test_a_tool_that_cannot_be_is_refused_with_its_reason(
    client: Client, sandbox: str, tool: dict[str, Any]
) -> None:
    assert code_of(declare(client, sandbox, tool)) == (400, "invalid")
    assert client.value(sandbox, "1") == 1
