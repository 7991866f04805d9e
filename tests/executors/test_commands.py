"""Command lines in a sandbox: what they do, what they are given, and how they end. What they may
not do is in test_commands_attacked.py."""

from __future__ import annotations

import os
import threading
from itertools import pairwise
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy, PolicyError, SandboxFailed, events
from fumehood.executors.commands import KILLED, TIMED_OUT, CommandResult
from fumehood.validation import Pattern

from ..seen import Seen
from .conftest import GUARDED, MakeExecutor, made, run_line, skip_where_nothing_can_be_branched
from .hosts import wait_until
from .test_identities import as_identity  # noqa: F401

# -- in every place


def test_a_command_has_files_input_output_and_an_end_wherever_it_runs(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=GUARDED)
    skip_where_nothing_can_be_branched(executor)
    executor.files.write("in.txt", "b\na\n")
    done = run_line(executor, "sort in.txt > out.txt; cat out.txt; echo trouble >&2; (exit 3)")
    assert done == CommandResult(b"a\nb\n", b"trouble\n", 3)
    assert executor.files.read("out.txt") == b"a\nb\n"
    assert executor.run("open('out.txt').read()").value == "a\nb\n"
    command = executor.command("read x; echo got $x; cat | tr a-z A-Z", stdin=True)
    command.send("first\n" + "rest " * 50_000)
    command.close_input()
    assert command.wait(120).stdout == b"got first\n" + b"REST " * 50_000
    assert run_line(executor, "seq 200000").stdout == b"".join(
        b"%d\n" % number for number in range(1, 200_001)
    )
    assert run_line(executor, "python -c 'print(6*7)' | cat; pwd").stdout == b"42\n/home/user\n"
    command = executor.command("sleep 1000 | cat; echo never")
    assert command.kill() and command.wait(60).exit_code == KILLED


# -- beside cells


def test_a_command_runs_while_a_cell_does(plain: LocalPythonExecutor) -> None:
    results: list[Any] = []
    code = (
        "import os, time\nopen('started', 'w').close()\nwhile not os.path.exists('go'):"
        " time.sleep(0.005)\nopen('go').read()"
    )
    thread = threading.Thread(target=lambda: results.append(plain.run(code)))
    thread.start()
    wait_until(lambda: plain.files.look("started") is not None, "the cell to begin")
    assert run_line(plain, "echo now > new; mv new go").exit_code == 0
    thread.join(60)
    assert results[0].value == "now\n"


def test_several_commands_run_at_the_same_time(guarded: LocalPythonExecutor) -> None:
    first = guarded.command("read x; echo $x > from_first", stdin=True)
    second = guarded.command("while [ ! -s from_first ]; do sleep 0.01; done; cat from_first")
    assert first.pid != second.pid
    first.send("hello\n")
    assert first.wait(60).exit_code == 0
    assert second.wait(60).stdout == b"hello\n"


def test_variables_are_not_a_command_s_and_its_python_begins_with_none(
    guarded: LocalPythonExecutor,
) -> None:
    guarded.run("kept = 5")
    done = run_line(guarded, "python -c 'print(kept)'")
    assert done.exit_code == 1 and b"NameError" in done.stderr
    run_line(guarded, "python -c 'kept = 6'")
    assert guarded.run("kept").value == 5


