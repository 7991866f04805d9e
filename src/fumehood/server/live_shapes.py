"""What crosses while cells run: events that a client is told, messages that it sends over a
WebSocket, tools and their calls.

    began                   the run has its turn
        output, display     as they come
        tool_call           the client is to answer it
        cut                 something is missing here, which was not read in time
    result | error | fault  what the cell came to; or `refused`, if it was not run
    end                     nothing follows of this run

Every event is a JSON object with `type`; `id` counts the events of one stream from 1.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fumehood.server.shapes import Answer, Body, Name, Query, Ran, Seconds, Typed

Text = Annotated[str, Meta(max_length=20_000)]
Request = Annotated[str, Meta(max_length=100)]
"""What a client calls one of its messages, to know the answer by."""


# -- events


class Told(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What all events have: `id` counts those of a stream; `run` is the run that they are about."""

    id: int = 0
    run: str = ""


class Began(Told, frozen=True, kw_only=True, tag="began"):
    """The run has its turn: its cell runs now."""


class Output(Told, frozen=True, kw_only=True, tag="output"):
    """A piece of what code prints. Untrusted text."""

    text: str


class Display(Told, frozen=True, kw_only=True, tag="display"):
    """A plot, a table: the same thing in one or more formats, by their mime types: text, or
    {"base64": …}."""

    formats: dict[str, Any]


class Cut(Told, frozen=True, kw_only=True, tag="cut"):
    """Here is something missing, because it was not read in time: so many characters of output, so
    many displays."""

    characters: int = 0
    displays: int = 0


class ToolCall(Told, frozen=True, kw_only=True, tag="tool_call"):
    """Code calls one of the client's tools, and waits for the answer to `call`. Arguments are typed
    values, by their names."""

    call: str
    tool: str
    arguments: dict[str, Typed]
    timeout_seconds: float


class Result(Told, frozen=True, kw_only=True, tag="result"):
    """The cell is over, and went well. Its displays were told as they came."""

    outcome: Ran


class Error(Told, frozen=True, kw_only=True, tag="error"):
    """The cell is over: code raised an exception."""

    outcome: Ran


class Fault(Told, frozen=True, kw_only=True, tag="fault"):
    """The cell is over: a limit was reached, a rule refused it, or it was stopped; `fault` of the
    outcome says which."""

    outcome: Ran


class Refused(Told, frozen=True, kw_only=True, tag="refused"):
    """The run, or another message, was not done. As the body of a refusal."""

    status: int
    error: str
    message: str
    retry_after: float | None = None
    request: str = ""


class End(Told, frozen=True, kw_only=True, tag="end"):
    """The run is over, and nothing follows of it."""


EVENTS = (Began, Output, Display, Cut, ToolCall, Result, Error, Fault, Refused, End)
"""What a run is told as."""


# -- events of a WebSocket besides those


class Ready(Told, frozen=True, kw_only=True, tag="ready"):
    """The first: this connection is to that sandbox, and messages are taken."""

    sandbox: str


class Done(Told, frozen=True, kw_only=True, tag="done"):
    """A message was done. `values` are the variables that it asked for, typed."""

    request: str = ""
    values: dict[str, Typed] = msgspec.field(default_factory=dict)


class Over(Told, frozen=True, kw_only=True, tag="over"):
    """The last: the sandbox has ended."""


# -- tools


class Input(Body, omit_defaults=True):
    """One argument of a tool. `nullable` says that it may be None, and may be left out."""

    type: Name | Annotated[list[Name], Meta(min_length=1, max_length=8)] = "any"
    description: Annotated[str, Meta(max_length=1000)] = ""
    nullable: bool = False


class Declared(Body):
    """A tool whose calls the client answers, within so many seconds each."""

    name: Name
    description: Annotated[str, Meta(min_length=1, max_length=8000)]
    inputs: Annotated[dict[Name, Input], Meta(max_length=50)] = msgspec.field(default_factory=dict)
    output_type: Name = "any"
    timeout_seconds: Annotated[float, Meta(gt=0, le=3600)] = 60.0


class Declare(Body):
    """Tools that code can call from now on; one of a name that is known takes its place."""

    tools: Annotated[list[Declared], Meta(min_length=1, max_length=100)]
    context: Name | None = None


class ToolList(Answer):
    tools: list[Declared]


class CallList(Answer):
    """Calls that wait for their answers, the oldest first."""

    calls: list[ToolCall]


class Waiting(Query):
    wait_seconds: Annotated[float, Meta(ge=0, le=60)] = 0.0
    """So long the answer waits for a call, if there is none."""


class Failure(Body):
    """An exception that a tool raises: Python's own if `type` names one, else a ToolError that
    tells of it."""

    message: Text
    type: Name = "RuntimeError"


class Reply(Body):
    """What a call of a tool comes to: a typed value, or an error."""

    value: Typed = UNSET
    error: Failure | UnsetType = UNSET


# -- what a client sends over a WebSocket


class Message(Body, tag_field="type"):
    """What a client sends."""


class Authenticate(Message, tag="authenticate"):
    """The first message of whoever cannot send headers."""

    key: Annotated[str, Meta(max_length=512)]


class Start(Message, tag="run"):
    """Run a cell. `keep_running` says to let it go on when the connection is lost."""

    code: Annotated[str, Meta(max_length=2_000_000)]
    run: Request
    context: Name | None = None
    timeout_seconds: Seconds | None = None
    keep_running: bool = False


class Answered(Message, tag="answer"):
    """The answer to a call."""

    call: Name
    value: Typed = UNSET
    error: Failure | UnsetType = UNSET
    request: Request = ""


class Interrupt(Message, tag="interrupt"):
    """Stop what runs."""

    context: Name | None = None
    request: Request = ""


class Variables(Message, tag="variables"):
    """Set variables, then get some."""

    request: Request = ""
    set: dict[Name, Typed] = msgspec.field(default_factory=dict)
    get: Annotated[list[Name], Meta(max_length=1000)] = msgspec.field(default_factory=list)
    context: Name | None = None


class Tools(Message, tag="tools"):
    """Declare tools."""

    tools: Annotated[list[Declared], Meta(min_length=1, max_length=100)]
    context: Name | None = None
    request: Request = ""


class Ping(Message, tag="ping"):
    """Is anybody there?"""

    request: Request = ""


Messages = Start | Answered | Interrupt | Variables | Tools | Ping
