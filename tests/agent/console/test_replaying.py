"""A finished run, printed again."""

from __future__ import annotations

import io

from rich.console import Console

from fumehood.agent.console.replaying import replay

from ..scenes import steps


def replayed(*again, **options) -> str:
    console = Console(file=io.StringIO(), width=100)
    replay(again, console, **options)
    return console.file.getvalue()


def test_a_stream_that_fails_raises_nothing():
    console = Console(file=io.StringIO())
    console.file.close()
    replay(steps(), console)
