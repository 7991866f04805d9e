"""A screen: lines that stay, lines that are taken away again, and a stream that may be anything."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys
import threading

import pytest
from rich.console import Console
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


def test_on_a_terminal_a_line_is_broken_with_its_lead_and_hang():
    terminal = Terminal()
    screen_of(terminal).write([line("word " * 20, "= ", "  ")])
    assert seen(terminal.getvalue()) == [
        "= " + "word " * 14 + "word",
        "  word word word word word",
        "",
    ]


def test_marks_below_a_line_are_left_out_where_the_line_is_broken(monkeypatch):
    block = [line("x = " + "word " * 8), Line(Text("    ~~~~"), is_below=True), line("end")]
    terminal = Terminal()
    screen_of(terminal).write(block)
    assert "    ~~~~" in seen(terminal.getvalue())
    monkeypatch.setenv("COLUMNS", "30")
    narrow = Terminal()
    screen_of(narrow).write(block)
    assert seen(narrow.getvalue()) == ["x = word word word word word", "word word word", "end", ""]


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


def test_what_changes_fits_on_the_screen(monkeypatch):
    monkeypatch.setenv("LINES", "10")
    terminal = Terminal()
    screen = screen_of(terminal)
    screen.move("me", lambda width: [Text(f"{number} " + "x" * 500) for number in range(100)])
    shown = seen(terminal.getvalue())
    assert len(shown) == 8
    assert shown[-1].startswith("99 x")
    screen.stop()


def test_while_paused_nothing_is_drawn():
    terminal = Terminal()
    screen = screen_of(terminal)
    screen.move("me", lambda width: [Text("working")])
    with screen.paused():
        before = terminal.getvalue()
        assert seen(before) == [""]
        screen.refresh()
        assert terminal.getvalue() == before
    screen.refresh()
    assert seen(terminal.getvalue()) == ["working"]
    screen.stop()


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


def test_a_console_of_rich_that_would_end_the_program_does_not():
    console = Console(file=Broken(BrokenPipeError()), force_terminal=True)
    console.on_broken_pipe = lambda: sys.exit(1)  # type: ignore[method-assign]
    screen = screen_of(console)
    screen.write([line("a")])
    assert screen.broken


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


def test_a_closed_stream_is_left_alone():
    stream = io.StringIO()
    screen = screen_of(stream)
    stream.close()
    screen.write([line("a")])
    assert screen.broken


def test_threads_that_write_at_once_do_not_cut_into_each_others_lines():
    stream = io.StringIO()
    screen = screen_of(stream)

    def write(name: str) -> None:
        for _ in range(50):
            screen.write([line(name * 20), line(name * 20)])

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 400
    assert all(len(set(shown)) == 1 and len(shown) == 20 for shown in lines)
    assert lines[::2] == lines[1::2]


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
