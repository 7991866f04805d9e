"""Line editing and history of the prompt, through the standard library's readline where there is
one.

Nothing here may keep the prompt from working: a home that cannot be written to only means that
history is not kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

try:
    import readline
except ImportError:  # a Python built without it still has input()
    readline = None  # type: ignore[assignment]

LONGEST_HISTORY = 2_000


def history_file() -> Path | None:
    """$XDG_STATE_HOME/fumehood/history, or the same below ~/.local/state; None when there is no
    home."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):  # noqa: PTH117
        try:
            state = str(Path.home() / ".local" / "state")
        except RuntimeError:
            return None
    return Path(state) / "fumehood" / "history"


@contextlib.contextmanager
def kept_history(names: Callable[[], Iterable[str]]) -> Iterator[None]:
    """While this lasts, lines are edited with history and Tab completes the names given by
    `names`."""
    if readline is None:
        yield
        return
    path = history_file()
    readline.set_completer(_completer(names))
    readline.parse_and_bind("tab: complete")
    if path is not None:
        with contextlib.suppress(OSError):
            readline.read_history_file(path)
    try:
        yield
    finally:
        readline.set_completer(None)
        if path is not None:
            with contextlib.suppress(OSError):
                _write(path)


def _write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Only for its owner: what people type at a prompt may hold secrets.
    path.touch(mode=0o600)
    readline.set_history_length(LONGEST_HISTORY)
    readline.write_history_file(path)


def _completer(names: Callable[[], Iterable[str]]) -> Callable[[str, int], str | None]:
    def complete(text: str, state: int) -> str | None:
        if not text:
            # Tab at the start of a line indents.
            return "    " if state == 0 else None
        # Names only: completing attributes would have to read them from objects that untrusted code
        # made.
        found = sorted(name for name in names() if name.startswith(text))
        return found[state] if state < len(found) else None

    return complete
