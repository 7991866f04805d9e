"""Events as executors and agents make them, and logs made of them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.audit.log import AuditLog
from fumehood.events import CellFinished, CellSubmitted, Event
from fumehood.results import Execution, Usage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def submitted() -> Callable[..., CellSubmitted]:
    """Makes cells that are handed to a sandbox, each another one."""
    numbers = itertools.count(1)

    def make(code: str | None = None) -> CellSubmitted:
        number = next(numbers)
        return CellSubmitted(
            at=time.time(),
            session="5e5510",
            cell=number,
            code=f"x = {number}" if code is None else code,
        )

    return make


@pytest.fixture
def finished() -> Callable[..., CellFinished]:
    def make(value: Any = None, **fields: Any) -> CellFinished:
        execution = Execution(value=value, usage=Usage(0.001, 0.001, 1_000_000), **fields)
        return CellFinished(at=time.time(), session="5e5510", cell=1, execution=execution)

    return make


@pytest.fixture
def write(path: Path, submitted: Callable[..., Event]) -> Callable[..., Path]:
    """Writes a closed log of so many events."""

    def make(events: int = 5, **options: Any) -> Path:
        with AuditLog(path, **options) as log:
            for _ in range(events):
                log(submitted())
        return path

    return make
