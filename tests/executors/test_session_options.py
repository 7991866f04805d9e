"""Options of sessions are said once, and every executor shows them."""

from __future__ import annotations

import inspect
import logging
from dataclasses import fields
from typing import Any

import pytest

from fumehood import DockerExecutor, E2BExecutor, LocalPythonExecutor, PolicyError, RayExecutor
from fumehood.executors.options import Options, SessionOptions, lines_to

DEFAULTS = {field.name: field.default for field in fields(Options)}
EXECUTORS = [LocalPythonExecutor, DockerExecutor, E2BExecutor, RayExecutor]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_every_executor_shows_them_with_their_defaults(executor: Any) -> None:
    shown = inspect.signature(executor).parameters
    for name, default in DEFAULTS.items():
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[name].default == default
        assert str(shown[name].annotation) == SessionOptions.__annotations__[name].__forward_arg__


@pytest.mark.parametrize("executor", [LocalPythonExecutor, DockerExecutor, RayExecutor])
def test_one_that_there_is_not_is_refused_at_once_with_what_was_meant(executor: Any) -> None:
    wrong = (
        rf"{executor.__name__}\(\) got an unexpected keyword argument 'timeout'. Did you mean"
        r" 'timeout_seconds'\?"
    )
    with pytest.raises(TypeError, match=wrong):
        executor(timeout=3)


def test_two_that_contradict_each_other_are_refused() -> None:
    from fumehood import Limits

    with pytest.raises(PolicyError, match="contradicts cell_seconds"):
        LocalPythonExecutor(timeout_seconds=3, limits=Limits(cell_seconds=4))


def test_a_host_that_prints_what_it_is_told_is_not_told_of_that_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with LocalPythonExecutor(
        isolation="inline", on_output=lambda text: print(text, end="")
    ) as executor:
        execution = executor.run("print('once')\nimport sys\nsys.stdout.write('twice\\n')")
    assert execution.logs == "once\ntwice\n"
    assert capsys.readouterr().out == "once\ntwice\n"


def test_a_logger_of_any_agent_is_told_lines() -> None:
    class Logger:
        def __init__(self) -> None:
            self.told: list[str] = []

        def log(self, *words: str, level: int = 1) -> None:
            self.told += words

    logger = Logger()
    lines_to(logger)("Step 1/2")
    assert logger.told == ["Step 1/2"]
    assert lines_to(logging.getLogger("x")) == logging.getLogger("x").info
    with pytest.raises(PolicyError, match="int has neither"):
        DockerExecutor([], 5)
