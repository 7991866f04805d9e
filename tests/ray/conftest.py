"""What tests of Ray's package have in common."""

from __future__ import annotations

import pytest

from fumehood.ray import sdk


@pytest.fixture
def nobody_is_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever other tests of this process are connected to."""
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.delenv(sdk.ADDRESS, raising=False)
