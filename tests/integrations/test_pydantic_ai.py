"""Pydantic AI's own conformance suite of workspaces, with ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="needs pydantic_ai: pip install 'fumehood[pydantic]'")

from fumehood.integrations.pydantic_ai import FumehoodWorkspace

Suite: Any = pytest.importorskip("pydantic_ai.workspaces.conformance").WorkspaceBackendSuite

# What cannot pass, with the reason: nothing. `test_native_realpath_keeps_the_working_dir_and_missing_names`
# is skipped: paths are resolved by commands, as files are read and written.


class TestWorkspace(Suite):  # type: ignore[misc, unused-ignore]
    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    def fresh_backend(self) -> Iterator[Callable[[], FumehoodWorkspace]]:
        made: list[FumehoodWorkspace] = []

        def make() -> FumehoodWorkspace:
            made.append(FumehoodWorkspace())
            return made[-1]

        yield make
        for each in made:
            each.close()

    @pytest.fixture
    def backend(self, fresh_backend: Callable[[], FumehoodWorkspace]) -> FumehoodWorkspace:
        return fresh_backend()

    @pytest.fixture
    def attach_backend(self) -> Callable[[Any], FumehoodWorkspace]:
        return lambda ref: FumehoodWorkspace(ref=ref)

    @pytest.fixture
    def destroy_environment(self) -> Callable[[FumehoodWorkspace], Awaitable[None]]:
        async def destroy(backend: FumehoodWorkspace) -> None:
            backend.close()

        return destroy
