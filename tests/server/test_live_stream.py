"""Runs whose client is told as they go: in order, with an end, and stopped when nobody listens any
more."""

from __future__ import annotations

import httpx
import pytest

from .asking import Client, code_of, until
from .hearing import hearing, told


@pytest.fixture
def sandbox(client: Client) -> str:
    return client.create()


def test_a_run_is_told_from_its_beginning_to_its_end(client: Client, sandbox: str) -> None:
    events = told(client, sandbox, "print('one')\ndisplay({'a': 1})\nprint('two')\n6 * 7")
    assert [event["type"] for event in events if event["type"] != "output"] == [
        "began",
        "display",
        "result",
        "end",
    ]
    assert "".join(event["text"] for event in events if event["type"] == "output") == "one\ntwo\n"
    assert [event["id"] for event in events] == list(range(1, len(events) + 1))
    assert len({event["run"] for event in events}) == 1
    outcome = next(event["outcome"] for event in events if event["type"] == "result")
    assert (outcome["value"], outcome["text"], outcome["logs"], outcome["error"]) == (
        42,
        "42",
        "one\ntwo\n",
        None,
    )


def test_output_is_told_while_the_cell_still_runs(client: Client, sandbox: str) -> None:
    with hearing(client, sandbox, "import time\nprint('here')\ntime.sleep(1000)") as events:
        kinds = [next(events)["type"], next(events)["type"]]
        assert kinds == ["began", "output"]
        assert client.post(f"/v1/sandboxes/{sandbox}/interrupt").json() == {"interrupted": True}
        rest = list(events)
    assert [event["type"] for event in rest] == ["fault", "end"]
    assert rest[0]["outcome"]["fault"] == "killed"


@pytest.mark.parametrize(
    ("code", "kind", "fault"), [("1 / 0", "error", None), ("import socket", "fault", "refused")]
)
def test_a_cell_that_fails_is_told_as_what_it_is(
    client: Client, sandbox: str, code: str, kind: str, fault: str | None
) -> None:
    *_, last, end = told(client, sandbox, code)
    assert (last["type"], last["outcome"]["fault"], end["type"]) == (kind, fault, "end")
    assert last["outcome"]["error"]["message"]


def test_a_cell_is_interrupted_when_its_reader_is_gone(client: Client, sandbox: str) -> None:
    with hearing(
        client,
        sandbox,
        "import time\ngot = [1]\nprint('here')\nwhile True:\n    got.append(1); time.sleep(0.01)",
    ) as events:
        next(events), next(events)
    assert client.value(
        sandbox, "len(got) > 0"
    )  # which waits for its turn: the cell before it has ended


def test_a_cell_goes_on_without_its_reader_if_it_is_to(client: Client, sandbox: str) -> None:
    code = "import time\nprint('here')\ntime.sleep(0.3)\nprint('x' * 3_000_000)\ndone = True"
    with hearing(client, sandbox, code, keep_running=True) as events:
        next(events), next(events)
    assert client.value(sandbox, "done") is True


def test_what_is_refused_before_it_begins_is_an_ordinary_refusal(
    client: Client, other: Client, sandbox: str
) -> None:
    headers = {"accept": "text/event-stream"}
    path = f"/v1/sandboxes/{sandbox}/run"
    assert (
        client.post(path, json={"code": "1", "context": "none"}, headers=headers).status_code == 404
    )
    assert client.post(path, json={"cod": "1"}, headers=headers).status_code == 400
    assert other.post(path, json={"code": "1"}, headers=headers).status_code == 404
    client.post(f"/v1/sandboxes/{sandbox}/pause")
    refused = client.post(path, json={"code": "1"}, headers=headers)
    assert code_of(refused) == (409, "conflict")


@pytest.mark.long
@pytest.mark.extended
def test_a_reader_that_does_not_read_costs_bounded_memory_and_the_cell_still_ends(
    client: Client, sandbox: str
) -> None:
    code = "line = 'x' * 9_999\nfor _ in range(3000):\n    print(line)\n'done'"
    with (
        httpx.Client(base_url=client.base_url, headers=client.headers, timeout=120) as slow,
        hearing(slow, sandbox, code) as events,
    ):
        assert next(events)["type"] == "began"
        # The next call of the same sandbox waits for the cell: that it is answered says that the
        # cell has ended, unread.
        assert client.value(sandbox, "1") == 1
        rest = list(events)
    assert [event["type"] for event in rest][-2:] == ["result", "end"]
    got = sum(len(event["text"]) for event in rest if event["type"] == "output")
    cut = sum(event["characters"] for event in rest if event["type"] == "cut")
    assert got + cut == 3000 * 10_000
    assert cut > 0
    assert rest[-2]["outcome"]["value"] == "done"


def test_a_stream_that_has_nothing_to_tell_says_that_it_is_there(
    client: Client, sandbox: str
) -> None:
    body = {"code": "import time\ntime.sleep(1000)"}
    with client.stream(
        "POST", f"/v1/sandboxes/{sandbox}/run", json=body, headers={"accept": "text/event-stream"}
    ) as answer:
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith(":")) == next(
            line for line in lines if line.startswith(":")
        )


def test_nothing_of_a_stream_is_left_when_it_is_over(client: Client, sandbox: str) -> None:
    told(client, sandbox, "1")

    def streams() -> bool:
        return "fumehood_streams 0.0" in client.get("/metrics").text.splitlines()

    until(streams, "no stream is open")
