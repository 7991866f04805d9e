"""Reading a program: from FILE or standard input to text that Python can compile, or one line
saying why not."""

from __future__ import annotations

import ast
import codeop
import sys
import warnings
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from fumehood.cli.terminal import BAD_INPUT, fail
from fumehood.policy import Limits

LONGEST_SOURCE = Limits().source_characters
MOST_BYTES = 4 * LONGEST_SOURCE
"""What the longest source can take in UTF-8: the bound on what is read before anything is known
about it."""


@dataclass(frozen=True)
class Source:
    name: str
    text: str


def read_source(path: str) -> Source:
    """The program at the path, or on standard input for "-". Anything wrong with it ends the
    command, exit code 2."""
    name = "<stdin>" if path == "-" else path
    try:
        data = _read_bytes(path)
    except FileNotFoundError:
        fail(f"{name}: no such file", BAD_INPUT)
    except IsADirectoryError:
        fail(f"{name}: is a directory, not a file", BAD_INPUT)
    except PermissionError:
        fail(f"{name}: permission denied", BAD_INPUT)
    except OSError as error:
        fail(f"{name}: cannot be read: {error.strerror or error}", BAD_INPUT)
    if len(data) > MOST_BYTES:
        _fail_for_length(name)
    if (nul := data.find(b"\0")) >= 0:
        fail(f"{name}: contains a NUL byte at offset {nul}: this is not Python source", BAD_INPUT)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        fail(
            f"{name}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}", BAD_INPUT
        )
    # A byte order mark is no part of the program; Python's own file reader drops it too.
    text = text.removeprefix("\ufeff")
    if len(text) > LONGEST_SOURCE:
        _fail_for_length(name)
    if problem := syntax_problem(text):
        fail(f"{name}:{problem}", BAD_INPUT)
    return Source(name, text)


def syntax_problem(text: str) -> str | None:
    """None for a program that Python can compile, else "LINE:COLUMN: what is wrong". Nothing is
    run."""
    compiler = codeop.Compile()
    compiler.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            # A doubtful escape and the like is reported when the code is run; here it would be the
            # second time.
            warnings.simplefilter("ignore")
            compiler(text, "<program>", "exec")
    except SyntaxError as error:
        return describe_syntax_error(error)
    except (MemoryError, RecursionError):
        return "1:1: nested too deeply for Python's parser"
    return None


def describe_syntax_error(error: SyntaxError) -> str:
    """ "LINE:COLUMN: what is wrong", telling the parser's own limits from mistakes."""
    too_deep = error.msg in {"too many nested parentheses", "too many levels of indentation"}
    kind = "nested too deeply for Python's parser" if too_deep else "syntax error"
    return f"{error.lineno or 1}:{error.offset or 1}: {kind}: {error.msg}"


def _fail_for_length(name: str) -> NoReturn:
    fail(
        f"{name}: longer than the limit of {LONGEST_SOURCE:,} characters for one program", BAD_INPUT
    )


def _read_bytes(path: str) -> bytes:
    if path == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return _read_bounded(sys.stdin.buffer)
    with open(path, "rb") as file:  # noqa: PTH123
        return _read_bounded(file)


def _read_bounded(file: BinaryIO) -> bytes:
    # One byte past the limit is enough to know. Asking for the size instead would trust devices and
    # pipes.
    return file.read(MOST_BYTES + 1)
