"""Programs in a sandbox: what they do, what they are given, how they end, and what they may not
do."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import os
import resource
import shutil
import signal
import textwrap
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy, PolicyError, SandboxFailed, events
from fumehood.executors.commands import KILLED, NOT_FOUND, TIMED_OUT, CommandResult
from fumehood.validation import Pattern

from ..seen import Seen
from .conftest import MakeExecutor, made, skip_where_nothing_can_be_branched
from .hosts import wait_until
from .test_identities import as_identity  # noqa: F401

FULL = Policy(files=True, programs=True, imports=("*",))

# -- in every place


def test_a_command_has_files_input_output_and_an_end_wherever_it_runs(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=FULL)
    skip_where_nothing_can_be_branched(executor)
    commands = executor.commands
    executor.files.write("in.txt", "b\na\n")
    done = commands.run("sort in.txt > out.txt; cat out.txt; echo trouble >&2; (exit 3)")
    assert done == CommandResult(b"a\nb\n", b"trouble\n", 3)
    assert executor.files.read("out.txt") == b"a\nb\n"
    assert executor.run("open('out.txt').read()").value == "a\nb\n"
    assert commands.run("cat | tr a-z A-Z", stdin="rest " * 50_000).stdout == "REST " * 50_000
    assert commands.run("seq 200000").stdout == "".join(f"{n}\n" for n in range(1, 200_001))
    assert commands.run(["python3", "-c", "print(6*7)"]).stdout == "42\n"
    assert commands.run("pwd; echo $HOME").stdout == "/home/user\n/home/user\n"
    command = commands.start("sleep 1000 | cat; echo never")
    assert commands.list() == [command]
    assert command.kill() and command.wait(60).exit_code == KILLED
    assert commands.list() == []


def test_a_terminal_shows_what_is_typed_and_can_be_resized(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=FULL)
    skip_where_nothing_can_be_branched(executor)
    terminal = executor.commands.pty(100, 30, command=["/bin/sh"])
    seen = _Text(terminal)
    terminal.send_stdin("stty size; test -t 0 && test -t 1 && echo 'is a' tty\n")
    wait_until(lambda: "30 100" in seen.text and "is a tty" in seen.text, "the size")
    assert terminal.resize(50, 10)
    terminal.send_stdin("stty size; exit 5\n")
    assert terminal.wait(60).exit_code == 5
    assert "10 50" in seen.text
    assert not terminal.resize(60, 10)


class _Text:
    """What a command prints, read by a thread."""

    def __init__(self, command: Any) -> None:
        self.text = ""
        threading.Thread(target=self._read, args=(command,), daemon=True).start()

    def _read(self, command: Any) -> None:
        for _source, data in command:
            self.text += data.decode(errors="replace")


def test_what_a_command_has_written_outlives_a_cell_that_is_undone(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=FULL, on_fault="rollback")
    skip_where_nothing_can_be_branched(executor)
    executor.run("x = 1")
    executor.commands.run("echo kept > file")
    crash = "import os; open('other', 'w').close(); os.kill(os.getpid(), 9)"
    assert executor.run(crash).rolled_back
    assert executor.run("x").value == 1
    assert executor.commands.run("cat file; ls").stdout == "kept\nfile\n"


# -- beside cells, forks and snapshots


@pytest.fixture(scope="module")
def full() -> Any:
    yield from made(FULL)


def test_a_command_runs_while_a_cell_does(full: LocalPythonExecutor) -> None:
    results: list[Any] = []
    code = (
        "import os, time\nopen('started', 'w').close()\nwhile not os.path.exists('go'):"
        " time.sleep(0.005)\nopen('go').read()"
    )
    thread = threading.Thread(target=lambda: results.append(full.run(code)))
    thread.start()
    wait_until(lambda: full.files.look("started") is not None, "the cell to begin")
    assert full.commands.run("echo now > new; mv new go").exit_code == 0
    thread.join(60)
    assert results[0].value == "now\n"


def test_a_rollback_ends_programs_and_says_which() -> None:
    for executor in made(FULL):
        executor.run("x = 1")
        command = executor.commands.start("sleep 1000")
        executor.commands.run("setsid sleep 2000 < /dev/null > /dev/null 2>&1 &")
        undone = executor.run("import os; os.kill(os.getpid(), 9)")
        assert undone.rolled_back and "[the rollback ended the command: sleep 1000]" in undone.logs
        assert command.wait(60).exit_code == KILLED
        found = executor.commands.run("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").stdout
        assert "sleep" not in found
        assert executor.run("x").value == 1


@pytest.mark.skipif(shutil.which("setsid") is None, reason="needs setsid of util-linux")
def test_a_rollback_ends_programs_of_other_sessions_and_spares_those_of_forks() -> None:
    apart = "setsid bash -c 'while sleep 0.01; do date +%N > {}; done' < /dev/null > /dev/null 2>&1"
    with LocalPythonExecutor(policy=FULL) as executor:
        skip_where_nothing_can_be_branched(executor)
        with executor.fork() as fork:
            for each in (executor, fork):
                each.run(
                    f"import subprocess; subprocess.Popen({apart.format('cell')!r}, shell=True)"
                )
                each.commands.run(apart.format("command") + " &")

            def at_work(each: LocalPythonExecutor, name: str) -> bool:
                each.files.write(name, b"")
                return (
                    each.commands.run(
                        f"for i in $(seq 200); do [ -s {name} ] && exit; sleep 0.01; done; exit 1"
                    ).exit_code
                    == 0
                )

            assert all(
                at_work(each, name) for each in (executor, fork) for name in ("cell", "command")
            )
            assert executor.run("import os; os.kill(os.getpid(), 9)").fault
            assert not at_work(executor, "cell") and not at_work(executor, "command")
            assert at_work(fork, "cell") and at_work(fork, "command")


def test_a_snapshot_holds_files_and_no_programs() -> None:
    for executor in made(FULL):
        executor.commands.run("echo before > file")
        snapshot = executor.snapshot()
        command = executor.commands.start("echo after > file; sleep 1000")
        wait_until(lambda: executor.files.read("file") == b"after\n", "the command to write")  # noqa: B023
        executor.restore(snapshot)
        assert command.wait(60).exit_code == KILLED
        assert executor.commands.run("cat file").stdout == "before\n"


def test_a_fork_s_commands_have_the_fork_s_files(full: LocalPythonExecutor) -> None:
    full.commands.run("echo before > shared")
    with full.fork() as fork:
        fork.commands.run("echo fork > shared")
        assert full.commands.run("cat shared").stdout == "before\n"
        assert fork.commands.run("cat shared; pwd").stdout == "fork\n/home/user\n"


# -- streams and ends


def test_output_comes_while_the_command_runs(full: LocalPythonExecutor) -> None:
    heard: list[tuple[str, bytes]] = []
    command = full.commands.start(
        "echo one; read x; echo two >&2; echo $x",
        stdin=True,
        on_output=lambda *piece: heard.append(piece),
    )
    pieces = iter(command)
    assert next(pieces) == ("stdout", b"one\n")
    assert command.is_running
    command.send_stdin("three\n")
    assert sorted(pieces) == [("stderr", b"two\n"), ("stdout", b"three\n")]
    assert sorted(heard) == [("stderr", b"two\n"), ("stdout", b"one\n"), ("stdout", b"three\n")]
    assert command.wait().stdout == "one\nthree\n"


def test_a_signal_reaches_the_program(full: LocalPythonExecutor) -> None:
    command = full.commands.start("trap 'echo got it; exit 7' USR1; echo on; while :; do :; done")
    assert next(iter(command)) == ("stdout", b"on\n")
    assert command.signal(signal.SIGUSR1)
    assert command.wait(60) == CommandResult(b"on\ngot it\n", b"", 7)
    assert not command.signal(signal.SIGUSR1) and not command.kill()
    with pytest.raises(PolicyError, match="signal"):
        command.signal(1000)


def test_an_exception_in_the_waiting_thread_leaves_commands_running(
    full: LocalPythonExecutor,
) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise InterruptedError("now")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(InterruptedError, match="now"):
            full.commands.run("sleep 0.6; echo done > interrupted")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    (command,) = [each for each in full.commands.list() if "interrupted" in each.line]
    assert full.commands.run(["true"]).exit_code == 0
    assert command.wait(60).exit_code == 0
    assert full.commands.run(["cat", "interrupted"]).stdout == "done\n"


def test_a_shell_keeps_its_state(full: LocalPythonExecutor) -> None:
    with full.commands.shell() as shell:
        assert shell.run("cd /tmp; x=5; f() { echo f$1; }").exit_code == 0
        assert shell.run("pwd; echo $x; f 2; echo e >&2; false") == CommandResult(
            b"/tmp\n5\nf2\n", b"e\n", 1
        )
        assert shell.run("cat; echo $?").stdout == "0\n", "no command reads what is for the shell"
        assert shell.run("printf 'no newline'").stdout == "no newline"
        assert shell.run("exit 4").exit_code == 4
        with pytest.raises(SandboxFailed, match="ended"):
            shell.run("true")
    slow = full.commands.shell().run("sleep 1000", timeout=0.2)
    assert slow.exit_code == TIMED_OUT


def test_cancelling_a_command_kills_it(full: LocalPythonExecutor) -> None:
    async def cancel() -> None:
        run = asyncio.ensure_future(full.commands.arun("echo begun > cancelled; sleep 1000"))
        while full.files.look("cancelled") is None:
            await asyncio.sleep(0.01)
        (command,) = [each for each in full.commands.list() if "cancelled" in each.line]
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert command.wait(60).exit_code == 137

    asyncio.run(cancel())


def test_a_file_that_cannot_be_executed_is_told_from_one_that_is_not_there(
    full: LocalPythonExecutor,
) -> None:
    done = full.commands.run(["/etc/passwd"])
    assert done.exit_code == 126 and "/etc/passwd" in (done.error or "")
    assert full.commands.run(["/etc/no-such-file"]).exit_code == 127


def test_without_input_a_command_sees_its_end_at_once(full: LocalPythonExecutor) -> None:
    assert full.commands.run("cat; echo done").stdout == "done\n"
    with pytest.raises(SandboxFailed, match="stdin=True"):
        full.commands.start("true").send_stdin("x")
    command = full.commands.start("true", stdin=True)
    command.wait(60)
    with pytest.raises(SandboxFailed):
        command.send_stdin("x" * 1_000_000)


def test_after_its_time_a_command_is_ended_with_all_it_has_started(
    full: LocalPythonExecutor,
) -> None:
    done = full.commands.run("echo begun; sleep 1000 | sleep 1000 | cat", timeout=0.3)
    assert (done.stdout, done.exit_code) == ("begun\n", TIMED_OUT)
    assert done.error == "it ran longer than 0.3 seconds and was stopped"
    wait_until(
        lambda: "sleep" not in full.commands.run("cat /proc/[0-9]*/comm").stdout,
        "what it has started to end",
    )


def test_a_flood_is_stopped_at_what_a_cell_may_print() -> None:
    for executor in made(Policy(programs=True, limits=Limits(output_bytes=100_000))):
        done = executor.commands.run("yes")
        assert (done.exit_code, len(done.stdout)) == (KILLED, 100_000)
        assert done.error == "it printed more than 100,000 bytes and was stopped"


def test_what_a_listener_raises_ends_the_command_and_is_raised(full: LocalPythonExecutor) -> None:
    def listen(source: str, data: bytes) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        full.commands.start("yes", on_output=listen).wait(60)


def test_a_listener_cannot_wait_for_commands_of_its_own_sandbox(full: LocalPythonExecutor) -> None:
    with pytest.raises(SandboxFailed, match="cannot wait"):
        full.commands.run("echo a", on_stdout=lambda text: full.commands.run("true"))


def test_closing_an_executor_ends_its_commands() -> None:
    for executor in made(FULL):
        command = executor.commands.start("setsid sleep 1000 & sleep 1000")
        executor.close()
        assert command.wait(60).exit_code == KILLED
        with pytest.raises(SandboxFailed, match="closed"):
            executor.commands.run("true")


def test_a_killed_command_server_is_replaced(full: LocalPythonExecutor) -> None:
    command = full.commands.start("sleep 1000")
    full.commands.start("kill -9 $PPID")
    assert command.wait(60).exit_code == KILLED
    assert full.commands.run("echo alive").stdout == "alive\n"


# -- what a command is given


def test_a_command_has_a_directory_and_an_environment(full: LocalPythonExecutor) -> None:
    full.commands.run("mkdir -p sub")
    full.set_environment({"SET": "before", "GONE": "soon"})
    full.set_environment({"GONE": None})
    assert full.commands.run("echo $SET ${GONE-none}").stdout == "before none\n"
    done = full.commands.run(
        "pwd; echo $A $B; printenv A", cwd="/home/user/sub", env={"A": "a b", "B": "c"}
    )
    assert done.stdout == "/home/user/sub\na b c\na b\n"
    assert full.commands.run("echo $SET", env={"SET": "mine"}).stdout == "mine\n"
    nowhere = full.commands.run("pwd", cwd="/home/user/nowhere")
    assert nowhere.exit_code == NOT_FOUND and "/home/user/nowhere" in (nowhere.error or "")
    missing = full.commands.run(["no-such-program"])
    assert missing == CommandResult(
        b"", b"", NOT_FOUND, "it could not be started: no such program: no-such-program"
    )


@pytest.mark.parametrize(
    ("cwd", "path"),
    [("there", "tools:/usr/bin:/bin"), ("there/tools", ":/usr/bin:/bin")],
    ids=["a name", "empty"],
)
def test_relative_directories_of_the_path_begin_where_the_command_does(
    cwd: str, path: str, full: LocalPythonExecutor
) -> None:
    tool = "there/tools/tool"
    made = f"mkdir -p there/tools; printf '#!/bin/sh\\necho found' > {tool}; chmod +x {tool}"
    assert full.commands.run(made).exit_code == 0

    done = full.commands.run(["tool"], cwd=f"/home/user/{cwd}", env={"PATH": path})

    assert done.stdout == "found\n"


def test_a_program_of_a_cell_inherits_no_descriptors(full: LocalPythonExecutor) -> None:
    code = """import os, subprocess
