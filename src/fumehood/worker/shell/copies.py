"""Copies of the shell's process, and how what runs in one ends: a part of a pipeline, $( … ), ( …
), Python, a long here-document."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable

from fumehood.worker import fork
from fumehood.worker.shell.calls import Out, encoded, reason
from fumehood.worker.shell.tree import Misread

_PIPE = 1 << 15
"""So much fits into a pipe that nobody reads yet."""

BROKEN_PIPE, MISUSED, NOT_RUN = 141, 2, 126


class Exit(Exception):
    """The shell ends."""

    def __init__(self, status: int) -> None:
        self.status = status


class Leave(Exception):
    """So many loops are left, or begin their next round."""

    def __init__(self, levels: int, *, goes_on: bool) -> None:
        self.levels, self.goes_on = levels, goes_on


class Copies:
    """What a shell can have done beside it. `on_copy` is called in every copy of this process
    before it does anything."""

    status = 0

    def __init__(self, on_copy: Callable[[], None]) -> None:
        self._on_copy = on_copy
        self._writers: list[int] = []

    def _begin_copy(self) -> None:
        """In a copy: what is the original's is not the copy's."""

    def complain(self, text: str) -> None:
        """Write a line to standard error."""
        with contextlib.suppress(OSError):  # nobody listens
            os.write(2, encoded(text.replace("\n", " ")[:4000] + "\n"))

    def _copy(self, main: Callable[[], int], closes: tuple[int | None, ...] = ()) -> int:
        """Start a process that does something and ends; gives its process id. OSError if there are
        too many already."""
        sys.stdout.flush()

        def be_copy() -> None:
            for descriptor in closes:
                if descriptor is not None:
                    os.close(descriptor)
            self._writers = []
            self._begin_copy()
            self._on_copy()
            try:
                raise SystemExit(main())
            except Exit as asked:
                raise SystemExit(asked.status) from None
            except Leave:
                raise SystemExit(self.status) from None
            except Misread as error:
                self.complain(f"sh: {error}")
                raise SystemExit(MISUSED) from None
            except BrokenPipeError:
                raise SystemExit(BROKEN_PIPE) from None
            except (OSError, RecursionError, MemoryError) as error:
                self.complain(f"sh: {reason(error)}")
                raise SystemExit(NOT_RUN) from None

        return fork.start(be_copy)

    def in_copy(self, main: Callable[[], int]) -> int:
        """Do something in a process of its own, and give its exit code."""
        return self._wait(self._copy(main))

    def _wait(self, pid: int) -> int:
        """The exit code of a process, as a shell gives it: 128 and the signal for one that was
        killed."""
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return 128 - code if code < 0 else code

    def _here(self, text: bytes) -> int:
        """A descriptor from which a text can be read. A pipe holds a short one; a longer one has
        somebody who writes it."""
        reads, writes = os.pipe()
        try:
            if len(text) <= _PIPE:
                os.write(writes, text)
            else:
                self._writers.append(self._copy(lambda: self._pour(text, writes), closes=(reads,)))
        except OSError:
            os.close(reads)
            raise
        finally:
            os.close(writes)
        return reads

    def _pour(self, text: bytes, writes: int) -> int:
        out = Out(writes)
        with contextlib.suppress(BrokenPipeError):
            out.write(text)
            out.flush()
        return 0

    def _see_writers_end(self) -> None:
        for writer in self._writers:
            self._wait(writer)
        self._writers.clear()
