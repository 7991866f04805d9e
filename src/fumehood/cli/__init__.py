"""The `fumehood` command. It needs the extra `cli`; the library does not, so nothing here is imported by it."""

from __future__ import annotations

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
    app(prog_name="fumehood")
