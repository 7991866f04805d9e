"""The `fumehood` command. It needs the extra `cli`; the library does not, so nothing here is imported by it."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and exit, as exit_codes.py says."""
    try:
        from fumehood.cli.app import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "fumehood":
            raise
        print(f"fumehood: the command line needs {missing}: pip install 'fumehood[cli]'", file=sys.stderr)
        raise SystemExit(2) from None
    try:
        app(prog_name="fumehood")
    finally:
        _see_output_off()


def _see_output_off() -> None:
    """Nobody may be reading any more (`fumehood … | head`), and Python's own flush, at the very end, must not speak of it."""
    output = sys.__stdout__
    if output is None or output.closed:
        return
    try:
        output.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
