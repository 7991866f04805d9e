"""Where a run is shown: lines that stay, and below them, on a terminal, a few that change until
they are taken away.

Several printers may share a terminal (an agent and those it manages), so there is one Screen for
each stream. Everything may be called from any thread. A screen that fails (closed, a pipe nobody
reads) falls silent; it never raises.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from fumehood.agent.signals import comes_from_a_signal
from fumehood.tools.people import TERMINAL

PLAIN_WIDTH = 72
"""Columns of a line across the page where nobody says how wide it is: in a file, a pipe, a
notebook."""

_NARROWEST = 20
_REFRESH_SECONDS = 0.1

Moving = Callable[[int], list[Text]]
"""Makes the lines that change, for a width; none if there is nothing to show now."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block. If it has to be broken, what follows begins with `hang`. One that
    `is_below` marks places in the line above; it is left out if that one is broken, or it would be
    itself."""

    text: Text = field(default_factory=Text)
    lead: Text = field(default_factory=Text)
    hang: Text | None = None
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the screen with words in it."""

    text: Text
    dash: str
    style: str


class _Stream(Console):
    """A console that colours, and never interprets or emphasises by itself."""

    def __init__(self, stream: IO[str], **options: Any) -> None:
        super().__init__(file=stream, highlight=False, markup=False, emoji=False, **options)

    def on_broken_pipe(self) -> None:
        """Rich would end the program here."""
        raise BrokenPipeError


def _console_for(stream: IO[str]) -> Console:
    if not Console().is_jupyter:
        return _Stream(stream)
    # As text with colours, which notebooks show: Rich's own way makes a separate HTML element of
    # each line.
    colours = not os.environ.get("NO_COLOR")
    return _Stream(
        stream,
        force_jupyter=False,
        force_terminal=colours,
        color_system="standard" if colours else None,
    )


class Screen:
    """One stream. `write` adds lines for good; `move` sets, for a user of the screen, what is shown
    below them for now."""

    def __init__(self, console: Console, *, wraps: bool) -> None:
        self.console = console
        self.broken = False
        self._wraps = wraps
        self._lock = threading.RLock()
        self._moving: dict[object, Moving] = {}
        self._drawn = 0
        self._pauses = 0
        self._ticker: threading.Thread | None = None
        self._stopped = threading.Event()
        self._below_blank = True
        self._gutter = Text()

    @property
    def is_live(self) -> bool:
        """Whether lines can be taken away again: on a terminal that understands how, not in a file,
        a pipe or a notebook."""
        console = self.console
        return bool(
            _is_terminal(console) and console.is_interactive and not console.is_dumb_terminal
        )

    @property
    def encoding(self) -> str:
        return self.console.encoding or "ascii"

    def write(
        self, lines: Iterable[Line | Rule], gutter: Text | None = None, *, gap: bool = False
    ) -> None:
        """Lines that stay, above those that change. With a gap there is a blank line before them,
        if there is none already."""
        self._safely(lambda: self._write(lines, gutter or Text(), gap))

    def move(self, user: object, lines: Moving | None) -> None:
        """Show lines that change, until there are others or None. Only on a terminal; of several
        users the last one's are shown."""
        self._safely(lambda: self._move(user, lines))

    def refresh(self) -> None:
        """Show what has changed now, and not only with the next tick."""
        self._safely(self._redraw)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """In here nothing that changes is drawn: somebody types on the terminal."""
        with self._lock:
            self._safely(self._erase)
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1

    def stop(self) -> None:
        """Take away what changes. A thread that still writes while Python shuts down would crash
        it."""
        with self._lock:
            self._moving.clear()
            self._safely(self._erase)
            self._stopped.set()
            ticker = self._ticker
        if ticker is not None and ticker is not threading.current_thread():
            ticker.join(1)

    def _safely(self, action: Callable[[], None]) -> None:
        with self._lock:
            if self.broken:
                return
            try:
                with (
                    self.console
                ):  # written at once: between taking away and showing again, nobody sees the gap
                    action()
            except Exception as error:  # closed, nobody reads, no room left
                if comes_from_a_signal(error):
                    raise
                self.broken = True
            except SystemExit as error:
                if not isinstance(error.__context__, BrokenPipeError):
                    raise
                self.broken = True  # what a console of Rich does when nobody reads

    # -- what stays

    def _write(self, lines: Iterable[Line | Rule], gutter: Text, gap: bool) -> None:
        width = max(self.console.width, _NARROWEST) - gutter.cell_len if self._wraps else None
        made: list[Text] = []
        above = 1
        for line in lines:
            parts = self._laid_out(line, width)
            if isinstance(line, Line) and line.is_below and (above > 1 or len(parts) > 1):
                continue
            made += [Text.assemble(gutter, part) for part in parts]
            above = len(parts)
        if not made:
            return
        outer = min(gutter, self._gutter, key=len)
        if (gap or len(gutter) != len(self._gutter)) and not self._below_blank:
            made.insert(0, Text(outer.plain.rstrip(), style=outer.style))
        self._gutter = gutter
        self._erase()
        # Soft: they are as wide as they may be already, and elsewhere a line is a line however long
        # it is.
        self.console.print(Text("\n").join(made), soft_wrap=True)
        self._below_blank = made[-1].plain.strip() == gutter.plain.strip()
        self._draw()

    def _laid_out(self, line: Line | Rule, width: int | None) -> list[Text]:
        if isinstance(line, Rule):
            return [_ruled(line, width or PLAIN_WIDTH)]
        if width is None:
            return [Text.assemble(line.lead, line.text)]
        hang = line.lead if line.hang is None else line.hang
        room = max(width - max(line.lead.cell_len, hang.cell_len), _NARROWEST // 2)
        parts = line.text.wrap(self.console, room, overflow="fold") or [Text()]
        for part in parts[:-1]:
            part.rstrip()
        return [
            Text.assemble(line.lead if number == 0 else hang, part)
            for number, part in enumerate(parts)
        ]

    # -- what changes

    def _move(self, user: object, lines: Moving | None) -> None:
        self._moving.pop(user, None)
        if lines is not None and self.is_live:
            self._moving[user] = lines
            self._start_ticking()
        self._redraw()

    def _redraw(self) -> None:
        self._erase()
        self._draw()

    def _draw(self) -> None:
        if not self._moving or self._pauses or TERMINAL.locked():
            return
        width = (
            self.console.width - 1
        )  # a terminal whose last column is written to may begin a new line, or not
        lines = next(reversed(self._moving.values()))(width)[-max(self.console.height - 2, 1) :]
        for line in lines:
            line.truncate(width, overflow="crop")
        if not lines:
            return
        self._drawn = len(lines)
        self.console.print(Text("\n").join(lines), soft_wrap=True, end="")
        if self._drawn == 1:
            # From its beginning, so that what the program itself prints meanwhile is written over
            # this line and not behind it.
            self.console.control(Control(ControlType.CARRIAGE_RETURN))

    def _erase(self) -> None:
        if not self._drawn:
            return
        up: list[Any] = [(ControlType.CURSOR_UP, 1), (ControlType.ERASE_IN_LINE, 2)] * (
            self._drawn - 1
        )
        self._drawn = 0
        self.console.control(
            Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2), *up)
        )

    def _start_ticking(self) -> None:
        if self._ticker is None and not self._stopped.is_set():
            _ticking.add(self)
            self._ticker = threading.Thread(
                target=_tick,
                args=(weakref.ref(self), self._stopped),
                name="fumehood-screen",
                daemon=True,
            )
            self._ticker.start()

    def tick(self) -> bool:
        """Whether there is more to do."""
        with self._lock:
            if self._moving and not self.broken:
                self.refresh()
                return True
            self._ticker = None
            return False