opened = [os.dup(0) for _ in range(3)]
for each in opened: os.set_inheritable(each, True)
found = subprocess.run(["/bin/sh", "-c", "echo /proc/$$/fd/*"], capture_output=True, text=True)
for each in opened: os.close(each)
{*opened} & {int(path.rpartition("/")[2]) for path in found.stdout.split()}"""
    assert full.run(code).output == set()


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (5, {}),
        ([], {}),
        (["a", 5], {}),
        ("a\0b", {}),
        ("true", {"cwd": "a\0b"}),
        ("true", {"timeout": 0}),
        ("true", {"timeout": "1"}),
        ("true", {"env": {"A": 5}}),
        ("true", {"env": {"A": None}}),
        ("true", {"env": {"A=B": "x"}}),
    ],
)
def test_what_is_no_command_is_an_error_at_once(
    command: Any, options: dict[str, Any], full: LocalPythonExecutor
) -> None:
    with pytest.raises(PolicyError):
        full.commands.run(command, **options)


def test_without_the_capability_one_line_names_it() -> None:
    inline = LocalPythonExecutor([], isolation="inline")
    with pytest.raises(PolicyError, match="inline"):
        inline.commands
    for executor in made(Policy(files=True, imports=("*",))):
        with pytest.raises(PolicyError, match="programs=True"):
            executor.commands.run("ls")
        for code in (
            "import subprocess; subprocess.run(['ls'])",
            "import os; os.execv('/bin/ls', ['ls'])",
            "!ls",
            "%%bash\nls",
            "import os; os.posix_spawn('/bin/ls', ['ls'], {})",
            "import os; os.system('ls')",
        ):
            error = executor.run(code).error
            assert error is not None and error.traceback.splitlines()[-1].endswith(
                "programs=True"
            ), (code, error)


# -- programs


def test_a_program_that_closes_all_descriptors_keeps_its_files(full: LocalPythonExecutor) -> None:
    code = (
        "import ctypes, os\nlibc = ctypes.CDLL(None)\ngetattr(libc, 'closefrom', lambda n: 0)(3)\n"
        "os.closerange(3, 100)\nprint(os.listdir('/home/user'))"
    )
    full.commands.run("rm -rf *; touch here")
    done = full.commands.run(["python3", "-c", code])
    assert done.stdout == "['here']\n", done


def test_a_program_inherits_no_other_descriptors_of_a_cell(full: LocalPythonExecutor) -> None:
    code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    cell = f"""
        import os, subprocess, sys
        os.set_inheritable(os.dup2(0, 9), True)
        print(subprocess.run([sys.executable, '-c', {code!r}], capture_output=True, text=True).stdout)
        os.close(9)
    """
    assert full.run(textwrap.dedent(cell)).logs.strip() == "['0', '1', '15', '2', '3']"


def test_cells_start_programs(full: LocalPythonExecutor) -> None:
    cells = (
        ("import subprocess\nsubprocess.run('echo a | cat', shell=True, capture_output=True).stdout", b"a\n"),
        ("import os\nos.popen('echo b').read()", "b\n"),
        ("os.system('exit 3') >> 8", 3),
        ("x = !echo c; echo d\nx", ["c", "d"]),
        ("import sys\nsubprocess.run([sys.executable, '-c', 'print(5)'], capture_output=True).stdout", b"5\n"),
        ("import asyncio\np = await asyncio.create_subprocess_exec('echo', 'e', stdout=-1)\n(await p.communicate())[0]", b"e\n"),
        ("import multiprocessing as m\nwith m.get_context('spawn').Pool(1) as p: r = p.map(abs, [-1])\nr", [1]),
    )  # fmt: skip
    for code, value in cells:
        execution = full.run(code)
        assert execution.value == value, (code, execution.error)
    assert full.run("word = 'hi'\n!echo {word} $word").logs == "hi hi\n"
    assert full.run("%%bash\necho from bash").logs == "from bash\n"
    failed = full.run("%%bash\nexit 3").error
    assert failed is not None and failed.type == "CalledProcessError"


SCRIPTS = {
    "git": (
        "rm -rf a b; git init -q a; cd a; git config user.name n; git config user.email e;"
        " echo 1 > f; git add f; git commit -qm first; git clone -q . ../b; cd ../b;"
        " git log --format=%s",
        "first\n",
    ),
    "gcc": (
        "printf '#include <stdio.h>\\nint main(void) { puts(\"built\"); return 0; }' > m.c;"
        " gcc m.c -o m && ./m",
        "built\n",
    ),
    "node": ("node -e 'console.log([1, 2].map(x => x * 2).join())'", "2,4\n"),
    "perl": ("perl -e 'print 6 * 7, \"\\n\"'", "42\n"),
    "make": ("printf 'all:\\n\\t@echo made\\n' > Makefile; make", "made\n"),
    "tar": ("echo x > t; tar czf t.tgz t; rm t; tar xzf t.tgz; cat t", "x\n"),
    "mkfifo": ("rm -f p; mkfifo p; echo through > p & cat p", "through\n"),
    "timeout": ("timeout 0.1 sleep 10; echo $?", "124\n"),
    "diff": ("diff <(echo a) <(echo b) | tail -1", "> b\n"),
    "flock": ("exec 9> lock; flock 9; echo locked", "locked\n"),
    "dd": ("dd if=/dev/zero bs=1M count=100 2>/dev/null | wc -c", "104857600\n"),
}


@pytest.mark.parametrize("program", SCRIPTS)
def test_programs_of_the_machine_work(program: str, full: LocalPythonExecutor) -> None:
    if shutil.which(program, path="/usr/local/bin:/usr/bin:/bin") is None:
        pytest.skip(f"{program} is not installed")
    script, expected = SCRIPTS[program]
    done = full.commands.run(script)
    assert done.stdout == expected, done


def _wheel(name: str) -> bytes:
    """A wheel with one module that has one variable."""
    made = io.BytesIO()
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(f"{name}.py", "value = 7\n")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n")
    return made.getvalue()


@pytest.mark.parametrize("installer", ["%pip install", "!pip install", "!uv pip install"])
def test_packages_are_installed_in_the_sandbox(installer: str, full: LocalPythonExecutor) -> None:
    name = "wheel_of_" + str(abs(hash(installer)))
    wheel = f"{name}-1.0-py3-none-any.whl"
    full.files.write(wheel, _wheel(name))
    installed = full.run(f"{installer} --no-index ./{wheel}")
    assert installed.error is None, installed
    assert full.run(f"import {name}\n{name}.value").value == 7, installed.logs
    assert full.commands.run(["python3", "-c", f"import {name}"]).exit_code == 0


def test_a_list_of_programs_is_all_that_can_be_executed() -> None:
    for executor in made(Policy(files=True, programs=["bash", "ls", "git"], imports=("*",))):
        run = executor.commands.run
        assert run(["ls", "/home"]).stdout == "user\n"
        assert run("git init -q r; cd r; git status --short; ls").exit_code == 0
        for line in ("/usr/bin/env", "cp /bin/ls mine; ./mine", "python3 -c 1"):
            assert run(line).exit_code in (126, 127), line
        executor.files.write("script", "#!/bin/bash\necho ran\n")
        assert run("chmod +x script; ./script").exit_code == 126
    with pytest.raises(PolicyError, match="programs"):
        Policy(programs="git")  # type: ignore[arg-type]


# -- what programs may not do

OUT = (
    "cat /etc/shadow",
    "cat /proc/1/environ",
    "ln -s / root; cat root/etc/shadow",
    "cat /proc/self/root/etc/shadow",
    "echo x > /etc/new",
    "touch /usr/new",
    "mkdir /new",
    "kill -9 1",
    "mount -t tmpfs none /mnt",
    "unshare -r true",
    "unshare -U true",
    "chroot / true",
    "nsenter -t 1 -m true",
    "su -c id",
    "mknod device c 1 3",
    "sysctl -w kernel.hostname=x",
    "hostname other",
    "dmesg",
    "python3 -c 'import socket; socket.socket()'",
    "chown 0:0 /home/user",
)


@pytest.mark.parametrize("line", OUT)
def test_nothing_outside_is_read_or_changed(line: str, full: LocalPythonExecutor) -> None:
    done = full.commands.run("rm -rf /home/user/*; " + line)
    assert done.exit_code != 0, done
    assert "root:" not in done.stdout


BOMBS = (
    ":(){ :|:& };:",
    "x=$(yes); echo ${#x}",
    "yes | sort",
    "head -c 999999999999 /dev/urandom > big",
    "seq 100000 | while read n; do > f$n; done",
    "sleep 1e9",
    "exec 3>&1; while :; do (sleep 100 &) ; done",
    "python3 -c 'x = [0]\nwhile True: x += x'",
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
    for executor in made(Policy(files=True, programs=True, limits=limits)):
        executor.run("kept = 1")
        done = executor.commands.run(line, timeout=1)
        assert done.error is not None or done.exit_code != 0 or "&" in line
        assert executor.run("kept").value == 1


def _open_here() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def test_a_host_that_can_open_nothing_more_raises_and_the_sandbox_lives_on() -> None:
    for executor in made(FULL):
        executor.run("kept = 1")
        executor.commands.run("true")
        most, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        before = _open_here()
        for more in range(1, 18, 2):
            resource.setrlimit(resource.RLIMIT_NOFILE, (before + more, hard))
            try:
                with contextlib.suppress(SandboxFailed):
                    executor.commands.start("true").kill()
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        assert executor.commands.run("echo alive").stdout == "alive\n"
        assert executor.run("kept").value == 1
        gc.collect()
        wait_until(lambda: _open_here() <= before, "everything to be closed")  # noqa: B023


# -- observers


def test_observers_see_commands() -> None:
    seen = Seen()
    for executor in made(FULL):
        executor.observe(seen)
        executor.commands.run("echo a; echo bc >&2; exit 3", env={"A": "b"})
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
        [], policy=FULL, validators=[Pattern("code word", "xyzzy", action="redact")]
    ) as executor:
        skip_where_nothing_can_be_branched(executor)
        command = executor.commands.start(
            "echo say xyzzy; echo fine >&2", on_output=lambda source, data: heard.append(data)
        )
        pieces = [*command]
        assert executor.run("print('say xyzzy')").logs == command.wait().stdout
    done = command.wait()
    assert done.stdout.startswith("say ") and "xyzzy" not in done.stdout
    assert (heard, done.stderr) == ([done.stdout_bytes, b"fine\n"], "fine\n")
    assert pieces == [("stdout", done.stdout_bytes), ("stderr", b"fine\n")]


def test_validators_check_each_line_of_a_shell() -> None:
    validators = [Pattern("code word", "xyzzy", action="redact")]
    with LocalPythonExecutor([], policy=FULL, validators=validators) as executor:
        skip_where_nothing_can_be_branched(executor)
        with executor.commands.shell() as shell:
            shell.run("word=xyzzy")
            said = shell.run("echo say $word; echo fine >&2")
    assert said.stdout.startswith("say ") and "xyzzy" not in said.stdout
    assert (said.stderr, said.exit_code) == ("fine\n", 0)


# -- other users of the machine

_AS_SOMEBODY = """
    executor = LocalPythonExecutor(policy=Policy(files=True, programs=True))
    done = executor.commands.run("echo a | tr a b > f; cat f; cat /etc/shadow; id -un")
    try:
        other = executor.commands.run("sleep 1000", timeout=0.1).exit_code
        code = "import mmap; mmap.mmap(-1, 1 << 42, mmap.MAP_PRIVATE | 0x4000, mmap.PROT_READ)"
        space = executor.commands.run(["python3", "-c", code])
        has_cgroup = "in force  memory cgroup" in executor.report()
    finally:
        executor.close()
    say([done.stdout, done.stderr, done.exit_code, done.error, other, space.exit_code, has_cgroup])
"""
_WITHOUT_NAMESPACES = """
    executor = LocalPythonExecutor(policy=Policy(files=True, programs=True))
    try:
        say(executor.commands.run("true").exit_code)
    except SandboxFailed as error:
        say(str(error))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_commands_are_the_same_for_every_user(as_identity: Any, identity: str) -> None:  # noqa: F811
    out, err, code, error, other, space, has_cgroup = as_identity(identity, _AS_SOMEBODY)
    assert (out, code, error, other) == ("b\nuser\n", 0, None, TIMED_OUT), err
    assert err.startswith("cat: /etc/shadow: ") and err.count("\n") == 1
    assert space == (0 if has_cgroup else 1), "without a cgroup, address space is limited"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_without_namespaces_there_are_no_commands_and_one_line_says_why(
    as_identity: Any,  # noqa: F811
) -> None:
    said = as_identity("container", _WITHOUT_NAMESPACES)
    assert "one process only" in said and "\n" not in said
