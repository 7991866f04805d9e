"""A container with another Python than the host's: values cross as they are, errors are told, and
what cannot cross says so."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import (
    CodeRaised,
    CodeRefused,
    DockerExecutor,
    LocalPythonExecutor,
    RemoteObject,
)
from fumehood.docker.engine import Engine
from fumehood.errors import StateFileError, ToolError
from fumehood.tools.tool import tool

from ..docker import bases
from .test_contract_variables import TRAVELLERS, differing

pytestmark = pytest.mark.long

OTHERS = bases.other_pythons()


@pytest.fixture(
    scope="module",
    params=OTHERS
    or [pytest.param("", marks=pytest.mark.skip(reason="no other Python is installed here"))],
)
def executor(request: pytest.FixtureRequest, engine: Engine) -> Iterator[DockerExecutor]:
    """One for all tests of a version: they look at what crosses, and leave nothing behind that
    another would see."""
    base = bases.base_of(engine, OTHERS[request.param])
    with DockerExecutor(["sys"], base=str(base), timeout_seconds=30) as made:
        assert made("import sys\n'%d.%d' % sys.version_info[:2]").output == request.param
        yield made


def test_values_of_every_kind_cross_both_ways(executor: DockerExecutor) -> None:
    executor.send_variables({"values": TRAVELLERS})
    assert differing(TRAVELLERS, executor("values").output) == []
    assert differing(TRAVELLERS, executor.state["values"]) == []


def test_tools_take_and_give_values_of_every_kind(executor: DockerExecutor) -> None:
    given = [value for value in TRAVELLERS if value == value]
    taken: list[Any] = []

    def swap(number: int, value: Any) -> Any:
        taken.append(value)
        return given[number]

    executor.send_tools({"swap": swap})
    executor.send_variables({"given": given})
    same = executor(
        "[type(swap(n, value)) is type(value) and swap(n, value) == value for n, value in"
        " enumerate(given)]"
    ).output
    assert all(same) and len(same) == len(given)
    assert taken[::2] == given


def test_what_code_makes_crosses_too(executor: DockerExecutor) -> None:
    code = (
        "import datetime, decimal, collections\nfrom dataclasses import"
        " dataclass\n@dataclass\nclass Point:\n    x: int\n    y: float = 2.5\nPair ="
        " collections.namedtuple('Pair', 'a b')\n[Point(1), Pair(1, [2]), decimal.Decimal('1.10'),"
        " datetime.date(2024, 2, 29), ValueError('told', 3), {1: {2}}, 10 ** 50]"
    )
    point, pair, number, day, error, table, large = executor(code).output
    assert (point.x, point.y, pair.a, pair.b) == (1, 2.5, 1, [2])
    assert (number, day, table, large) == (
        decimal.Decimal("1.10"),
        datetime.date(2024, 2, 29),
        {1: {2}},
        10**50,
    )
    assert "told" in str(error)
    kept = executor("generator = (n for n in range(3))\ngenerator").output
    assert isinstance(kept, RemoteObject)
    executor.send_variables({"back": kept})
    assert executor("back is generator, list(back)").output == (True, [0, 1, 2])


def test_errors_are_told_as_they_are_there(executor: DockerExecutor) -> None:
    execution = executor.run("def inner():\n    return {}['missing']\ninner()")
    assert execution.error is not None and (execution.error.type, execution.error.line) == (
        "KeyError",
        2,
    )
    assert "return {}['missing']" in execution.error.traceback
    with pytest.raises(CodeRaised, match="ZeroDivisionError"):
        executor("1 / 0")
    with pytest.raises(CodeRefused, match="subprocess"):
        executor("import subprocess")
    assert executor.run("x = (").error.type == "SyntaxError"  # type: ignore[union-attr]


@tool(runs="sandbox")
def sent(x: int) -> int:
    """A number.

    Args:
        x: It.
    """
    return x


def test_a_tool_that_is_compiled_here_is_not_sent_there_and_says_what_to_do(
    executor: DockerExecutor,
) -> None:
    with pytest.raises(
        ToolError, match=r"'sent' cannot run in the sandbox.*Python 3\.\d+.*runs='host'"
    ) as caught:
        executor.send_tools({"sent": sent, "other": lambda x: x})
    assert "\n" not in str(caught.value)
    assert executor.run("sent(1)").error.type == "NameError"  # type: ignore[union-attr]
    executor.send_tools({"other": lambda x: x + 1})
    assert executor("other(1)").output == 2


def test_saved_work_is_not_loaded_by_another_python(
    executor: DockerExecutor, tmp_path: Path
) -> None:
    """Functions are saved as bytecode, which another version would run as something else."""
    policy = executor.policy
    with LocalPythonExecutor(policy=policy) as here:
        here("def total(): return 3")
        here.save(tmp_path / "from here")
    with pytest.raises(StateFileError, match="same minor version"):
        DockerExecutor.load(tmp_path / "from here", policy, container=executor.container)
    executor("def total(): return 4")
    executor.save(tmp_path / "from there")
    with pytest.raises(StateFileError, match="same minor version"):
        LocalPythonExecutor.load(tmp_path / "from there", policy)
    with DockerExecutor.load(
        tmp_path / "from there", policy, container=executor.container
    ) as there:
        assert there("total()").output == 4
