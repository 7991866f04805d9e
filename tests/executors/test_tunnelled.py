"""The host's end of a line to another place."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import Policy, SandboxFailed
from fumehood.executors.remote import Tunnel
from fumehood.tunnel.frames import Sort


@pytest.mark.parametrize("comes_late", [False, True])
def test_a_start_that_fails_leaves_no_socket_behind(
    comes_late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer may be there, or come later, when the line to the place breaks."""
    ours, theirs = socket.socketpair()
    tunnel = Tunnel(ours, lambda data: data, lambda: "it is gone")
    late: list[Callable[[], None]] = []

    def ask(self: Any, question: Any, seconds: float, on_answer: Callable[[Any], None]) -> Any:
        answer = lambda: on_answer({"control": [Sort.PACKETS, 3], "python": [3, 11, 0]})  # noqa: E731
        late.append(answer) if comes_late else answer()
        raise SandboxFailed("the line broke")

    monkeypatch.setattr(Tunnel, "ask", ask)
    try:
        before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        with pytest.raises(SandboxFailed, match="the line broke"):
            tunnel.launch(Policy(), ())
        for answer in late:
            answer()
        # The tunnel keeps its own end of the channel, and the other one is closed.
        assert len(os.listdir("/proc/self/fd")) <= before + 1  # noqa: PTH208
    finally:
        tunnel.close()
        theirs.close()
