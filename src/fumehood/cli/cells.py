"""From lines to cells: when does what was typed so far make a whole cell?

As in Python's own prompt, a simple statement is a cell of its own and a blank line ends a block.
Unlike there,
statements that follow a block without a blank line belong to its cell, so that pasted and piped
programs work.
"""

from __future__ import annotations

import ast
import codeop
import warnings

from fumehood.cli.source import LONGEST_SOURCE, describe_syntax_error


class NotACell(Exception):
    """The lines so far can never become a cell; the text is one line that says why."""


class Cells:
    """Collects lines. `add` gives the cell that a line completes, or None while more is needed."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0

    @property
    def started(self) -> bool:
        return bool(self._lines)

    def drop(self) -> None:
        self._lines.clear()
        self._length = 0

    def add(self, line: str) -> str | None:
        """Raises NotACell, and forgets the lines, when no further line could make them valid."""
        if not self._lines and not line.strip():
            return None
        self._lines.append(line)
        self._length += len(line) + 1
        source = "\n".join(self._lines)
        try:
            complete = self._is_complete(source, ends_blank=not line.strip())
        except NotACell:
            self.drop()
            raise
        if not complete:
            return None
        self.drop()
        return source

    def end(self) -> str | None:
        """What was collected when the input ends, as a last cell. Unfinished, it fails when it is
        run."""
        source = "\n".join(self._lines)
        self.drop()
        return source or None

    def _is_complete(self, source: str, *, ends_blank: bool) -> bool:
        if self._length > LONGEST_SOURCE:
            raise NotACell(f"longer than the limit of {LONGEST_SOURCE:,} characters for one cell")
        try:
            try:
                # "single" holds one statement, and a block in it only counts as complete after a
                # blank line.
                return _compiles(source, "single")
            except SyntaxError:
                return _compiles(source, "exec") and ends_blank
        except SyntaxError as error:
            raise NotACell(describe_syntax_error(error)) from None
        except (MemoryError, RecursionError):
            raise NotACell("nested too deeply for Python's parser") from None
        except UnicodeEncodeError:
            raise NotACell("not UTF-8") from None
        except (ValueError, OverflowError) as error:
            raise NotACell(str(error)) from None


def _compiles(source: str, kind: str) -> bool:
    """False when more lines are needed; raises what the compiler raises when no more lines can
    help."""
    compiler = codeop.CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compiler(source, "<cell>", kind) is not None
