"""The protocol: what may come when, with which fields; and messages that are refused. The fuzzer's
targets `streams` and `messages` try other bytes."""

from __future__ import annotations

import json
import re
import struct
import tracemalloc
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import JailUnavailable, LocalPythonExecutor
from fumehood.errors import WorkerProtocolError
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, encode_frame
from fumehood.wire.messages import CallTool, Display, Done, Failed, Finished, Message, Ready
from fumehood.wire.protocol import (
    MOST_CALLS,
    Conversation,
    HostConversation,
    parse_from_host,
    parse_from_worker,
    plain_end,
    plain_header,
)
from fumehood.wire.values import Decoder

from ..executors.conftest import skip_where_there_is_no_jail

BOUNDS = Bounds(header=1 << 16, buffers=100, frame=1 << 17)


def host() -> HostConversation:
    return HostConversation(BOUNDS, parse_from_worker)


def opened() -> HostConversation:
    conversation = host()
    hear(conversation, Ready(protocol=messages.PROTOCOL))
    return conversation


def running() -> HostConversation:
    conversation = opened()
    conversation.send(messages.Run(id=1, code=""))
    return conversation


def hear(conversation: Conversation, *heard: Message) -> list[str]:
    """What the conversation makes of messages; their types."""
    for message in heard:
        conversation.reader.feed(b"".join(map(bytes, encode_frame(plain_header(message), []))))
    types = []
    while (received := conversation.next_message()) is not None:
        types.append(received[0].type)
    return types


def everything(conversation: Conversation, data: bytes) -> Iterator[tuple[Any, list[Any]]]:
    """The messages in bytes that come all at once, as the ends of a wire take them."""
    received = conversation.take(data)
    while received is not None:
        yield received
        received = conversation.next_message()


CALL = CallTool(call=1, name="f", arguments=None)


def test_a_cell_with_calls_and_displays_is_heard_to_its_end() -> None:
    conversation = running()
    assert hear(
        conversation, CALL, Display(bundle=None), CallTool(call=2, name="g", arguments=None)
    ) == [
        "call_tool",
        "display",
        "call_tool",
    ]
    conversation.send(messages.ToolReturned(call=1, value=None))
    conversation.send(messages.ToolRaised(call=2, error="E", arguments=None, message=""))
    assert hear(conversation, Finished(id=1)) == ["finished"]


UNEXPECTED: dict[str, tuple[Any, list[Message]]] = {
    "anything before it is ready": (host, [Done(id=1)]),
    "an answer before it is ready": (
        lambda: _asked(host(), messages.Open(id=1, policy={})),
        [Done(id=1)],
    ),
    "a call before it is ready": (host, [CALL]),
    "ready twice": (opened, [Ready(protocol=messages.PROTOCOL)]),
    "another protocol": (host, [Ready(protocol=99)]),
    "a display without a cell": (opened, [Display(bundle=None)]),
    "an end without a cell": (opened, [Finished(id=1)]),
    "the end of another cell": (running, [Finished(id=2)]),
    "an end twice": (running, [Finished(id=1), Finished(id=1)]),
    "a display after the end": (running, [Finished(id=1), Display(bundle=None)]),
    "the end of code without a cell": (opened, [messages.CodeEnded()]),
    "the end of code twice": (running, [messages.CodeEnded(), messages.CodeEnded()]),
    "an answer to nothing": (opened, [Done(id=1)]),
    "a failure of nothing": (opened, [Failed(id=1, error="E", message="")]),
    "an answer twice": (
        lambda: _asked(opened(), messages.GetVariable(id=7, name="x")),
        [Done(id=7), Done(id=7)],
    ),
    "an answer and a failure": (
        lambda: _asked(opened(), messages.GetVariable(id=7, name="x")),
        [Done(id=7), Failed(id=7, error="E", message="")],
    ),
    "an answer with another number": (
        lambda: _asked(opened(), messages.GetVariable(id=7, name="x")),
        [Done(id=8)],
    ),
    "two calls of one number": (running, [CALL, CALL]),
    "broken in the middle of a cell": (running, [messages.Broken(message="no")]),
}


