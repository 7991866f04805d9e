"""Values as bounded text: whatever a sandbox sends, showing it takes little time and room."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fumehood.agent.console.values import value_text as console_text
from fumehood.agent.describing.values import value_text as agent_text
from fumehood.agent.metrics import Metrics
from fumehood.agent.result import RunResult
from fumehood.agent.steps import ActionStep, FinalAnswerStep, Timing
from fumehood.audit.comparing import UNBOUNDED, canonical, is_same_value
from fumehood.audit.encoding import EventEncoder
from fumehood.audit.values import decode_value, encode_value
from fumehood.cli.agent_json import answer_text, is_plain
from fumehood.cli.render import execution_as_json
from fumehood.events import CellFinished
from fumehood.fleet.results import FleetResult
from fumehood.results import Execution
from fumehood.server import outcomes
from fumehood.telemetry.content import as_json
from fumehood.validation.sizes import is_larger
from fumehood.validation.walking import Walk
from fumehood.wire.records import Record, RemoteError
from fumehood.wire.show import bounded_repr
from fumehood.wire.values import Decoder, Encoder

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")

LEVELS, REFERENCES = 20, 10


def _array(inner: Any) -> Any:
    array = numpy.empty(REFERENCES, dtype=object)
    for place in range(REFERENCES):
        array[place] = inner
    return array


def _defaultdict(inner: Any) -> Any:
    return collections.defaultdict(list, dict.fromkeys(range(REFERENCES), inner))


CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda inner: [inner] * REFERENCES,
    "dict": lambda inner: dict.fromkeys(range(REFERENCES), inner),
    "named": lambda inner: {str(place): inner for place in range(REFERENCES)},
    "deque": lambda inner: collections.deque([inner] * REFERENCES),
    "OrderedDict": lambda inner: collections.OrderedDict.fromkeys(range(REFERENCES), inner),
    "Counter": lambda inner: collections.Counter(dict.fromkeys(range(REFERENCES), inner)),
    "defaultdict": _defaultdict,
    "error": lambda inner: ValueError(*[inner] * REFERENCES),
    "remote error": lambda inner: RemoteError("Odd", *[inner] * REFERENCES),
    "record": lambda inner: Record("Point", "dataclass", ("x", "y", "z"), (inner,) * 3),
    "array": _array,
    "series": lambda inner: pandas.Series(_array(inner)),
    "frame": lambda inner: pandas.DataFrame({"column": _array(inner)}),
}


def nested(kind: str) -> Any:
    """A value of 20 levels with ten references per level: its plain repr never ends."""
    value: Any = [] if kind != "series" else 0
    for _ in range(LEVELS):
        value = CONTAINERS[kind](value)
    return value


def _walked(value: Any) -> str:
    texts: list[str] = []
    Walk(lambda text, name: texts.append(text), builds=False).value(value)
    return "".join(texts)


SHOWN_BY: dict[str, Callable[[Any], object]] = {
    "an execution": lambda value: repr(Execution(value=value)),
    "an execution, printed": lambda value: str(Execution(value=value)),
    "an execution in a notebook": lambda value: str(Execution(value=value)._repr_mimebundle_()),
    "an event": lambda value: repr(CellFinished(at=0.0, execution=Execution(value=value))),
    "a step": lambda value: repr(ActionStep(1, Timing(0.0), action_output=value)),
    "a final answer": lambda value: repr(FinalAnswerStep(value)),
    "a run": lambda value: repr(_run(value)),
    "a run in a notebook": lambda value: _run(value)._repr_html_(),
    "a fleet's result": lambda value: repr(FleetResult(0, value, (Execution(value=value),))),
    "a bounded repr": bounded_repr,
    "the command line": lambda value: str(execution_as_json(Execution(value=value))),
    "the agent's answer": answer_text,
    "the agent's observation": agent_text,
    "the agent's console": console_text,
    "telemetry": as_json,
    "the audit log": lambda value: EventEncoder().encode(
        CellFinished(at=0.0, execution=Execution(value=value))
    ),
    "the server": lambda value: msgspec.json.encode(outcomes.ran(Execution(value=value))),
    "a replay": lambda value: canonical(encode_value(value, UNBOUNDED)),
    "a size": lambda value: str(is_larger(value, 1 << 30)),
    "a validator": _walked,
}


def _run(value: Any) -> RunResult:
    step = ActionStep(1, Timing(0.0), execution=Execution(value=value), action_output=value)
    return RunResult("task", value, "success", [step], Metrics(), Timing(0.0))


@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_value_of_shared_parts_is_shown_in_bounded_time_and_size(kind: str) -> None:
    value = nested(kind)
    for place, show in SHOWN_BY.items():
        shown = show(value)
        assert isinstance(shown, (str, bytes))
        assert len(shown) < 200_000, place


def test_tuples_and_slices_of_shared_parts_are_shown_in_bounded_time_and_size() -> None:
    values: list[Any] = [(), slice(None)]
    for _ in range(LEVELS):
        values = [(values[0],) * REFERENCES, slice(*[values[1]] * 3)]
    for value in values:
        assert len(bounded_repr(value)) <= 4000
        assert len(agent_text(value)) <= 4000


def test_what_fits_is_shown_as_python_shows_it() -> None:
    values: list[Any] = [
        collections.deque([1, 2], maxlen=3),
        collections.deque(),
        collections.OrderedDict(a=1, b=[2]),
        collections.OrderedDict(),
        collections.Counter("abbb"),
        collections.Counter(),
        collections.defaultdict(int, a=1),
        slice(1, None, 2),
        ValueError("no", 3),
        ValueError("no"),
        ValueError(),
        KeyError((1,)),
        {1, 2},
        frozenset(),
        numpy.array([1, "a", None], dtype=object),
        numpy.array([[1, "a"], [None, 2]], dtype=object).ravel(),
        pandas.Series(["a", "b"]),
        pandas.DataFrame({"a": ["x", "y"], "b": [1, 2]}),
    ]
    for value in values:
        assert bounded_repr(value) == repr(value)


def test_a_long_log_is_cut() -> None:
    assert len(repr(Execution(logs="x" * 10_000_000))) < 20_000


def test_one_long_text_many_times_is_not_spelled_out() -> None:
    value = ["x" * 1_000_000] * 1_000
    assert not is_plain(value)
    assert len(answer_text(value)) < 200_000


def test_shared_parts_stay_shared_in_typed_json() -> None:
    value = nested("list")
    logged = encode_value(value)
    assert "$wire" in logged
    back = decode_value(logged)
    assert back[0] is back[9]
    assert is_same_value(logged, value)


def test_a_few_shared_parts_are_plain_json() -> None:
    row = [0, 0, 0]
    assert encode_value([row] * 3) == [[0, 0, 0]] * 3


def test_the_codec_sends_each_shared_part_once() -> None:
    node, buffers = Encoder().encode(nested("list"))
    assert len(msgspec.json.encode(node)) < 10_000
    back = Decoder().decode(node, buffers)
    assert back[0] is back[9]
