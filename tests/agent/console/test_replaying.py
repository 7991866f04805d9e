"""A finished run, printed again."""

from __future__ import annotations

import io

from rich.console import Console

from fumehood.agent.console.replaying import replay

from ..scenes import steps


def test_a_stream_that_fails_raises_nothing():
    console = Console(file=io.StringIO())
    console.file.close()
    replay(steps(), console)
