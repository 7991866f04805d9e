"""A screen: lines that stay, lines that are taken away again, and a stream that may be anything."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading

import pytest
from rich.text import Text

from fumehood.agent.console.printer import StepPrinter
from fumehood.agent.console.screen import Line, Rule, screen_of
from fumehood.agent.events import RunStarted

from ..scenes import Terminal, seen


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "JPY_PARENT_PID"):
        monkeypatch.delenv(name, raising=False)


def line(text: str, lead: str = "", hang: str | None = None) -> Line:
    return Line(Text(text), Text(lead), None if hang is None else Text(hang))


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal = Terminal()
    screen = screen_of(terminal)
    heading = Rule(Text("a rather long heading for such a screen"), "─", "dim")
    screen.write([heading, line("日本語" * 30), line("x" * 300, "    ")], Text("│ "))
    lines = seen(terminal.getvalue(), columns=400)
    assert max(Text(shown).cell_len for shown in lines) in (
        columns,
        columns - 1,
    ), "a character that is two wide may not fit"
    text = "".join(lines)
    assert (text.count("日"), text.count("x")) == (30, 300)


# -- what changes


def test_what_changes_is_below_what_stays_and_is_taken_away():
    terminal = Terminal()
    screen = screen_of(terminal)
    screen.write([line("first")])
    screen.move("me", lambda width: [Text("working"), Text("hard")])
    assert seen(terminal.getvalue()) == ["first", "working", "hard"]
    screen.write([line("second")])
    assert seen(terminal.getvalue()) == ["first", "second", "working", "hard"]
    screen.move("me", None)
    screen.write([line("third")])
    assert [shown for shown in seen(terminal.getvalue()) if shown] == ["first", "second", "third"]


def test_it_is_drawn_again_by_itself_and_the_thread_that_does_it_ends():
    terminal = Terminal()
    screen = screen_of(terminal)
    drawn = threading.Semaphore(0)

    def lines(width: int) -> list[Text]:
        drawn.release()
        return [Text("x")]

    screen.move("me", lines)
    for _ in range(4):
        assert drawn.acquire(timeout=60)
    ticker = screen._ticker
    assert ticker is not None
    screen.move("me", None)
    ticker.join(60)
    assert not ticker.is_alive()
    screen.move("me", lines)
    for _ in range(3):
        assert drawn.acquire(timeout=60), (
            "another one is started when there is something to draw again"
        )
    screen.stop()


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_a_terminal_that_cannot_take_lines_away_is_given_only_lines_that_stay(kind, monkeypatch):
    monkeypatch.setenv("TERM", kind)
    terminal = Terminal()
    screen = screen_of(terminal)
    screen.move("me", lambda width: [Text("working")])
    screen.write([Line(Text("stays", style="red"))])
    assert terminal.getvalue() == "stays\n"


# -- streams


class Broken(Terminal):
    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error


FAILURES = [BrokenPipeError(), OSError(28, "no space"), ValueError("closed"), RuntimeError("odd")]


@pytest.mark.parametrize("error", FAILURES, ids=repr)
def test_a_stream_that_fails_is_left_alone(error):
    stream = Broken(error)
    screen = screen_of(stream)
    screen.write([line("a")])
    assert screen.broken
    screen.move("me", lambda width: [Text("x")])
    screen.refresh()
    screen.stop()


class TooLate(Exception):
    pass


@pytest.mark.parametrize("kind", [TooLate, SystemExit, KeyboardInterrupt])
def test_what_a_signal_handler_raises_is_not_taken_for_a_failure_of_the_stream(kind):
    """A program may end a run from a handler of its own; the signal may come just when something is
    being shown."""

    def handler(number, frame):
        raise kind

    class Interrupted(Terminal):
        def write(self, text: str) -> int:
            signal.raise_signal(signal.SIGUSR1)
            return len(text)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        screen = screen_of(Interrupted())
        with pytest.raises(kind):
            screen.write([line("a")])
        printer = StepPrinter(stream=Interrupted())
        with pytest.raises(kind):
            printer(RunStarted("a", "Task.", 1))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not screen.broken


@pytest.mark.long
def test_a_program_that_ends_in_the_middle_leaves_a_clean_terminal():
    """With a real terminal: a thread that draws while Python shuts down would crash it."""
    code = (
        "from rich.text import Text\nfrom fumehood.agent.console.screen import standard_output\ns ="
        " standard_output()\ns.move('me', lambda width: [Text('working')])\nimport"
        " sys\nsys.stdin.read()\n"
    )
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=theirs,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
    )
    os.close(theirs)
    assert child.stdin is not None
    raw = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        raw += piece
        if b"working" in raw:
            child.stdin.close()
    os.close(ours)
    assert child.stderr is not None
    complaints = child.stderr.read()
    child.stderr.close()
    assert (child.wait(60), complaints) == (0, b"")
    assert b"working" in raw
    assert "".join(seen(raw.decode())) == ""