def _asked(conversation: HostConversation, message: Message) -> HostConversation:
    conversation.send(message)
    return conversation


@pytest.mark.parametrize(("make", "heard"), UNEXPECTED.values(), ids=UNEXPECTED.keys())
def test_a_message_that_nobody_expects_is_refused(make: Any, heard: list[Message]) -> None:
    with pytest.raises(WorkerProtocolError):
        hear(make(), *heard)


def test_a_number_can_be_used_again_when_its_call_was_answered() -> None:
    conversation = running()
    for _ in range(3):
        assert hear(conversation, CALL) == ["call_tool"]
        conversation.send(messages.ToolReturned(call=1, value=None))


def test_a_call_between_cells_breaks_the_protocol() -> None:
    conversation = running()
    with pytest.raises(WorkerProtocolError, match="while no cell was running"):
        hear(conversation, Finished(id=1), CALL)


def test_only_so_many_calls_may_wait_at_once() -> None:
    conversation = running()
    hear(conversation, *[CallTool(call=n, name="f", arguments=None) for n in range(MOST_CALLS)])
    with pytest.raises(WorkerProtocolError, match="too many"):
        hear(conversation, CallTool(call=MOST_CALLS, name="f", arguments=None))


SENT: list[Message] = [
    messages.Confine(ceiling={"imports": []}, policy={"imports": []}),
    messages.Open(id=1, policy={"imports": []}),
    messages.Run(id=1, code="1", released=[4]),
    messages.AddTools(id=2, tools=[{"name": "f"}], mathematics=True),
    messages.Authorize(id=2, imports=["numpy"], path=["/packages/a"]),
    messages.SetVariables(id=3, variables=["dict"]),
    messages.GetVariable(id=4, name="x"),
    messages.DeleteVariable(id=5, name="x"),
    messages.ListVariables(id=6, functions=True),
    messages.WriteFile(id=7, path="a", content=["bytes", ""]),
    messages.ReadFile(id=8, path="a", most=9),
    messages.ListFiles(id=9, most=9),
    messages.SetEnvironment(id=9, variables={"A": "b", "C": None}),
    messages.LookAt(id=9, path="a"),
    messages.ListEntries(id=9, path="a", depth=1, most=9),
    messages.MakeDirectory(id=9, path="a"),
    messages.RenameFile(id=9, path="a", to="b"),
    messages.RemoveFile(id=9, path="a"),
    messages.WatchFiles(id=9, path="a", recursive=True),
    messages.Command(id=9, end=10, arguments=["ls"], cwd="/home/user", environment={"A": "b"}),
    messages.SignalCommand(id=10, command=9, number=15),
    messages.ResizeTerminal(id=10, command=9, columns=80, rows=24),
    messages.KeepCheckpoint(),
    messages.SaveState(id=15),
    messages.LoadState(id=16, payload=["bytes", ""]),
    messages.Resume(id=14),
    messages.Branch(id=11, place=3, own_random=True, seed=5),
    messages.DropLabs(id=13, places=[1, 2]),
    messages.ToolReturned(call=1, value=None),
    messages.ToolRaised(call=2, error="E", arguments=["list"], message="m"),
]


def test_every_message_of_the_host_is_read_by_the_worker() -> None:
    assert {type(message) for message in SENT} == {*messages.FROM_HOST}
    for message in SENT:
        worker = Conversation(BOUNDS, parse_from_host)
        worker.reader.feed(b"".join(map(bytes, host().send(message))))
        received = worker.next_message()
        assert received is not None
        assert received[0] == message


@given(
    st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    st.integers(0, 2**60),
    st.integers(1, 2**60),
)
def test_a_plain_end_is_told_as_any_other(value: Any, wall: int, cpu: int) -> None:
    header = plain_end(7, value, wall, cpu, 4096)
    if header is None:
        assert type(value) is str and not value.isascii()
    else:
        told = Finished(id=7, value=value, wall=wall, cpu=cpu, peak_memory=4096)
        assert parse_from_worker(header) == parse_from_worker(plain_header(told))


def test_an_end_that_is_not_as_plain_as_that_is_left_to_others() -> None:
    for value in (True, False, 1.5, ["list"], "ü", "\ud800", b"x"):
        assert plain_end(7, value, 1, 1, 1) is None


