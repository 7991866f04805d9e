"""A WebSocket to a sandbox: the same as requests and events, both ways; for its owner only, and
never without bounds."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fumehood.attack.server.client import CONTINUATION, frame
from fumehood.attack.server.client import Client as RawClient
from fumehood.server.server import Server
from fumehood.server.settings import Settings

from ..serving import Served
from .asking import Client, until
from .conftest import KEYS
from .hearing import PRICE, Socket, talking


@pytest.fixture
def sandbox(client: Client) -> str:
    return client.create()


@pytest.fixture
def socket(server: Served, sandbox: str) -> Iterator[Socket]:
    with talking(server, sandbox, KEYS["alice"]) as made:
        ready = made.next()
        assert (ready["type"], ready["sandbox"], ready["id"]) == ("ready", sandbox, 1)
        yield made


def hung_up(socket: Socket) -> tuple[int, str]:
    """With what code and words the server ends the connection."""
    with pytest.raises(ConnectionClosed) as closed:
        all(iter(socket.next, None))
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_a_run_is_told_from_its_beginning_to_its_end(socket: Socket) -> None:
    socket.send("run", run="first", code="print('hello')\n6 * 7")
    events = socket.until("end")
    assert [event["type"] for event in events] == ["began", "output", "result", "end"]
    assert {event["run"] for event in events} == {"first"}
    assert events[2]["outcome"]["value"] == 42


def test_tools_are_declared_called_and_answered(socket: Socket) -> None:
    socket.send("tools", tools=[PRICE], request="t")
    assert socket.next()["request"] == "t"
    socket.send("run", run="r", code="price('ACME') * 2")
    *_, call = socket.until("tool_call")
    assert (call["tool"], call["arguments"], call["run"]) == ("price", {"ticker": "ACME"}, "r")
    socket.send("answer", call=call["call"], value=21, request="a")
    kinds = {event["type"]: event for event in socket.until("end")}
    assert kinds["result"]["outcome"]["value"] == 42
    assert kinds["done"]["request"] == "a"
    socket.send("answer", call=call["call"], value=21, request="b")
    refused = socket.next()
    assert (refused["type"], refused["status"], refused["request"]) == ("refused", 409, "b")


def test_a_call_made_by_another_s_run_is_told_to_whoever_listens(
    client: Client, sandbox: str, socket: Socket
) -> None:
    client.post(f"/v1/sandboxes/{sandbox}/tools", json={"tools": [PRICE]})
    socket.send("run", run="r", code="import time\nprint('here')\ntime.sleep(1000)")
    socket.until("output")
    socket.send("interrupt", request="i")
    socket.until("end")
    answered = client.build_request(
        "POST", f"/v1/sandboxes/{sandbox}/run", json={"code": "price('ACME')"}
    )
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(client.send(answered).json()["value"]))
    thread.start()
    *_, call = socket.until("tool_call")
    socket.send("answer", call=call["call"], value=7)
    thread.join(60)
    assert results == [7]


def test_variables_are_set_and_got_typed(socket: Socket) -> None:
    socket.send(
        "variables", set={"a": 1, "b": {"$wire": ["tuple", 1, 2]}}, get=["b", "a"], request="v"
    )
    done = socket.next()
    assert (done["type"], done["request"], done["values"]) == (
        "done",
        "v",
        {"b": {"$wire": ["tuple", 1, 2]}, "a": 1},
    )
    socket.send("variables", get=["missing"], request="w")
    refused = socket.next()
    assert (refused["type"], refused["status"], refused["error"]) == ("refused", 404, "not_found")


def test_an_interruption_stops_what_runs(socket: Socket) -> None:
    socket.send("run", run="r", code="import time\nprint('here')\ntime.sleep(1000)")
    socket.until("output")
    socket.send("interrupt", request="i")
    fault = next(event for event in socket.until("end") if event["type"] == "fault")
    assert fault["outcome"]["fault"] == "killed"


def test_a_cell_is_interrupted_when_its_connection_is_lost(
    server: Served, client: Client, sandbox: str
) -> None:
    with talking(server, sandbox, KEYS["alice"]) as socket:
        socket.send("run", run="r", code="import time\nx = 1\nprint('here')\ntime.sleep(1000)")
        socket.until("output")
    assert client.value(sandbox, "x") == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": "dance"}',
        '{"type": "run"}',
        '{"type": "run", "code": 3, "run": "x"}',
        '{"type": "ping", "x": 1}',
        "[" * 5000,
    ],
)
def test_a_message_that_is_none_is_refused_and_the_connection_goes_on(
    socket: Socket, text: str
) -> None:
    socket.send_text(text)
    refused = socket.next()
    assert (refused["type"], refused["status"], refused["error"]) == ("refused", 400, "invalid")
    socket.send("ping", request="p")
    assert socket.next()["request"] == "p"


def test_a_message_may_be_so_large_and_no_larger(socket: Socket) -> None:
    socket.send(
        "run", run="r", code="#" * 400_000
    )  # the test's server takes bodies of 300,000 bytes
    assert hung_up(socket)[0] == 1009


def test_a_message_may_come_in_pieces_but_not_in_any_number(server: Served, sandbox: str) -> None:
    raw = RawClient(server.port, 60)
    with raw.websocket(f"/v1/sandboxes/{sandbox}/live", KEYS["alice"]) as line:
        line.until(b"ready")
        line.send(
            frame(b'{"type": ', last=False),
            frame(b"", CONTINUATION, last=False) * 5_000,
            frame(b'"ping"}', CONTINUATION),
        )
        assert b"done" in line.until(b"done")
        line.send(frame(b"{", last=False), frame(b"", CONTINUATION, last=False) * 12_000)
        assert b"\x03\xf1" in line.until(b"\x88"), "1009: too much"


def test_so_many_messages_may_be_under_way_and_no_more(socket: Socket) -> None:
    socket.send("run", run="first", code="import time\nprint('here')\ntime.sleep(1000)")
    socket.until("output")
    for number in range(32):
        socket.send("run", run=str(number), code="1")
    refused = socket.next()
    assert (refused["type"], refused["status"], refused["request"]) == ("refused", 429, "31")


@pytest.mark.long
@pytest.mark.extended
def test_a_client_that_sends_and_does_not_read_is_hung_up_on(server: Served, sandbox: str) -> None:
    def flood(socket: Socket) -> None:
        for _ in range(2_000_000):
            socket.send("nothing", text="x" * 200)

    with (
        talking(server, sandbox, KEYS["alice"], max_queue=1, close_timeout=0.1) as socket,
        pytest.raises(ConnectionClosed),
    ):
        flood(socket)


def test_the_end_of_a_sandbox_is_told_and_ends_the_connection(
    client: Client, sandbox: str, socket: Socket
) -> None:
    client.delete(f"/v1/sandboxes/{sandbox}")
    assert socket.next()["type"] == "over"
    assert hung_up(socket) == (1000, "the sandbox has ended")


# -- who it is


@pytest.mark.parametrize(("key", "status"), [("bob", 404), ("nobody", 401)])
def test_another_s_sandbox_is_not_there(
    server: Served, sandbox: str, key: str, status: int
) -> None:
    with pytest.raises(InvalidStatus) as refused, talking(server, sandbox, KEYS.get(key, "x" * 40)):
        pass
    assert refused.value.response.status_code == status
    assert json.loads(refused.value.response.body or b"{}")["code"] == status


def test_a_client_without_headers_says_who_it_is_in_its_first_message(
    server: Served, sandbox: str
) -> None:
    with talking(server, sandbox, None) as socket:
        socket.send("authenticate", key=KEYS["alice"])
        assert socket.next()["type"] == "ready"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "authenticate", "key": "wrong"}, 4401),
        ({"type": "run", "run": "r", "code": "1"}, 4401),
        ({"type": "authenticate", "key": KEYS["bob"]}, 4404),
    ],
)
def test_a_client_that_says_it_wrongly_is_hung_up_on(
    server: Served, sandbox: str, message: dict[str, str], code: int
) -> None:
    with talking(server, sandbox, None) as socket:
        socket.send_text(json.dumps(message))
        assert hung_up(socket)[0] == code


def test_so_many_connections_to_a_sandbox_and_no_more(
    server: Served, client: Client, sandbox: str
) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            assert (
                stack.enter_context(talking(server, sandbox, KEYS["alice"])).next()["type"]
                == "ready"
            )
        with talking(server, sandbox, KEYS["alice"]) as one_more:
            assert hung_up(one_more)[0] == 4429
    until(lambda: "fumehood_streams 0.0" in client.get("/metrics").text, "all are closed")


@pytest.mark.parametrize("header", [(b"origin", b"http://example.org"), (b"host", b"example.org")])
def test_a_page_of_a_browser_reaches_no_server_without_keys(header: tuple[bytes, bytes]) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    scope = {
        "type": "websocket",
        "path": f"/v1/sandboxes/{'0' * 25}/live",
        "headers": [header],
        "client": ("127.0.0.1", 1),
        "extensions": {"websocket.http.response": {}},
    }
    asyncio.run(Server(Settings(log="none")).app(scope, receive, send))
    assert [message["type"] for message in sent] == [
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert sent[0]["status"] == 403
