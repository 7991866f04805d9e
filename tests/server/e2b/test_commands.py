"""commands.*, as E2B's own SDK calls it: lines for the shell in the jail."""

from __future__ import annotations

import pytest
from e2b import (
    CommandExitException,
    InvalidArgumentException,
    NotFoundException,
    PtySize,
    SandboxException,
    TimeoutException,
)
from e2b_code_interpreter import Sandbox

from .service import until


def test_a_command_gives_its_streams_and_its_exit_code(sandbox: Sandbox) -> None:
    result = sandbox.commands.run("echo out; echo err >&2")
    assert (result.stdout, result.stderr, result.exit_code, result.error) == (
        "out\n",
        "err\n",
        0,
        None,
    )
    with pytest.raises(CommandExitException) as caught:
        sandbox.commands.run("echo before; exit 3")
    assert (caught.value.exit_code, caught.value.stdout) == (3, "before\n")


def test_a_command_has_a_directory_an_environment_and_the_files_of_code(sandbox: Sandbox) -> None:
    sandbox.files.write("place/file.txt", "content\n")
    assert (
        sandbox.commands.run(
            "cat file.txt; echo $NAME", cwd="/home/user/place", envs={"NAME": "value"}
        ).stdout
        == "content\nvalue\n"
    )
    sandbox.commands.run("echo from a command > by-command.txt")
    assert sandbox.run_code("open('by-command.txt').read()").text == "from a command\\n"
    assert sandbox.commands.run("python -c 'print(6 * 7)'").stdout == "42\n"


def test_output_is_heard_while_the_command_runs(sandbox: Sandbox) -> None:
    heard: list[str] = []
    handle = sandbox.commands.run("echo begun; cat; echo ended", background=True, stdin=True)
    for out, _err, _pty in handle:
        heard.append(out or "")
        if "".join(heard) == "begun\n":
            handle.send_stdin("line\n")
            sandbox.commands.stream_input(handle.pid, ["more\n", b"bytes\n"])
            handle.close_stdin()
    assert "".join(heard) == "begun\nline\nmore\nbytes\nended\n"
    assert handle.wait().exit_code == 0


def test_commands_that_run_are_listed_connected_to_and_killed(sandbox: Sandbox) -> None:
    handle = sandbox.commands.run(
        "cat", background=True, stdin=True, envs={"OWN": "1"}, cwd="/home/user"
    )
    (found,) = [process for process in sandbox.commands.list() if process.pid == handle.pid]
    assert (found.cmd, found.args[-1], found.envs, found.cwd) == (
        "/bin/bash",
        "cat",
        {"OWN": "1"},
        "/home/user",
    )
    handle.disconnect()  # it goes on
    again = sandbox.commands.connect(handle.pid)
    sandbox.commands.send_stdin(handle.pid, "heard\n")
    assert next(iter(again))[0] == "heard\n"
    assert sandbox.commands.kill(handle.pid) is True
    with pytest.raises(CommandExitException) as caught:
        again.wait()
    assert caught.value.exit_code == 137
    until(lambda: handle.pid not in {process.pid for process in sandbox.commands.list()})
    assert sandbox.commands.kill(handle.pid) is False
    with pytest.raises(NotFoundException, match="there is no process"):
        sandbox.commands.connect(handle.pid)
    with pytest.raises(NotFoundException, match="there is no process"):
        sandbox.commands.send_stdin(handle.pid, "x")


def test_a_command_that_takes_too_long_is_ended(sandbox: Sandbox) -> None:
    before = {process.pid for process in sandbox.commands.list()}
    with pytest.raises(TimeoutException):
        sandbox.commands.run("sleep 60", timeout=0.3)
    until(lambda: {process.pid for process in sandbox.commands.list()} <= before)


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("git status", 128, "not a git repository"),
        ("no-such-program", 127, "not found"),
        ("cat /etc/shadow", 1, ""),
        ("if", 2, ""),
    ],
)
def test_what_cannot_be_run_says_so_as_a_shell_does(
    sandbox: Sandbox, line: str, code: int, text: str
) -> None:
    with pytest.raises(CommandExitException) as caught:
        sandbox.commands.run(line)
    assert (
        caught.value.exit_code == code
        and text in (caught.value.stderr or "")
        and "root:" not in (caught.value.stdout or "")
    )


def test_a_terminal_can_be_typed_into_and_resized(sandbox: Sandbox) -> None:
    seen: list[bytes] = []
    terminal = sandbox.pty.create(PtySize(rows=24, cols=80))
    sandbox.pty.resize(terminal.pid, PtySize(rows=30, cols=100))
    sandbox.pty.send_stdin(terminal.pid, b"stty size; exit 3\n")
    with pytest.raises(CommandExitException) as ended:
        terminal.wait(on_pty=seen.append)
    assert ended.value.exit_code == 3
    assert b"30 100" in b"".join(seen)
    with pytest.raises(SandboxException):
        sandbox.pty.resize(terminal.pid, PtySize(rows=24, cols=80))


def test_git_works_in_the_sandbox(sandbox: Sandbox) -> None:
    sandbox.git.init("/home/user/repository")
    sandbox.files.write("/home/user/repository/a.txt", "a")
    sandbox.git.add("/home/user/repository")
    sandbox.git.commit("/home/user/repository", "first", author_name="n", author_email="e@x.y")
    assert sandbox.git.status("/home/user/repository").is_clean


def test_input_for_a_command_that_reads_none_is_refused(sandbox: Sandbox) -> None:
    handle = sandbox.commands.run("sleep 60", background=True)
    with pytest.raises(InvalidArgumentException, match="started without stdin=True"):
        handle.send_stdin("x")
    handle.kill()


def test_a_cell_of_shell_lines_runs_in_the_same_shell(sandbox: Sandbox) -> None:
    execution = sandbox.run_code("!echo one\n!echo two >&2")
    assert ("".join(execution.logs.stdout), "".join(execution.logs.stderr), execution.error) == (
        "one\n",
        "two\n",
        None,
    )


def test_commands_end_with_their_sandbox(sandbox: Sandbox) -> None:
    options = {**sandbox.connection_config.get_api_params(), "headers": None}
    made = Sandbox.create(**options)
    handle = made.commands.run("sleep 600", background=True, timeout=0)
    made.kill()
    with pytest.raises((SandboxException, CommandExitException)):
        handle.wait()


def test_there_are_only_so_many_commands_at_once(sandbox: Sandbox) -> None:
    options = {**sandbox.connection_config.get_api_params(), "headers": None}
    with Sandbox.create(**options) as made:
        handles = []
        refused: SandboxException | None = None
        while refused is None and len(handles) < 100:
            try:
                handles.append(made.commands.run("cat", background=True, stdin=True))
            except SandboxException as error:
                refused = error
        assert refused is not None and 1 <= len(handles) <= 32
        for handle in handles:
            handle.kill()
        until(lambda: not made.commands.list())
        assert made.commands.run("echo again").stdout == "again\n"