def test_what_a_command_has_written_outlives_a_cell_that_is_undone(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"), on_fault="rollback")
    skip_where_nothing_can_be_branched(executor)
    executor.run("x = 1")
    run_line(executor, "echo kept > file")
    assert (
        executor.run("import os; open('other', 'w').close(); os.kill(os.getpid(), 9)").fault
        is not None
    )
    assert executor.run("x").value == 1
    assert executor.files.read("file") == b"kept\n"
    assert run_line(executor, "cat file").stdout == b"kept\n"


def test_a_fork_s_commands_have_the_fork_s_files(plain: LocalPythonExecutor) -> None:
    run_line(plain, "echo before > shared")
    with plain.fork() as fork:
        run_line(fork, "echo fork > shared")
        assert run_line(plain, "cat shared").stdout == b"before\n"
        assert run_line(fork, "cat shared; pwd").stdout == b"fork\n/home/user\n"


def test_an_executor_beside_another_has_the_same_files(plain: LocalPythonExecutor) -> None:
    with plain.beside() as other:
        run_line(other, "echo beside > theirs")
        assert run_line(plain, "cat theirs").stdout == b"beside\n"


# -- streams and ends


def test_output_comes_while_the_command_runs(guarded: LocalPythonExecutor) -> None:
    heard: list[tuple[str, bytes]] = []
    command = guarded.command(
        "echo one; read x; echo two >&2; echo $x",
        stdin=True,
        on_output=lambda *piece: heard.append(piece),
    )
    pieces = iter(command)
    assert next(pieces) == ("stdout", b"one\n")
    assert command.is_running
    command.send("three\n")
    rest = [*pieces]
    assert sorted(rest) == [("stderr", b"two\n"), ("stdout", b"three\n")]
    assert sorted(heard) == sorted([("stdout", b"one\n"), *rest])
    # Two streams: which of them is read first is not said, and what follows of one is put together.
    said = {
        stream: b"".join(piece for name, piece in command if name == stream)
        for stream in ("stdout", "stderr")
    }
    assert said == {
        "stdout": b"one\nthree\n",
        "stderr": b"two\n",
    }, "whoever comes later hears it from the beginning"


def test_crumbs_take_no_more_room_than_they_have_bytes(plain: LocalPythonExecutor) -> None:
    plain.files.write(
        "crumbs.py", "import os\nfor n in range(3000): os.write(1, b'o'); os.write(2, b'e')"
    )
    command = plain.command("python crumbs.py; seq 3000 | while read n; do echo $n; done")
    pieces = [*command]
    done = command.wait(60)
    assert done.stderr == b"e" * 3000 and done.stdout == b"o" * 3000 + b"".join(
        b"%d\n" % n for n in range(1, 3001)
    )
    for source, whole in (("stdout", done.stdout), ("stderr", done.stderr)):
        assert b"".join(data for name, data in pieces if name == source) == whole
    later = [*command]
    assert len(later) < 7000 and all(a[0] != b[0] for a, b in pairwise(later)), (
        "what came together is told together"
    )


def test_without_input_a_command_sees_its_end_at_once(guarded: LocalPythonExecutor) -> None:
    assert run_line(guarded, "cat; echo done").stdout == b"done\n"
    command = guarded.command("true")
    with pytest.raises(SandboxFailed, match="stdin=True"):
        command.send("x")


def test_whoever_sends_to_a_command_that_is_over_is_told(guarded: LocalPythonExecutor) -> None:
    command = guarded.command("true", stdin=True)
    command.wait(60)
    with pytest.raises(SandboxFailed):
        command.send("x" * 1_000_000)
    assert not command.kill()


def test_after_its_time_a_command_is_ended_with_all_it_has_started(
    plain: LocalPythonExecutor,
) -> None:
    done = run_line(
        plain,
        "echo begun; sleep 1000 | sleep 1000 | python -c 'import time; time.sleep(1000)'",
        timeout_seconds=0.3,
    )
    assert done.exit_code == TIMED_OUT
    assert done.error == "it ran longer than 0.3 seconds and was stopped"
    count = "import os\nlen([name for name in os.listdir('/proc') if name.isdigit()])"
    wait_until(
        lambda: plain.run(count).value == 2, "nobody to be left but the keeper and the runner"
    )


def test_a_command_that_is_killed_says_so(guarded: LocalPythonExecutor) -> None:
    command = guarded.command("echo begun; while true; do :; done")
    assert next(iter(command)) == ("stdout", b"begun\n")
    assert command.kill()
    assert command.wait(60) == CommandResult(b"begun\n", b"", KILLED, "it was killed")


def test_a_flood_is_stopped_at_what_a_cell_may_print(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(limits=Limits(output_bytes=100_000)))
    skip_where_nothing_can_be_branched(executor)
    done = run_line(executor, "yes")
    assert (
        done.exit_code == KILLED
        and done.error == "it printed more than 100,000 bytes and was stopped"
    )
    assert len(done.stdout) == 100_000


def test_what_a_listener_raises_ends_the_command_and_is_raised(
    guarded: LocalPythonExecutor,
) -> None:
    def listen(source: str, data: bytes) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        guarded.command("yes", on_output=listen).wait(60)


def test_waiting_has_an_end_of_its_own(guarded: LocalPythonExecutor) -> None:
    command = guarded.command("sleep 1000")
    with pytest.raises(TimeoutError):
        command.wait(0.01)
    assert command.is_running
    command.kill()


def test_closing_an_executor_ends_its_commands() -> None:
    for executor in made(GUARDED):
        command = executor.command("sleep 1000")
        executor.close()
        assert command.wait(60).exit_code == KILLED
        with pytest.raises(SandboxFailed, match="closed"):
            executor.command("true")


def test_there_are_only_so_many_at_a_time() -> None:
    for executor in made(Policy(limits=Limits(branches=4))):
        running = [executor.command("sleep 1000") for _ in range(2)]
        with pytest.raises(SandboxFailed, match="too many"):
            executor.command("true")
        running[0].kill()
        running[0].wait(60)
        assert run_line(executor, "true").exit_code == 0


# -- what a command is given


def test_a_command_has_a_directory_and_an_environment(guarded: LocalPythonExecutor) -> None:
    run_line(guarded, "mkdir -p sub")
    done = run_line(
        guarded,
        "pwd; echo $A $B; printenv A",
        cwd="/home/user/sub",
        environment={"A": "a b", "B": "c"},
    )
    assert done.stdout == b"/home/user/sub\na b c\na b\n"
    assert run_line(guarded, "pwd", cwd="/home/user/sub").stdout == b"/home/user/sub\n"
    done = run_line(guarded, "pwd", cwd="/home/user/nowhere")
    assert (done.exit_code, done.stderr) == (
        1,
        b"sh: /home/user/nowhere: No such file or directory\n",
    )


def test_the_environment_of_an_executor_is_its_commands_too(plain: LocalPythonExecutor) -> None:
    plain.set_environment({"SET": "before", "HOME": None})
    assert (
        run_line(
            plain,
            'echo $SET; python -c \'import os; print(os.environ["SET"], os.environ.get("HOME"))\'',
        ).stdout
        == b"before\nbefore None\n"
    )
    assert run_line(plain, "echo $SET", environment={"SET": "mine"}).stdout == b"mine\n"


@pytest.mark.parametrize(
    "options",
    [
        {"line": 5},
        {"line": "true", "cwd": 5},
        {"line": "true", "cwd": "a\0b"},
        {"line": "true", "timeout_seconds": 0},
        {"line": "true", "timeout_seconds": "1"},
        {"line": "true", "environment": {"A": 5}},
        {"line": "true", "environment": {"A": None}},
        {"line": "true", "environment": {"A=B": "x"}},
        {"line": "true", "environment": "A=B"},
    ],
)
def test_what_is_no_command_is_an_error_at_once(
    options: dict[str, Any], guarded: LocalPythonExecutor
) -> None:
    with pytest.raises(PolicyError):
        guarded.command(**options)


def test_inline_there_is_no_place_for_commands() -> None:
    with (
        LocalPythonExecutor([], isolation="inline") as executor,
        pytest.raises(PolicyError, match="inline"),
    ):
        executor.command("ls")


# -- Python


def test_python_runs_programs_with_their_output_errors_and_exit_codes(
    either: LocalPythonExecutor,
) -> None:
    either.files.write(
        "program.py",
        "import sys\nprint('out')\nprint('err', file=sys.stderr)\nif __name__ == '__main__':\n   "
        " sys.exit(4)\n",
    )
    assert run_line(either, "python program.py") == CommandResult(b"out\n", b"err\n", 4)
    done = run_line(either, "python3 -c 'print(1)\n1/0'; echo $?")
    assert (
        done.stdout == b"1\n1\n"
        and b'File "<string>", line 2' in done.stderr
        and done.stderr.endswith(b"ZeroDivisionError: division by zero\n")
    )
    assert (
        run_line(either, "echo 'print(2)' | python; python - <<E\nprint(3)\nE").stdout == b"2\n3\n"
    )
    assert run_line(either, "python -c 'import sys; sys.exit(\"no\")'") == CommandResult(
        b"", b"no\n", 1
    )
    assert (
        run_line(
            either, "echo '[1]' | python -m json.tool --compact; python --version | cut -c1-8"
        ).stdout
        == b"[1]\nPython 3\n"
    )
    assert run_line(either, "python nosuch.py").exit_code == 2
    assert (
        run_line(either, "printf '#!/usr/bin/env python3\\nprint(7)\\n' > run_me; ./run_me").stdout
        == b"7\n"
    )


def test_where_the_language_is_off_python_is_python(plain: LocalPythonExecutor) -> None:
    plain.files.write("module.py", "value = 9")
    plain.files.write("main.py", "import sys, module\nprint(module.value, sys.argv[1:], input())\n")
    assert run_line(plain, "echo line | python main.py a b").stdout == b"9 ['a', 'b'] line\n"
    assert (
        run_line(plain, "python -m module; python -m calendar 2024 1 | head -1 | tr -d ' '").stdout
        == b"January2024\n"
    )


REFUSED_PROGRAMS = (
    "import os; os.system('ls')",
    "import subprocess",
    "import socket",
    "().__class__.__base__.__subclasses__()",
    "open('/etc/passwd').read()",
    "open('/proc/self/environ').read()",
    "__import__('os').listdir('/')",
    "eval('__import__(\"os\").getcwd()')",
    "display(1)",
    "final_answer(1)",
)


@pytest.mark.parametrize("program", REFUSED_PROGRAMS)
def test_python_is_held_to_the_rules_of_a_cell(program: str, guarded: LocalPythonExecutor) -> None:
    guarded.files.write("refused.py", program)
    for line in (
        "python refused.py",
        "cat refused.py | python",
        'python -c "$(cat refused.py)"',
        "sh -c 'python refused.py'",
    ):
        done = run_line(guarded, line)
        assert done.exit_code == 1, (line, done)
        assert done.stdout == b"" and b"Error" in done.stderr or b"Forbidden" in done.stderr


def test_code_cannot_say_how_its_command_ended(plain: LocalPythonExecutor) -> None:
    forged = (
        "import os\nos.write(3, b'\\0\\0\\0\\x20\\0\\0\\0\\0' +"
        ' b\'{"type":"done","id":1,"value":0}\')\nos._exit(5)'
    )
    plain.files.write("forge.py", forged)
    assert run_line(plain, "python forge.py; echo $?; exit 6") == CommandResult(b"5\n", b"", 6)


# -- what is said of lines that are none


def test_a_program_that_is_not_there_is_told_of_with_what_to_do(
    guarded: LocalPythonExecutor,
) -> None:
    done = run_line(guarded, "foo --bar")
    assert done == CommandResult(
        b"", b"sh: foo: not found (commands here are built in; `help` lists them)\n", 127
    )
    for name, hint in (
        ("git", b"executor.files.write()"),
        ("curl", b"no network"),
        ("apt", b"executor.install("),
        ("sudo", b"one user"),
    ):
        done = run_line(guarded, f"{name} install x")
        assert done.exit_code == 126 and hint in done.stderr and done.stderr.count(b"\n") == 1
    done = run_line(guarded, "pip install requests")
    assert done.exit_code == 1 and b"executor.install('requests')" in done.stderr


def test_a_line_that_is_none_ends_with_2_and_one_line(guarded: LocalPythonExecutor) -> None:
    for line in ("echo 'a", "if", "a &", "f() { x; }", "echo `x`", "case x in", "cat <<E"):
        done = run_line(guarded, line)
        assert (
            done.exit_code == 2
            and done.stderr.startswith(b"sh: ")
            and done.stderr.count(b"\n") == 1
        ), done


def test_help_lists_every_command(guarded: LocalPythonExecutor) -> None:
    listed = {line.split()[0] for line in run_line(guarded, "help").stdout.decode().splitlines()}
    wanted = """
        echo printf cat ls pwd cd mkdir rmdir rm cp mv touch ln head tail wc grep find sort uniq cut tr sed tee env export unset true false
        test [ sleep date seq basename dirname realpath readlink stat du df which type whoami id uname hostname sha256sum md5sum base64
        diff xargs exit python python3 pip pip3 help
    """
    assert {*wanted.split()} <= listed


# -- who is told


def test_observers_are_told_of_commands() -> None:
    seen = Seen()
    for executor in made(GUARDED):
        executor.observe(seen)
        run_line(executor, "echo a; echo bc >&2; exit 3", environment={"A": "b"})
    (started,), (ended,) = seen.of(events.CommandStarted), seen.of(events.CommandEnded)
    assert (started.line, started.cwd, started.environment) == (
        "echo a; echo bc >&2; exit 3",
        "/home/user",
        {"A": "b"},
    )
    assert (ended.number, ended.exit_code, ended.error) == (started.number, 3, None)
    assert (ended.stdout_bytes, ended.stderr_bytes) == (2, 3)


def test_what_validators_withhold_of_cells_they_withhold_of_commands() -> None:
    heard: list[bytes] = []
    with LocalPythonExecutor(
        [], policy=GUARDED, validators=[Pattern("code word", "xyzzy", action="redact")]
    ) as executor:
        skip_where_nothing_can_be_branched(executor)
        command = executor.command(
            "echo say xyzzy; echo fine >&2", on_output=lambda source, data: heard.append(data)
        )
        pieces = [*command]
        assert executor.run("print('say xyzzy')").logs.encode() == command.wait().stdout
    done = command.wait()
    assert done.stdout.startswith(b"say ") and b"xyzzy" not in done.stdout
    assert (heard, done.stderr) == ([done.stdout, b"fine\n"], b"fine\n")
    assert pieces == [("stdout", done.stdout), ("stderr", b"fine\n")]


def test_whoever_listens_may_close_the_executor() -> None:
    (executor,) = made = [LocalPythonExecutor([], policy=GUARDED)]
    skip_where_nothing_can_be_branched(executor)
    command = executor.command("echo a; sleep 1000", on_output=lambda source, data: made[0].close())
    assert command.wait(60).exit_code == KILLED


# -- whoever the host is

_AS_SOMEBODY = """
    executor = LocalPythonExecutor(policy=Policy(files=True))
    done = executor.command("echo a | tr a b > f; cat f; cat /etc/shadow; python -c 'print(1)'; id -un").wait()
    try:
        other = executor.command("sleep 1000", timeout_seconds=0.1).wait().exit_code
    finally:
        executor.close()
    say([done.stdout.decode(), done.stderr.decode(), done.exit_code, done.error, other])
"""
_WITHOUT_NAMESPACES = """
    executor = LocalPythonExecutor(policy=Policy(files=True))
    try:
        say(executor.command("true").wait().exit_code)
    except SandboxFailed as error:
        say(str(error))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_commands_are_the_same_whoever_the_host_is(as_identity: Any, identity: str) -> None:  # noqa: F811
    out, err, code, error, other = as_identity(identity, _AS_SOMEBODY)
    assert (out, code, error, other) == ("b\n1\nlab\n", 0, None, TIMED_OUT), err
    assert err.startswith("cat: /etc/shadow: ") and err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_without_namespaces_there_are_no_commands_and_one_line_says_why(
    as_identity: Any,  # noqa: F811
) -> None:
    said = as_identity("container", _WITHOUT_NAMESPACES)
    assert "one process only" in said and "\n" not in said