def test_text_that_utf_8_cannot_hold_travels() -> None:
    worker = Conversation(BOUNDS, parse_from_host)
    sent = messages.Run(id=1, code="x = '\ud800 ü'")
    worker.reader.feed(b"".join(map(bytes, host().send(sent))))
    received = worker.next_message()
    assert received is not None
    assert received[0].code == sent.code


# -- values in messages


def take_everything(conversation: HostConversation, data: bytes) -> int:
    """Feed bytes and decode what comes, as an executor does; gives the number of messages before
    the end or the refusal."""
    decoder = Decoder()
    count = 0
    try:
        for message, buffers in everything(conversation, data):
            count += 1
            for field in ("value", "bundle", "arguments"):
                decoder.decode(getattr(message, field, None), buffers)
    except WorkerProtocolError:
        pass
    return count


def real_frames() -> list[bytes]:
    body = [
        "dict",
        "a",
        ["list", 1, 2.5, ["bytes", 0]],
        "b",
        ["tuple", ["set", 1], ["array", "<f8", ["tuple", 2], "C", True, 1]],
    ]
    sent: list[tuple[Message, list[Any]]] = [
        (
            CallTool(call=1, name="f", arguments=["tuple", ["tuple", body], ["dict"]]),
            [b"raw", struct.pack("<2d", 1, 2)],
        ),
        (Display(bundle=["dict", "text/plain", "x", "image/png", ["bytes", 0]]), [b"\x89PNG"]),
        (
            Finished(
                id=1, value=body, error=["E", "m", "t", 3], violations=[[1, 0, "r", "n", "why", ""]]
            ),
            [b"raw", struct.pack("<2d", 1, 2)],
        ),
    ]
    return [
        b"".join(map(bytes, encode_frame(plain_header(message), buffers)))
        for message, buffers in sent
    ]


def test_real_messages_are_all_heard() -> None:
    assert take_everything(running(), b"".join(real_frames())) == 3


def test_memory_stays_in_proportion_to_what_came() -> None:
    """Small messages that name large things: lengths, shapes, references, powers."""
    bombs: list[Any] = [
        ["array", "<f8", ["tuple", 1 << 40], "C", True, ""],
        ["array", "<f8", ["tuple", 1 << 20, 0], "C", True, ""],
        ["objects", [1 << 30]],
        ["range", 0, 1 << 62, 1],
        ["decimal", "1e999999999"],
        ["int", "f" * 10_000],
        ["packed", "list", "q", "A" * 8],
        ["rangeindex", 0, 1 << 62, 1, None],
        ["image", "RGB", 1 << 20, 1 << 20, None, None, ""],
        ["list", ["list", "x" * 1000], *[["ref", 1]] * 1000],
        ["deque", 1 << 62],
        ["numbers", "d", 8, "little", ""],
        ["timedelta", 1 << 60, 0, 0],
    ]
    conversation = running()
    for bomb in bombs:
        data = b"".join(map(bytes, encode_frame(plain_header(Display(bundle=bomb)), [])))
        take_everything(conversation, data)  # the first of a kind may import a library
        tracemalloc.start()
        try:
            take_everything(conversation, data)
            assert tracemalloc.get_traced_memory()[1] < 1 << 20, bomb
        finally:
            tracemalloc.stop()


# -- a real trip

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_a_real_trip_is_the_one_that_the_protocol_s_page_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trips = re.findall(
        r"^## One trip\n\n```text\n(.*?)^```",
        PAGE,
        re.MULTILINE | re.DOTALL,
    )
    assert len(trips) == 1, "the page shows one trip"
    shown = [line.split()[:2] for line in trips[0].splitlines() if line.strip()]
    assert recorded_trip(monkeypatch) == shown


