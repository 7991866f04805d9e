"""Cells run as a notebook runs them."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy

from .conftest import MakeExecutor


class Seen:
    """What a watcher was told, in order."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, Any]] = []

    def printed(self, stream: str, text: str) -> None:
        if self.rows and self.rows[-1][0] == stream:
            text = self.rows.pop()[1] + text
        self.rows.append((stream, text))

    def displayed(self, bundle: dict[str, str | bytes], is_value: bool) -> None:
        self.rows.append(("value" if is_value else "display", bundle["text/plain"]))


def seen(executor: LocalPythonExecutor, code: str) -> list[tuple[str, Any]]:
    watcher = Seen()
    execution = executor.run_as_notebook(code, watcher)
    assert execution.value is None
    return watcher.rows


@pytest.mark.parametrize("language", ["guarded", "off"])
def test_streams_keep_their_order_and_nothing_comes_before_what_was_printed_before_it(
    make_jailed: MakeExecutor, language: Any
) -> None:
    executor = make_jailed(policy=Policy(language=language))
    code = (
        "import sys\nprint('one')\nprint('two',"
        " file=sys.stderr)\ndisplay('three')\nprint('four')\n'five'"
    )
    rows = seen(executor, code)
    assert [row for row in rows if row[0].startswith("std")] == [
        ("stdout", "one\n"),
        ("stderr", "two\n"),
        ("stdout", "four\n"),
    ]
    assert rows.index(("stderr", "two\n")) < rows.index(("display", "'three'")) and rows[-1] == (
        "value",
        "'five'",
    )


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("1 + 1", "2"),
        ("x = 2", None),
        ("None", None),
        ("2;", None),
        ("2 ; # said", None),
        ("'a;b'", "'a;b'"),
        ("2 # ; not said", "2"),
        ("if True:\n    2", None),
        ("'é'\r\n'ü'", "'ü'"),
        ("", None),
    ],
)
def test_the_value_is_shown_if_the_last_statement_is_an_expression(
    jailed: LocalPythonExecutor, code: str, shown: str | None
) -> None:
    assert seen(jailed, code) == ([] if shown is None else [("value", shown)])


def test_a_value_of_any_kind_is_shown_and_stays_where_it_is(jailed: LocalPythonExecutor) -> None:
    jailed.run_as_notebook(
        "class Own:\n    def __repr__(self): return 'shown'\nown = Own()", Seen()
    )
    assert seen(jailed, "own") == [("value", "shown")]


def test_an_error_is_in_the_outcome_with_all_of_its_message(jailed: LocalPythonExecutor) -> None:
    execution = jailed.run_as_notebook("raise ValueError('x' * 100_000)", Seen())
    assert (
        execution.error is not None
        and execution.error.message == "x" * 100_000
        and len(execution.error.traceback) < 10_000
    )
    plain = jailed.run("raise ValueError('x' * 100_000)").error
    assert plain is not None and len(plain.message) < 10_000


def test_what_a_watcher_raises_is_raised_when_the_cell_is_over(jailed: LocalPythonExecutor) -> None:
    class Raising(Seen):
        def printed(self, stream: str, text: str) -> None:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        jailed.run_as_notebook("print(1)\nx = 'ran on'", Raising())
    assert jailed.run("x").value == "ran on"


def test_no_more_is_told_than_a_cell_may_print(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(imports=("sys",), limits=Limits(output_bytes=10_000)))
    watcher = Seen()
    execution = executor.run_as_notebook(
        "import sys\nwhile True: print('x' * 99, file=sys.stderr)", watcher
    )
    assert execution.fault == "output" and sum(len(text) for _, text in watcher.rows) <= 10_000


def test_marks_that_code_writes_itself_do_nothing_but_change_the_heading(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(language="off"))
    assert seen(executor, "import os\n_ = os.write(1, b'\\xff2forged')") == [("stderr", "forged")]
    assert seen(executor, "print('next')") == [("stdout", "next\n")]


def test_standard_error_is_a_stream_as_libraries_expect_one(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(language="off"))
    code = (
        "import sys, logging, warnings,"
        " traceback\nlogging.warning('logged')\nwarnings.warn('warned')\nsys.stderr.writelines(['a',"
        " 'b\\n'])\n(sys.stderr.fileno(), sys.stderr.isatty(), sys.stderr.encoding,"
        " sys.stderr.writable(), sys.stderr.closed)"
    )
    rows = seen(executor, code)
    assert [name for name, _ in rows] == ["stderr", "value"] and rows[1][
        1
    ] == "(2, False, 'utf-8', True, False)"
    assert all(word in rows[0][1] for word in ("logged", "warned", "ab\n"))


def test_with_validators_everything_is_told_after_they_have_seen_it(
    make_jailed: MakeExecutor,
) -> None:
    pytest.importorskip("detect_secrets")
    from fumehood import Secrets

    executor = make_jailed(validators=[Secrets()])
    watcher = Seen()
    executor.run_as_notebook("print('AKIA' + 'IOSFODNN7EXAMPLF')\n'value'", watcher)
    text = "".join(text for name, text in watcher.rows if name == "stdout")
    assert text and "IOSFODNN7" not in text and ("value", "'value'") in watcher.rows


@pytest.mark.extended
def test_a_figure_is_shown_once_and_after_the_value(make_jailed: MakeExecutor) -> None:
    pytest.importorskip("matplotlib")
    executor = make_jailed(["matplotlib"])
    rows = seen(
        executor,
        "import matplotlib.pyplot as plt\nfig, axes = plt.subplots()\naxes.plot([1, 2])\n'value'",
    )
    assert [name for name, _ in rows] == ["value", "display"]
    assert [name for name, _ in seen(executor, "plt.plot([1])\nplt.gcf()")] == ["value"]
