"""Command lines that would read what is not theirs, take more than there is or leave something
behind; and a host with nothing to give."""

from __future__ import annotations

import contextlib
import gc
import resource
import threading
from pathlib import Path

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy, SandboxFailed
from fumehood.executors.commands import Command

from .conftest import GUARDED, made, run_line
from .hosts import wait_until


def test_without_files_in_the_policy_a_command_has_none() -> None:
    for executor in made(Policy(language="guarded")):
        for line in (
            "cat secret",
            "ls",
            "echo x > y",
            "cat < secret",
            "echo *",
            "grep -r s .",
            "find .",
            "cp secret z",
            "cd /",
            "python secret",
        ):
            done = run_line(executor, line)
            assert done.exit_code != 0 or line == "echo *", line
        assert (
            run_line(executor, "echo *; echo a | tr a b; python -c 'print(1)'; pwd").stdout
            == b"*\nb\n1\n/home/user\n"
        )


OUT = (
    "cat /etc/shadow",
    "cat /proc/1/environ",
    "cat /home/user/../../etc/shadow",
    "ln -s /etc out; cat out/shadow",
    "ln -s / root; cat root/etc/shadow",
    "mkdir -p a/b; ln -s ../../../etc a/b/l; mv a/b/l .; cat l/shadow",
    "cd /etc && cat shadow",
    "head -c 10 /etc/shadow",
    "python -c 'print(open(\"/etc/shadow\").read())'",
    "sh /etc/shadow",
    ". /etc/shadow",
    "while read l; do echo $l; done < /etc/shadow",
    "base64 /etc/shadow",
    "cat $(echo /etc/shadow)",
    "cat /proc/self/root/etc/shadow",
    "grep -r . /etc/shadow",
    "diff /etc/shadow /dev/null",
    "sed p /etc/shadow",
    "cp /etc/shadow . && cat shadow",
    "echo x > /etc/new",
    "echo x >> /usr/lib/new",
    "touch /usr/new",
    "mkdir /new",
    "rm -rf /usr/lib",
    "ln -s /usr/lib lib; echo x > lib/new",
    "mv /etc/passwd .",
    "chmod 777 /etc/passwd",
    "tee /usr/lib/new < /dev/null",
    "sort -o /usr/lib/new /dev/null",
    "find /etc -delete",
    "./nosuch",
    "kill -9 1",
)


@pytest.mark.parametrize("line", OUT)
def test_nothing_outside_is_read_or_changed(line: str, either: LocalPythonExecutor) -> None:
    """Where the language is off it is the kernel that refuses."""
    done = run_line(either, "rm -rf /home/user/*; " + line)
    assert done.error is None
    assert b"root:" not in done.stdout
    assert done.exit_code != 0, done
    assert b"Traceback" not in done.stderr or "python" in line


def test_where_the_language_is_guarded_a_command_sees_what_a_cell_does(
    guarded: LocalPythonExecutor,
) -> None:
    run_line(guarded, "rm -rf *; ln -s /usr/lib lib; ln -s /proc/self self")
    for line in (
        "ls /",
        "ls /usr/lib",
        "ls lib/",
        "cat self/environ",
        "echo /usr/li[b]",
        "find /",
        "stat /etc",
        "readlink -f lib",
        "du /usr",
        "cd lib",
    ):
        done = run_line(guarded, line)
        assert done.exit_code != 0 or done.stdout == b"/usr/li[b]\n", (line, done)
        assert b"python" not in done.stdout


BOMBS = (
    "x=a; while true; do x=$x$x; done",
    "x=$(yes); echo ${#x}",
    "mkdir -p " + " ".join(f"d{n}" for n in range(30)) + "; echo " + "*/../" * 40,
    "printf 'sh bomb.sh | sh bomb.sh\\n' > bomb.sh; sh bomb.sh",
    "printf '. ./self.sh\\n' > self.sh; . ./self.sh",
    "printf 'sh self.sh\\n' > self.sh; sh self.sh",
    "echo " + "$(" * 10_000 + ")" * 10_000,
    "echo " + "a" * (10 << 20),
    "echo \0",
    "echo \ud800",
    "yes | sort",
    "seq 1000000000000 | tail -1",
    "f=$(printf '%s' "
    + "a" * 100_000
    + "); for i in 1 2 3 4 5 6 7 8 9; do f=$f$f; done; echo $f | wc -c",
    "printf '%1000000000d' 1",
    "printf '%*d' 99999999999999999999 1",
    "head -c 999999999999 /dev/urandom > big",
    "seq 100000 | while read n; do > f$n; done",
    "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | grep -E '(a*)*$c'",
    "sleep 1e9",
    "python -c 'x = [0]\nwhile True: x += x'",
)


@pytest.mark.parametrize("line", BOMBS, ids=range(len(BOMBS)))
def test_a_bomb_ends_by_a_limit_and_the_sandbox_lives_on(line: str) -> None:
    limits = Limits(
        memory_bytes=128 << 20,
        lab_bytes=8 << 20,
        lab_files=1000,
        output_bytes=4 << 20,
        processes=20,
    )
    for executor in made(Policy(files=True, limits=limits)):
        executor.run("kept = 1")
        done = run_line(executor, line, timeout_seconds=0.8)
        assert 0 <= done.exit_code <= 255
        assert len(done.stdout) + len(done.stderr) <= limits.output_bytes
        assert done.error is not None or done.exit_code != 0 or done.stdout
        assert run_line(executor, "echo alive").stdout == b"alive\n"
        assert executor.run("kept").value == 1


def test_commands_leave_nothing_behind(plain: LocalPythonExecutor) -> None:
    before = threading.active_count()
    commands: list[Command] = [plain.command(f"echo {n} | cat") for n in range(6)]
    assert [command.wait(60).stdout for command in commands] == [b"%d\n" % n for n in range(6)]
    wait_until(lambda: threading.active_count() <= before, "their threads to end")
    count = "import os\nlen([name for name in os.listdir('/proc') if name.isdigit()])"
    wait_until(
        lambda: plain.run(count).value == 2, "nobody to be left but the keeper and the runner"
    )


def _open_here() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def test_a_process_that_can_open_nothing_more_is_told_so_and_the_sandbox_lives_on() -> None:
    for executor in made(GUARDED):
        executor.run("kept = 1")
        run_line(executor, "true")
        most, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        before = _open_here()
        for more in range(1, 18, 2):
            resource.setrlimit(resource.RLIMIT_NOFILE, (before + more, hard))
            try:
                with contextlib.suppress(SandboxFailed):
                    executor.command("true").kill()
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        assert run_line(executor, "echo alive").stdout == b"alive\n"
        assert executor.run("kept").value == 1
    gc.collect()  # what was begun and could not be is in circles
    wait_until(lambda: _open_here() <= before, "everything to be closed")
