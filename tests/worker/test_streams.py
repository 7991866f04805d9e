"""Standard output of a runner: prompt while it is little, in larger pieces when it is a flood,
never lost and never twice."""

from __future__ import annotations

import subprocess
import sys

import pytest


def output_of(program: str) -> bytes:
    code = (
        "import os, sys\nfrom fumehood.worker.runner import Stream\nstream ="
        f" Stream()\nstream.take_standard_streams()\n{program}"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=True,
    )
    return ended.stdout


def test_both_streams_are_one_and_in_order_with_what_is_written_past_them() -> None:
    program = (
        "print('a')\nos.write(1, b'b\\n')\nprint('c', file=sys.stderr)\nos.write(2,"
        " b'd\\n')\nstream.end_cell()"
    )
    assert output_of(program) == b"a\nb\nc\nd\n"


@pytest.mark.parametrize("text", ["ü🐍", "\\ud800", "\\0", "\\r\\n"])
def test_text_of_every_kind_can_be_printed(text: str) -> None:
    expected = text.encode().decode("unicode_escape") if "\\" in text else text
    assert output_of(f"print('{text}', end='')\nstream.end_cell()") == expected.encode(
        "utf-8", "backslashreplace"
    )


def test_a_flood_is_written_in_larger_pieces_and_whole() -> None:
    program = (
        "writes = []\n"
        "for i in range(20_000): print(i)\n"
        "assert not stream.line_buffering\n"
        "stream.end_cell()\n"
        "assert stream.line_buffering\n"
        "print('prompt again')\n"
        "os._exit(0)"
    )
    assert output_of(program) == b"".join(b"%d\n" % i for i in range(20_000)) + b"prompt again\n"


def test_a_line_is_on_its_way_when_it_ends() -> None:
    assert output_of("print('whole')\nprint('half', end='')\nos._exit(0)") == b"whole\n"


def test_a_child_does_not_write_again_what_its_parent_has_printed() -> None:
    program = (
        "print('once', end='')\nchild = os.fork()\nif not child: print(' child'); stream.flush();"
        " os._exit(0)\nos.wait()\nstream.end_cell()"
    )
    assert output_of(program) == b"once child\n"
