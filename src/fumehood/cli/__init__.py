"""The `fumehood` command. It needs the extra `cli`; the library does not, so nothing here is
imported by it."""

from __future__ import annotations

import errno
import os
import sys

_OUTPUT_LOST = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""What a disk says that takes no more. About a file it would come with the file's name."""


def main() -> None:
    """Run the command line and exit, as exit_codes.py says."""
    try:
        from fumehood.cli.app import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "fumehood":
            raise
        print(
            f"fumehood: the command line needs {missing}: pip install 'fumehood[cli]'",
            file=sys.stderr,
        )
        raise SystemExit(2) from None
    _have_streams()
    try:
        app(prog_name="fumehood")
    except OSError as error:
        if error.errno not in _OUTPUT_LOST or error.filename is not None:
            raise
        _give_output_up(error)
    finally:
        _see_output_off()


def _have_streams() -> None:
    """Whoever starts this may have closed them (`>&-`); what is written there is then for
    nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115


def _see_output_off() -> None:
    """Write what is still to be written: if Python did so itself, at the very end, it would say in
    its own words what is wrong."""
    output = sys.__stdout__
    if output is None or output.closed:
        return
    try:
        output.flush()
    except OSError as error:
        _give_output_up(error)


def _give_output_up(error: OSError) -> None:
    if sys.__stdout__ is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
    if not isinstance(error, BrokenPipeError):  # `fumehood … | head` has what it wants
        print(f"fumehood: the output could not be written: {error.strerror}", file=sys.stderr)
        raise SystemExit(1) from None
