"""What travels between driver and node comes out as it went in, and what is no parcel is an outcome
that says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.fleet.parcels import (
    Outcome,
    Undecoded,
    pack_item,
    pack_outcome,
    unpack_item,
    unpack_outcome,
)
from fumehood.results import ErrorInfo, Execution, Usage, Violation
from fumehood.wire.values import Decoder, Encoder

ROOM = 1 << 30


def sent(value: Any) -> Undecoded:
    return Undecoded(*Encoder().encode(value))


def test_an_item_has_its_cells_variables_and_time() -> None:
    work = unpack_item(pack_item(["a", "b = 'é'"], {"x": 1, "data": np.arange(1000)}, 2.5))
    assert (work.cells, work.seconds) == (["a", "b = 'é'"], 2.5)
    assert work.variables is not None
    variables = Decoder().decode(work.variables.node, work.variables.buffers)
    assert variables["x"] == 1 and (variables["data"] == np.arange(1000)).all()


def test_an_outcome_has_all_that_an_execution_has() -> None:
    executions = (
        Execution(value=None, logs="first\n", usage=Usage(0.1, 0.2, 300)),
        Execution(
            value=[1, b"x" * 1000, {"a": 2.5}],
            logs="über \ud800",
            displays=({"text/plain": "hi", "image/png": b"p" * 500},),
            error=ErrorInfo("KeyError", "'x'", "Traceback…", 3),
            fault="memory",
            violations=(Violation(1, 2, "rule", "name", "reason", "hint"),),
            is_final_answer=True,
            imports=("math",),
        ),
    )
    packed = [
        Execution(**{**_fields(one), "value": None if one.value is None else sent(one.value)})
        for one in executions
    ]
    first, second = unpack_outcome(pack_outcome(Outcome(tuple(packed)), ROOM)).executions
    assert first == executions[0]
    assert second == Execution(**{**_fields(executions[1]), "logs": "über \\ud800"})


def _fields(execution: Execution) -> dict[str, Any]:
    return {name: getattr(execution, name) for name in Execution.__slots__}


def test_values_too_large_to_travel_are_an_error_with_what_was_printed() -> None:
    large = Outcome((Execution(value=sent(b"x" * 100_000), logs="said"),))
    (execution,) = unpack_outcome(pack_outcome(large, 50_000)).executions
    assert (execution.fault, execution.logs, execution.value) == ("frame", "said", None)
    assert (
        execution.error is not None
        and "at most 50,000" in execution.error.message
        and "frame_bytes" in execution.error.message
    )


@given(st.binary(max_size=200))
def test_bytes_that_are_no_outcome_are_an_outcome_that_says_so(data: bytes) -> None:
    (execution,) = unpack_outcome(data).executions
    assert execution.error is not None and execution.error.type == "WorkerProtocolError"


@given(st.data())
def test_a_damaged_outcome_raises_nothing(data: st.DataObject) -> None:
    packed = bytearray(
        pack_outcome(
            Outcome((Execution(value=sent({"a": [1, 2, b"x" * 300]}), logs="text"),)), ROOM
        )
    )
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    unpack_outcome(bytes(packed))


@pytest.mark.parametrize(
    "node",
    [["pickle", "gASVAAAAAAAAAAA="], ["nothing"], ["ref", 7], ["bytes", 9]],
    ids=["pickle", "unknown", "ref", "buffer"],
)
def test_a_value_that_is_none_is_not_believed(node: Any) -> None:
    (execution,) = unpack_outcome(
        pack_outcome(Outcome((Execution(value=Undecoded(node, ())),)), ROOM)
    ).executions
    assert execution.error is not None and execution.error.type == "WorkerProtocolError"
    assert execution.fault == "crash"


def test_a_pickle_in_an_outcome_is_never_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    node = Undecoded(["pickle", 0], [b"cbuiltins\nprint\n(S'loaded'\ntR."])
    (execution,) = unpack_outcome(pack_outcome(Outcome((Execution(value=node),)), ROOM)).executions
    assert execution.value is None and execution.error is not None
    assert capsys.readouterr().out == ""
