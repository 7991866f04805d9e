"""`fumehood repl`: piped, and at a real (pseudo-)terminal."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from fumehood.errors import SandboxFailed
from fumehood.executors.local import LocalPythonExecutor

PATIENCE_SECONDS = 60
"""After this, silence is a failure and not a slow machine. Nothing is measured by it."""


# -- piped


@pytest.fixture
def piped(fumehood):
    def call(text, *options, **more):
        return fumehood("repl", "--inline", *options, stdin=text, **more)

    return call


def test_variables_stay_from_cell_to_cell_and_no_prompt_is_shown(piped):
    done = piped("x = 20\nx + 1\nprint('x is', x)\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "20\n21\nx is 20\n", "")


def test_blocks_end_with_a_blank_line_or_the_end_of_the_input(piped):
    done = piped("def double(x):\n    return 2 * x\n\ndouble(4)\nfor i in range(2):\n    print(i)")
    assert done.stdout == "8\n0\n1\n"


def test_a_failing_cell_does_not_end_the_session(piped):
    done = piped("x = 1\nx / 0\nimport subprocess\ndef f(:\nx + 1\n")
    assert done.returncode == 0
    assert done.stdout == "1\n2\n"
    assert "ZeroDivisionError" in done.stderr
    assert "import subprocess: this module is not authorized" in done.stderr
    assert "fumehood: 1:7: syntax error: invalid syntax\n" in done.stderr


def test_a_time_limit_holds_for_each_cell_and_the_session_goes_on(piped):
    done = piped("x = 5\nwhile True: pass\n\nx\n", "--timeout", "0.2")
    assert (done.returncode, done.stdout) == (0, "5\n5\n")
    assert "TimeLimit: " in done.stderr


def test_bytes_that_are_not_utf8_do_not_end_the_session(piped):
    done = piped(b"'\xff'\n1 + 1\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "fumehood: not UTF-8\n")


# -- piped, in the jail


@pytest.fixture
def piped_jailed(jail, fumehood_here):
    def call(text, *options):
        return fumehood_here("repl", *options, stdin=text)

    return call


def test_in_the_jail_who_shows_copies_and_what_cannot_be_copied(piped_jailed):
    done = piped_jailed("total = [1, 2]\ndef f(): pass\n\n%who\n%reset\n%who\ntotal\n")
    listed = done.stdout.splitlines()[1:]
    assert listed[0].startswith("f      <function f at 0x")
    assert listed[1:] == ["total  [1, 2]"]
    assert "NameError" in done.stderr


def test_names_that_code_gives_its_variables_cannot_do_anything_to_the_terminal(piped_jailed):
    done = piped_jailed("globals()['\\x1b[2J\\n' + 'n' * 100_000] = 1\nx = 2\n%who\n")
    assert "nnn…nnn" in done.stdout
    assert "\x1b" not in done.stdout
    assert len(done.stdout) < 1_000
    assert done.stdout.splitlines()[-1].split() == ["x", "2"]


def test_files_lists_what_is_in_the_lab(piped_jailed):
    done = piped_jailed(
        "open('long-name.txt', 'w').write('x' * 1234)\nopen('b',"
        " 'w').write('')\n%files\n%reset\n%files\n",
        "--files",
    )
    assert done.stdout == "1234\n0\nb              0 bytes\nlong-name.txt  1,234 bytes\n"


def test_a_cell_that_kills_its_process_does_not_end_the_session_nor_lose_its_variables(
    piped_jailed,
):
    done = piped_jailed(
        "import ctypes\nx = 1\nctypes.string_at(0)\n1 + 1\nx\n", "--import", "ctypes"
    )
    assert (done.returncode, done.stdout) == (0, "1\n2\n1\n")
    assert "SIGSEGV" in done.stderr


def test_an_interrupt_ends_piped_cells_and_what_would_follow(jail, tmp_path):
    command = [sys.executable, "-m", "fumehood.cli", "repl"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **pipes) as process:
        process.stdin.write("if True:\n    print('running')\n    while True: pass\n\n'next'\n")
        process.stdin.flush()
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, stdout, stderr) == (130, "", "fumehood: interrupted\n")


def test_a_sandbox_that_can_no_longer_be_had_is_a_line_per_cell(jail, fumehood_here, monkeypatch):
    def refuse(self, code, stdin=None):
        raise SandboxFailed("the sandbox died")

    monkeypatch.setattr(LocalPythonExecutor, "run", refuse)
    done = fumehood_here("repl", stdin="1\n2\n")
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "",
        "fumehood: the sandbox died\n" * 2,
    )
    done = fumehood_here("run", "-", stdin="1")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "fumehood: the sandbox died\n")


# -- at a terminal


class Terminal:
    """Types into a pseudo-terminal and waits for what is shown there."""

    def __init__(self, home, environment=None, options=("--inline",)):
        self.near, far = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fumehood.cli", "repl", *options],
            stdin=far,
            stdout=far,
            stderr=far,
            cwd=home,
            # A dumb terminal keeps readline from drawing, so that what is shown can be compared as
            # text.
            env={
                **os.environ,
                "HOME": str(home),
                "XDG_STATE_HOME": "",
                "TERM": "dumb",
                "NO_COLOR": "1",
            }
            | (environment or {}),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(far)
        self.shown = ""

    def see(self, text, patience=PATIENCE_SECONDS):
        """Waits until the text is shown, and takes everything up to and including it from what was
        shown."""
        assert self.shows(text, patience), f"waited for {text!r}, saw {self.shown!r}"
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def shows(self, text, patience):
        end = time.monotonic() + patience
        while text not in self.shown:
            ready, _, _ = select.select([self.near], [], [], max(0, end - time.monotonic()))
            piece = self.read() if ready else ""
            if not piece:
                return False
            self.shown += piece
        return True

    def read(self):
        try:
            return os.read(self.near, 4096).decode(errors="replace")
        except OSError as error:
            if error.errno == errno.EIO:  # how Linux says that the other end is gone
                return ""
            raise

    def type(self, text):
        os.write(self.near, text.encode())

    def enter(self, line):
        self.type(line + "\r")

    def interrupt(self):
        """Presses Ctrl-C, and again if nothing comes of it: readline may notice one only at the
        next key.

        What was typed must have been taken by then: Ctrl-C throws away what has not, and what has
        not been shown yet.
        """
        for _ in range(PATIENCE_SECONDS // 5):
            self.type("\x03")
            if self.shows(">>> ", patience=5):
                break
        self.see(">>> ")
        # If it took two, the second may still be on its way, and would drop the next line: so lines
        # are sent until one is answered.
        for number in range(PATIENCE_SECONDS // 5):
            self.enter(f"'settled' + ' {number}'")
            if self.shows(answer := f"'settled {number}'\r\n>>> ", patience=5):
                break
        self.see(answer)

    def wait_for_the_cell_to_run(self):
        # The time limit listens for its signal exactly while a cell runs.
        while True:
            assert self.process.poll() is None
            caught = (
                Path(f"/proc/{self.process.pid}/status")
                .read_text()
                .partition("SigCgt:")[2]
                .split()[0]
            )
            if int(caught, 16) >> (signal.SIGALRM - 1) & 1:
                return

    def leave(self):
        """Presses Ctrl-D, which means the end of the input only while the prompt is shown."""
        self.type("\x04")
        self.shows("what nobody types, so that all is read", PATIENCE_SECONDS)
        return self.process.wait(PATIENCE_SECONDS)

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.near)


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def start(environment=None, options=("--inline",)):
        opened.append(Terminal(tmp_path, environment, options))
        opened[-1].see(">>> ")
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def test_a_session_keeps_variables_and_takes_blocks_of_many_lines(terminal):
    session = terminal()
    session.enter("x = 20")
    session.see("20\r\n>>> ")
    session.enter("def double(n):")
    session.see("... ")
    session.enter("    return 2 * n")
    session.see("... ")
    session.enter("")
    session.see(">>> ")
    session.enter("double(x) + 2")
    session.see("42\r\n>>> ")
    assert session.leave() == 0


def test_history_comes_back_with_the_arrow_key_in_this_and_the_next_session(terminal, tmp_path):
    session = terminal()
    session.enter("6 * 7")
    session.see("42\r\n>>> ")
    session.type("\x1b[A")
    session.enter("")
    session.see("42\r\n>>> ")
    assert session.leave() == 0
    kept = tmp_path / ".local" / "state" / "fumehood" / "history"
    assert kept.read_text().splitlines()[-1] == "6 * 7"
    assert kept.stat().st_mode & 0o077 == 0

    later = terminal()
    later.type("\x1b[A")
    later.enter(" + 1")
    later.see("43\r\n>>> ")
    assert later.leave() == 0


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs /proc to see when the cell runs"
)
def test_interrupting_stops_the_cell_that_runs_and_keeps_the_variables(terminal):
    session = terminal()
    session.enter("x = 5")
    session.see("5\r\n>>> ")
    session.enter("while True: x += 0")
    session.see("... ")
    session.enter("")
    session.wait_for_the_cell_to_run()
    session.interrupt()
    session.enter("x + 1")
    session.see("6\r\n>>> ")
    assert session.leave() == 0


# -- at a terminal, in the jail


@pytest.fixture
def jailed_terminal(jail, terminal):
    return lambda: terminal(options=())


def start_cell(session, *lines):
    """Enters a block that says when it runs, and waits for that."""
    for line in lines:
        session.enter(line)
        session.see("... ")
    session.enter("")
    session.see("running\r\n")


def test_a_second_interrupt_ends_a_cell_that_does_not_stop_and_the_session_goes_on(jailed_terminal):
    session = jailed_terminal()
    session.enter("x = 5")
    session.see("5\r\n>>> ")
    # One C call that never looks for signals.
    start_cell(
        session,
        "for _ in [1]:",
        "    print('run' + 'ning')",
        "    sum(x for x in ()) or max(iter(int, 1))",
    )
    session.type("\x03")
    session.type("\x03")
    session.see(">>> ")
    session.enter("1 + 1")
    session.see("2\r\n>>> ")
    assert session.leave() == 0
