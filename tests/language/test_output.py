"""Whose text is whose: a cell's goes to its buffer, and what the host's other threads write
meanwhile to the host's own streams."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.language.guarded.modules import catching_output


def in_another_thread(task: Callable[[], Any]) -> Any:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(task()))
    thread.start()
    thread.join()
    return results[0]


@contextmanager
def a_host() -> Iterator[io.StringIO]:
    """Its standard output. Not a fixture: pytest puts its own stream there after those."""
    with redirect_stdout(io.StringIO()) as stream:
        yield stream


def test_another_thread_of_the_host_has_its_stream_while_a_cell_runs() -> None:
    caught = io.StringIO()

    def write() -> tuple[bool, bool]:
        sys.stdout.write("from ")
        sys.stdout.writelines(["the ", "host"])
        sys.stdout.flush()
        return sys.stdout.isatty(), sys.stdout.seekable()

    with a_host() as host, catching_output(caught):
        print("from the cell")
        sys.stdout.writelines(["and ", "more"])
        sys.stdout.flush()
        assert in_another_thread(write) == (False, True), "any part of its stream is there"
    assert (caught.getvalue(), host.getvalue()) == ("from the cell\nand more", "from the host")


def test_the_host_has_its_stream_back_after_the_cell() -> None:
    with a_host() as host:
        with catching_output(io.StringIO()):
            assert sys.stdout is not host
        assert sys.stdout is host


def test_a_library_that_a_cell_calls_finds_nothing_of_the_host_in_its_stream() -> None:
    with a_host(), catching_output(io.StringIO()):
        assert (sys.stdout.encoding, sys.stdout.errors, sys.stdout.isatty()) == (
            "utf-8",
            "backslashreplace",
            False,
        )
        with pytest.raises(AttributeError, match="no getvalue while a cell runs"):
            _ = sys.stdout.getvalue  # type: ignore[attr-defined]


def test_a_cell_within_a_cell_has_its_own_text_and_the_outer_one_goes_on_after_it() -> None:
    outer, inner = io.StringIO(), io.StringIO()
    with a_host() as host, catching_output(outer):
        print("one")
        with catching_output(inner):
            print("two")
        print("three")
    assert (outer.getvalue(), inner.getvalue(), host.getvalue()) == ("one\nthree\n", "two\n", "")


def test_a_stream_that_somebody_put_there_meanwhile_stays() -> None:
    other = io.StringIO()
    with a_host():
        with catching_output(io.StringIO()):
            sys.stdout = other
        assert sys.stdout is other


def test_the_stream_that_code_is_given_can_be_written_and_nothing_else() -> None:
    code = """
import sys
sys.stdout.writelines(["b", "c"])
sys.stdout.flush()
sys.stdout.close()
stream = sys.stdout
[stream.isatty(), stream.readable(), stream.writable(), stream.seekable(), stream.closed,
 stream.encoding, stream.errors, stream.name, hasattr(stream, "buffer")]
"""
    execution = LocalPythonExecutor(isolation="inline").run(code)
    assert execution.logs == "bc"
    assert execution.value == [
        *(False, False, True, False, False, "utf-8", "backslashreplace", "stdout", False)
    ]
