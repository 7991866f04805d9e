"""What a client of the live half does: reads events as they come, answers calls, talks over a
WebSocket."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from ..serving import Served

Event = dict[str, Any]


@contextmanager
def hearing(
    client: httpx.Client, sandbox: str, code: str, **options: Any
) -> Iterator[Iterator[Event]]:
    """The events of a run, as they come; leaving the block early hangs up."""
    body = {"code": code, **options}
    headers = {"accept": "text/event-stream"}
    with client.stream(
        "POST", f"/v1/sandboxes/{sandbox}/run", json=body, headers=headers
    ) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events_of(answer.iter_lines())


def events_of(lines: Iterator[str]) -> Iterator[Event]:
    """Server-sent events, by the rules of their standard as far as they are used; what they say
    twice must be the same."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            assert name not in fields, f"two lines of {name} in one event"
            fields[name] = value
            continue
        if fields:
            event = json.loads(fields["data"])
            assert (event["type"], str(event["id"])) == (fields["event"], fields["id"])
            yield event
            fields = {}


def told(client: httpx.Client, sandbox: str, code: str, **options: Any) -> list[Event]:
    """All events of a run."""
    with hearing(client, sandbox, code, **options) as events:
        return list(events)


def answer(client: httpx.Client, sandbox: str, call: str, **reply: Any) -> httpx.Response:
    return client.post(f"/v1/sandboxes/{sandbox}/calls/{call}", json=reply)


def answering(
    client: httpx.Client, sandbox: str, events: Iterator[Event], reply: Callable[..., Any]
) -> list[Event]:
    """All events of a run, each call answered with what the function gives for its arguments."""
    got = []
    for event in events:
        got.append(event)
        if event["type"] == "tool_call":
            assert (
                answer(
                    client, sandbox, event["call"], value=reply(**event["arguments"])
                ).status_code
                == 204
            )
    return got


def declare(
    client: httpx.Client, sandbox: str, *tools: dict[str, Any], context: str | None = None
) -> httpx.Response:
    return client.post(
        f"/v1/sandboxes/{sandbox}/tools", json={"tools": [*tools], "context": context}
    )


PRICE: dict[str, Any] = {
    "name": "price",
    "description": "The price of a share.",
    "inputs": {"ticker": {"type": "string", "description": "Its symbol."}},
    "output_type": "number",
}


class Socket:
    """A WebSocket to a sandbox."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def send(self, kind: str, **fields: Any) -> None:
        self._connection.send(json.dumps({"type": kind, **fields}))

    def send_text(self, text: str | bytes) -> None:
        self._connection.send(text)

    def next(self, seconds: float = 60) -> Event:
        event: Event = json.loads(self._connection.recv(seconds))
        return event

    def until(self, kind: str) -> list[Event]:
        """Events up to the first of a kind."""
        got = [self.next()]
        while got[-1]["type"] != kind:
            got.append(self.next())
        return got

    def close(self) -> None:
        self._connection.close()


@contextmanager
def talking(server: Served, sandbox: str, key: str | None, **options: Any) -> Iterator[Socket]:
    """A connection to a sandbox, its first event not yet read. Without a key, it is still to be
    said who it is."""
    headers = {} if key is None else {"X-API-Key": key}
    url = f"{server.url.replace('http', 'ws', 1)}/v1/sandboxes/{sandbox}/live"
    with connect(url, additional_headers=headers, open_timeout=60, **options) as connection:
        yield Socket(connection)