def recorded_trip(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A cell that calls a tool and displays something, as the host's conversation sees it."""
    trip: list[list[str]] = []
    send, expect = HostConversation.send, HostConversation._expect

    def record_sent(self: HostConversation, message: Message, *args: Any) -> Any:
        trip.append(["→", message.type])
        return send(self, message, *args)

    def record_heard(self: HostConversation, message: Any) -> None:
        trip.append(["←", message.type])
        expect(self, message)

    monkeypatch.setattr(HostConversation, "send", record_sent)
    monkeypatch.setattr(HostConversation, "_expect", record_heard)
    try:
        with LocalPythonExecutor(on_fault="keep") as executor:
            trip[:] = trip[
                :1
            ]  # another policy is sent if the worker was started by another test, for another
            executor.send_tools({"double": lambda x: 2 * x})
            assert executor.run("display(double(21))\nNone").error is None
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    return trip


# -- fields: each has its type, or the message is refused

# One value that fits each type of a field, and values of JSON that do not.
FITTING: dict[Any, Any] = {int: 5, str: "text", bool: True, Any: ["list", 1], str | None: "timeout"}
_ERROR: Any = tuple[str, str, str, int | None] | None
_VIOLATIONS: Any = list[tuple[int, int, str, str, str, str]]
FITTING |= {_ERROR: ("E", "m", "t", None), list[str]: ["math"], _VIOLATIONS: [(1, 2, *"abcd")]}
WRONG: dict[Any, list[Any]] = {
    int: ["1", 1.5, True, None, [], {}],
    str: [1, None, [], {}, True],
    bool: [1, 0, "true", None],
    Any: [],
    str | None: [1, [], True],
    _ERROR: ["text", 1, {}, ["E", "m"], ["E", "m", "t", "1"], ["E", "m", 1, None]],
    list[str]: [[1], "text", None, [None]],
    _VIOLATIONS: [[1], "x", None, [[1, 2]], [[1, "2", "a", "b", "c", "d"]]],
}


def fields_of(kind: type[Message]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {
        name: hint for name, hint in hints.items() if typing.get_origin(hint) is not typing.ClassVar
    }


def test_every_field_has_its_type_or_the_message_is_refused() -> None:
    for kind in messages.FROM_WORKER:
        fields = fields_of(kind)
        body = {name: FITTING[hint] for name, hint in fields.items()}
        parsed = parse_from_worker(plain_header(kind(**body)))
        assert {name: getattr(parsed, name) for name in ("type", *fields)} == {
            "type": kind.type,
            **body,
        }
        wrong: list[dict[str, Any]] = [{**body, "unknown": 1}]
        for name, hint in fields.items():
            wrong += [{**body, name: value} for value in WRONG[hint]]
            if not hasattr(kind, name):
                wrong.append({other: body[other] for other in fields if other != name})
        for each in wrong:
            with pytest.raises(WorkerProtocolError):
                parse_from_worker(json.dumps({"type": kind.type, **each}).encode())


NO_MESSAGES = [b"", b"{", b"null", b"[]", b'"ready"', b"{}", b"\0" * 100, b'{"type": 1}']
NO_MESSAGES += [b'{"type": "ready"}', b'{"type": "ready", "protocol": 1e400}', b"[" * 100_000]
NO_MESSAGES += [b'{"type": "finished", "id": 1, "wall": NaN}', b'{"a":' * 100_000]
NO_MESSAGES += [b'{"type": "finished", "id": 1, "wall": Infinity}']
NO_MESSAGES += [
    b'{"type": "broken", "message": "\\ud800"}',
    b'{"type": "broken", "message": "\xff"}',
]
NO_MESSAGES += [b'{"type": "broken", "message": "x"} more']
NO_MESSAGES += [b'\xef\xbb\xbf{"type": "ready", "protocol": 1}']
NO_MESSAGES += [b'{"type": "display", "bundle": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"]
NO_MESSAGES += [b'{"type": "%s", "id": 1}' % kind.type.encode() for kind in messages.FROM_HOST]


def test_what_is_no_message_of_a_sandbox_is_refused_with_few_words() -> None:
    for header in NO_MESSAGES:
        with pytest.raises(WorkerProtocolError) as refused:
            parse_from_worker(header)
        assert len(str(refused.value)) < 400


def test_every_message_is_documented() -> None:
    for kind in (*messages.FROM_HOST, *messages.FROM_WORKER):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{kind.type}` |"))
        assert [name for name in fields_of(kind) if f"`{name}`" not in row] == []
