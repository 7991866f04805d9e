"""Inspect's own checks of a sandbox, with ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs inspect_ai: pip install 'fumehood[inspect]'")

from fumehood.integrations import inspect_ai

checks: Any = pytest.importorskip("inspect_ai.util._sandbox.self_check")
globals().update({name: getattr(checks, name) for name in checks.__all__})

pytestmark = pytest.mark.anyio

# What cannot pass, with the reason.
CANNOT = {
    "test_exec_as_user": "a sandbox has one user; it has no root who could add another",
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def environment() -> Iterator[Any]:
    made = inspect_ai.FumehoodSandboxEnvironment()
    yield made
    made.executor.close()


@pytest.fixture
def sandbox_env(environment: Any, request: pytest.FixtureRequest) -> Any:
    if reason := CANNOT.get(getattr(request.node, "originalname", "")):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    return environment


def test_there_are_as_many_checks_as_were_counted() -> None:
    assert len(checks.__all__) - len(CANNOT) >= 42


async def test_a_sample_has_a_sandbox_that_ends_with_it() -> None:
    made = await inspect_ai.FumehoodSandboxEnvironment.sample_init("task", None, {})
    assert (await made["default"].exec(["id", "-un"], user="user")).stdout == "user\n"
    await inspect_ai.FumehoodSandboxEnvironment.sample_cleanup("task", None, made, False)
    with pytest.raises(Exception, match="closed"):
        await made["default"].exec(["true"])


async def test_too_much_output_is_an_error_of_inspect(environment: Any) -> None:
    from inspect_ai.util import OutputLimitExceededError  # type: ignore[import-not-found, unused-ignore]

    with pytest.raises(OutputLimitExceededError):
        await environment.exec(["head", "-c", "20000000", "/dev/zero"])