def _is_terminal(console: Console) -> bool:
    try:
        # Rich may be told to take any stream for a terminal, so that colours go through a pipe;
        # lines cannot be taken away there.
        return console.is_terminal and console.file.isatty()
    except (OSError, ValueError, AttributeError):
        return False


def _ruled(rule: Rule, width: int) -> Text:
    words = rule.text.copy()
    words.truncate(max(width - 8, 4), overflow="crop")
    line = Text.assemble((rule.dash * 2, rule.style), " ", words, " ")
    return line.append(rule.dash * max(width - line.cell_len, 2), rule.style)


def _tick(screen: weakref.ref[Screen], stopped: threading.Event) -> None:
    while not stopped.wait(_REFRESH_SECONDS):
        shown = screen()
        if shown is None or not shown.tick():
            return
        del shown


_latest: weakref.ref[Screen] | None = None
_screens: weakref.WeakValueDictionary[int, Screen] = weakref.WeakValueDictionary()
_screens_lock = threading.Lock()
_ticking: weakref.WeakSet[Screen] = weakref.WeakSet()


# A copy of the process has none of its threads, and a lock that one of them held stays locked
# there.
os.register_at_fork(after_in_child=_ticking.clear)


@atexit.register
def _stop_all() -> None:
    for screen in list(_ticking):
        screen.stop()


def screen_of(target: Console | IO[str]) -> Screen:
    """The screen of a console or a stream: while somebody has it, the same one, so that those who
    share it know of each other."""
    global _latest
    with _screens_lock:
        found = _screens.get(
            id(target)
        )  # a screen keeps its target, so while it lives nothing else has this id
        if found is None:
            given = isinstance(target, Console)
            console = target if isinstance(target, Console) else _console_for(target)
            found = _screens[id(target)] = Screen(console, wraps=given or _is_terminal(console))
        _latest = weakref.ref(found)
        return found


def standard_output() -> Screen | None:
    """The screen of sys.stdout; None in a program that has none.

    While code runs in this very process, sys.stdout is what the code prints to: an agent that the
    code calls is shown where the last one was shown.
    """
    stream = sys.stdout
    if stream is None or type(stream).__module__ == "fumehood.language.guarded.modules":
        latest = _latest() if _latest is not None else None
        if latest is not None or sys.__stdout__ is None:
            return latest
        stream = sys.__stdout__
    return screen_of(stream)
