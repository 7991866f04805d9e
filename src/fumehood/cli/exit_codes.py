"""How a command ends: one table for all of them. `fumehood --help` shows it; what a number means of
a command is in that one's --help."""

from __future__ import annotations

CODE_FAILED = 1
BAD_INPUT = 2
NO_ISOLATION = 3
STEPS_USED_UP = 4
TIME_USED_UP = 5
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended

EXIT_CODES = {
    0: "done",
    CODE_FAILED: (
        "done, and the outcome is not a good one: the code failed or was refused, logs differ,"
        " something got out"
    ),
    BAD_INPUT: "bad usage or input: nothing was run; this is also what wrong options end with",
    NO_ISOLATION: (
        "there is no place to run code in: the isolation, the engine or the service that was asked"
        " for cannot be had"
    ),
    STEPS_USED_UP: "an agent's steps were used up",
    TIME_USED_UP: "an agent's time was used up",
    INTERRUPTED: "interrupted by Ctrl-C",
}


def as_help() -> str:
    """The table, for the end of a help text."""
    return "\n".join(
        ["Exit codes:", *(f"  {code:>3}  {means}" for code, means in EXIT_CODES.items())]
    )
