"""UserInputTool: asks whoever sits at the terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from fumehood.errors import ToolError
from fumehood.tools.prompting import plain
from fumehood.tools.tool import Tool

MOST_CHARACTERS = 4_000
"""How much of a question is shown."""

TERMINAL = threading.Lock()
"""There is one terminal, and one question at a time. Whoever draws on it waits meanwhile."""


class UserInputTool(Tool):
    """Asks a question on the terminal and gives the line that is typed. `ask` is another way to
    ask: it takes the question."""

    name = "user_input"
    description = (
        "Asks the user a question and returns what they type. Use it only for what nobody else can"
        " know."
    )

    def __init__(self, ask: Callable[[str], str] | None = None) -> None:
        super().__init__()
        self._ask = ask or _ask_on_terminal

    def forward(self, question: str) -> str:
        """
        Args:
            question: The question, in one or two sentences.

        Returns:
            The line that was typed.
        """
        shown = plain(question).strip()
        if len(shown) > MOST_CHARACTERS:
            shown = f"{shown[:MOST_CHARACTERS]}…"
        with TERMINAL:
            return self._ask(shown)


def _ask_on_terminal(question: str) -> str:
    # Inline, sys.stdout is the cell's while it runs.
    stdin, own = sys.stdin, sys.__stdout__
    stdout = own if own is not None and not own.closed and own.isatty() else sys.stdout
    if stdin is None or stdin.closed or not stdin.isatty():
        raise ToolError(
            "the user cannot be asked: standard input is not a terminal; go on without asking"
        )
    print(f"\n{question}", file=stdout)
    print("> ", end="", file=stdout, flush=True)
    try:
        line = stdin.readline()
    except (OSError, ValueError) as error:
        raise ToolError(f"the user cannot be asked: {error}") from None
    if not line:
        raise ToolError(
            "the user gave no answer: the end of the input was reached; go on without asking"
        )
    return line.rstrip("\r\n")
