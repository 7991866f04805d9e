"""`fumehood run`: what goes where, and with which exit code. What only the jail can do is in
test_run_jailed.py."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def run(fumehood_here):
    def call(source, *options):
        return fumehood_here("run", "--inline", *options, "-", stdin=source)

    return call


def test_output_and_value_go_to_stdout(fumehood):
    done = fumehood("run", "--inline", "-", stdin="print('hello')\n6 * 7\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n42\n", "")


def test_a_final_answer_is_shown_as_such_even_when_it_is_none(run):
    assert run("final_answer(6 * 7)\nprint('never')").stdout == "final answer: 42\n"
    assert run("final_answer(None)").stdout == "final answer: None\n"


def test_an_exception_goes_to_stderr_with_its_traceback(run):
    done = run("print('before')\ndef half(x):\n    return x / 0\nhalf(4)\n")
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert "ZeroDivisionError: division by zero" in done.stderr
    assert "return x / 0" in done.stderr
    assert "fumehood" not in done.stderr


def test_all_violations_are_listed_with_place_and_reason(run):
    done = run("import subprocess\nx = 1\nx.__class__.__base__.__subclasses__()\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "1:8: import subprocess: this module is not authorized" in done.stderr
    assert "3:1: __subclasses__: " in done.stderr
    assert done.stderr.endswith("refused for 2 reasons; nothing was run\n")


def test_what_is_refused_while_running_is_shown_with_its_traceback(run):
    done = run("print('ran')\ngetattr((), '__subcl' + 'asses__')")
    assert (done.returncode, done.stdout) == (1, "ran\n")
    assert "line 2" in done.stderr
    assert "__subclasses__: " in done.stderr.splitlines()[-1]


def test_escape_sequences_do_not_reach_the_terminal_from_output_value_or_error(run):
    evil = r"'\x1b]0;title\x07\x1b[31mred\x1b[0m\x9b2J\x08\r'"
    assert run(f"print({evil})").stdout == "red2J\n"
    value = run(f"class Evil:\n    def __repr__(self): return {evil}\nEvil()")
    error = run(f"raise ValueError({evil})")
    for shown in (value.stdout, error.stderr):
        assert shown.strip()
        assert not set(shown) & {"\x1b", "\x9b", "\x07", "\x08", "\r"}


def test_a_value_whose_repr_raises_is_shown_all_the_same(run):
    done = run("class Evil:\n    def __repr__(self): raise SystemExit\nEvil()")
    assert done.returncode == 0
    assert "Evil" in done.stdout


@pytest.mark.extended
def test_a_value_that_never_says_what_it_is_does_not_hang_the_command(run):
    endless = "class Evil:\n    def __repr__(self):\n        while True: pass\n[Evil(), Evil()]"
    done = run(endless)
    assert done.returncode == 0
    assert done.stdout.startswith("<a value that takes more than")
    assert json.loads(run(endless, "--json").stdout)["value"].startswith(
        "<a value that takes more than"
    )


def test_a_misspelt_import_is_named_with_what_was_meant(run):
    done = run("1", "--import", "pandsa")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fumehood: cannot authorize 'pandsa'")
    assert "Did you mean 'pandas'?" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_dangerous_import_is_a_line_of_warning_each(fumehood):
    allowed = ["--import", "subprocess", "--import", "socket"]
    done = fumehood("run", "--inline", *allowed, "-", stdin="1")
    assert (done.returncode, done.stdout) == (0, "1\n")
    first, second = done.stderr.splitlines()
    assert first.startswith("fumehood: warning: authorizing 'subprocess': ")
    assert second.startswith("fumehood: warning: authorizing 'socket': ")


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs /proc to see when the cell runs"
)
def test_an_interrupt_ends_the_command_with_one_line(program):
    path = program("while True: pass")
    command = [sys.executable, "-m", "fumehood.cli", "run", "--inline", path]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        # The time limit listens for its signal exactly while the cell runs.
        while not caught_signals(process.pid) >> (signal.SIGALRM - 1) & 1:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stdout, stderr) == (130, "", "fumehood: interrupted\n")


def caught_signals(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("SigCgt:")[2].split()[0], 16)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_must_be_a_positive_number(run, seconds):
    done = run("1", "--timeout", seconds)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--timeout" in done.stderr


def test_without_a_jail_one_line_says_what_to_do_and_the_exit_code_is_3(fumehood_here, no_jail):
    for more in ([], ["--json"]):
        done = fumehood_here("run", *more, "-", stdin="1")
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith("fumehood: this kernel is from another century.")
        assert "--inline" in done.stderr
        assert "fumehood doctor" in done.stderr
        assert done.stderr.count("\n") == 1


def test_json_holds_everything_about_a_success(run):
    done = run("import math\nprint('\\x1b[31mred')\nmath.floor(2.5)", "--json")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert "\x1b" not in done.stdout
    outcome = json.loads(done.stdout)
    usage = outcome.pop("usage")
    assert outcome == {
        "value": "2",
        "is_final_answer": False,
        "logs": "\x1b[31mred\n",
        "error": None,
        "fault": None,
        "violations": [],
        "imports": ["math"],
        "displays": [],
    }
    assert usage["wall_seconds"] >= 0
    assert usage["cpu_seconds"] >= 0
    assert "peak_memory_bytes" in usage


def test_json_holds_everything_about_an_error(run):
    done = run("print(1)\nint('x')", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    outcome = json.loads(done.stdout)
    assert outcome["logs"] == "1\n"
    assert outcome["value"] is None
    assert outcome["error"]["type"] == "ValueError"
    assert outcome["error"]["line"] == 2
    assert outcome["error"]["message"] in outcome["error"]["traceback"]


def test_json_can_be_read_by_strict_readers_even_with_half_characters(run):
    done = run(r"print('\ud800')", "--json")
    assert json.loads(done.stdout)["logs"] == "\\ud800\n"
    assert json.loads(run("float('nan')", "--json").stdout)["value"] == "nan"


def test_advice_names_the_options_of_the_command_line(fumehood, program, jail):
    refused = fumehood("run", program("import ftplib, os"))
    assert "allow it with --import ftplib" in refused.stderr
    assert "allow it with --files or --import os" in refused.stderr
    assert "additional_authorized_imports" not in refused.stderr
    without_files = fumehood("run", program("open('x', 'w')"))
    assert without_files.stderr.splitlines()[-1].endswith("needs --files")


def test_a_program_reads_standard_input(fumehood, program, jail):
    done = fumehood("run", program("a = input('a? ')\nprint(a, input())"), stdin="1\n2\n")
    assert (done.returncode, done.stdout) == (0, "a? 1 2\n")
    ended = fumehood("run", program("input()"), stdin="")
    assert ended.stderr.splitlines()[-1].endswith("give it on standard input")
