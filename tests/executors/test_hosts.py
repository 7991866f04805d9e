"""Hosts of every kind: threads, event loops, forks, closed descriptors, strange places, signals,
and their own end.

What happens to them and to the processes around their sandboxes is in tests/faults.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor
from fumehood.jail.filesystem import LAB_DESCRIPTOR

from .conftest import skip_where_there_is_no_jail
from .hosts import answer_of, cgroups_of, host, living, mounts, named, wait_until


@pytest.fixture(scope="module", autouse=True)
def _a_jail_can_be_had() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise


# -- threads, loops, processes


@pytest.mark.long
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_it_works_in_processes_of_multiprocessing(method: str, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import multiprocessing, sys\n"
        "from fumehood import LocalPythonExecutor\n"
        "def work(n):\n"
        "    with LocalPythonExecutor() as executor:\n"
        "        return executor(f'{n} * 2').output\n"
        "if __name__ == '__main__':\n"
        "    parent = LocalPythonExecutor()\n"
        f"    with multiprocessing.get_context({method!r}).Pool(2) as pool:\n"
        "        print(pool.map(work, range(4)), parent('5').output)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)], capture_output=True, text=True, timeout=60
    )
    assert ended.stdout == "[0, 2, 4, 6] 5\n", ended.stderr


def test_a_forked_child_cannot_use_its_parent_s_executor_and_the_parent_still_can() -> None:
    assert answer_of("""
        import warnings; warnings.simplefilter("ignore")
        executor = LocalPythonExecutor()
        executor("kept = 1")
        answers = []
        reader, writer = os.pipe()
        if os.fork() == 0:
            said = []
            for use in (lambda: executor.run("kept"), lambda: executor.state["kept"], lambda: executor.send_tools({})):
                try:
                    use(); said.append("no error")
                except SandboxFailed as error:
                    said.append("make a new one" in str(error))
            executor.close()
            own = LocalPythonExecutor()
            said.append(works(own))
            os.write(writer, json.dumps(said).encode())
            sys.exit(0)
        os.close(writer)
        os.wait()
        say([json.loads(os.read(reader, 10000) or "[]"), executor("kept").output, works(LocalPythonExecutor())])
        """) == [[True, True, True, True], 1, True]


def test_a_forked_child_that_drops_everything_leaves_the_parent_s_sandbox_alone() -> None:
    assert answer_of("""
        import gc, warnings; warnings.simplefilter("ignore")
        executor = LocalPythonExecutor()
        executor("kept = 1")
        child = os.fork()
        if child == 0:
            del executor
            gc.collect()
            supervisor.close_all()
            sys.exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        say([ended, executor("kept").output, works(LocalPythonExecutor())])
        """) == [0, 1, True]


# -- descriptors, places, environments


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)], ids=str)
def test_it_works_with_standard_streams_closed(closed: tuple[int, ...]) -> None:
    def close() -> None:
        for descriptor in closed:
            os.close(descriptor)

    assert (
        answer_of(
            "executor = LocalPythonExecutor()\nsay([works(executor), works(executor),"
            " works(LocalPythonExecutor())])",
            close,
        )
        == [True] * 3
    )


def test_it_works_in_a_directory_that_was_deleted() -> None:
    directory = Path(tempfile.mkdtemp())

    def enter() -> None:
        os.chdir(directory)
        directory.rmdir()

    assert answer_of("say(works(LocalPythonExecutor()))", enter) is True


def test_running_out_of_descriptors_is_an_error_and_not_the_end() -> None:
    program = """
        executors = [LocalPythonExecutor(), LocalPythonExecutor()]
        used = works(executors[0]) and works(executors[0])  # now it has a checkpoint
        try:
            while True: executors.append(LocalPythonExecutor())
        except (OSError, SandboxFailed) as error:
            kind = type(error).__name__
        spare = []
        try:
            while True: spare.append(os.dup(0))
        except OSError:
            pass
        alive = [used, works(executors[0])]
        first = works(executors[1])
        second = works(executors[1])  # needs a checkpoint
        for descriptor in spare: os.close(descriptor)
        for executor in executors[2:]: executor.close()
        say([len(executors) > 2, alive, first, second, works(executors[1]), works(LocalPythonExecutor())])
    """
    told = (
        "NoRoom: Too many open files in this process: close executors, or raise its limit"
        " (ulimit -n)"
    )
    answer = answer_of(program, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    assert answer == [True, [True, True], True, told, True, True]


def test_descriptors_of_the_host_do_not_reach_the_code(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    program = f"""
        for number in range(20): os.set_inheritable(os.open({str(tmp_path / "secret")!r}, os.O_RDONLY), True)
        executor = LocalPythonExecutor(policy=Policy(files=True, language="off"))
        executor("import os")
        executor("def is_open(n):\\n  try: os.fstat(n)\\n  except OSError: return False\\n  return True")
        say(executor("[n for n in range(256) if is_open(n)]").output)
    """
    assert answer_of(program) == [
        0,
        1,
        2,
        3,
        LAB_DESCRIPTOR,
    ]  # the standard three, the wire, the files


# -- signals


def test_ctrl_c_in_the_host_stops_the_waiting_and_leaves_a_usable_executor() -> None:
    program = """
        executor = LocalPythonExecutor(on_output=lambda text: say("running"))
        try:
            executor.run("kept = 1\\nprint('on', flush=True)\\nwhile True: pass")
        except KeyboardInterrupt:
            executor._session.on_output = None
            say(["interrupted", works(executor), works(executor)])
    """
    with host(program) as running:
        assert running.answer() == "running"
        os.killpg(running.process.pid, signal.SIGINT)  # as a terminal does: to the whole group
        assert running.answer() == ["interrupted", True, True]


def test_ctrl_c_during_a_tool_leaves_a_usable_executor() -> None:
    program = """
        import time
        executor = LocalPythonExecutor()
        def slow():
            say("in the tool")
            time.sleep(600)
        executor.send_tools({"slow": slow})
        try:
            executor.run("slow()")
        except KeyboardInterrupt:
            say(["interrupted", works(executor), works(executor)])
    """
    with host(program) as running:
        assert running.answer() == "in the tool"
        running.kill(signal.SIGINT)
        assert running.answer() == ["interrupted", True, True]


def test_ctrl_c_while_nothing_runs_leaves_the_sandbox_alone() -> None:
    program = """
        import time
        executor = LocalPythonExecutor()
        executor("kept = 1")
        try:
            say("ready")
            time.sleep(600)
        except KeyboardInterrupt:
            pass
        say([executor("kept").output, works(executor)])
    """
    with host(program) as running:
        assert running.answer() == "ready"
        os.killpg(running.process.pid, signal.SIGINT)
        assert running.answer() == [1, True]


def test_a_cell_is_interrupted_whatever_signals_its_host_s_thread_is_deaf_to() -> None:
    """Processes inherit what the thread that starts them does not hear; threads of some libraries
    hear nothing."""
    assert answer_of("""
        import signal, threading
        signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
        started = threading.Event()
        executor = LocalPythonExecutor(on_output=lambda text: started.set(), on_fault="keep")
        results = []
        thread = threading.Thread(target=lambda: results.append(executor.run("kept = 5\\nprint('on', flush=True)\\nwhile True: pass")))
        thread.start(); started.wait(60); executor.interrupt(); thread.join(60)
        say([results[0].fault, executor.run("kept").value])
        """) == ["killed", 5]


# -- death

BUSY = """
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off"), on_output=lambda text: say("running"))
    other = LocalPythonExecutor()
    executor.run("import os\\nos.fork()\\nprint('on', flush=True)\\nwhile True: pass")
"""


def _nothing_is_left(pids: set[int]) -> None:
    wait_until(lambda: not living(pids), "all processes are gone")
    wait_until(lambda: not cgroups_of(pids), "all control groups are gone")


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV], ids=lambda n: n.name
)
def test_when_the_host_dies_in_the_middle_of_a_cell_everything_of_it_goes(
    number: signal.Signals,
) -> None:
    before = mounts()
    with host(BUSY) as running:
        assert running.answer() == "running"
        pids = running.processes()
        assert named(pids, "fumehood-superv")
        assert named(pids, "fumehood-zygote")
        running.kill(number)
        running.process.wait(60)
        _nothing_is_left(pids)
    assert mounts() == before


def test_when_the_host_is_killed_while_a_zygote_starts_everything_goes() -> None:
    program = """
        import threading
        threading.Thread(target=lambda: LocalPythonExecutor(["numpy", "pandas"]), daemon=True).start()
        say("starting")
        import time; time.sleep(600)
    """
    with host(program) as running:
        assert running.answer() == "starting"
        wait_until(lambda: bool(running.processes()), "a process is started")
        time.sleep(0.1)
        pids = running.processes()
        running.kill()
        running.process.wait(60)
        _nothing_is_left(pids)


def test_one_that_is_dropped_when_its_zygote_is_over_leaves_no_descriptor() -> None:
    program = """
        import gc
        def handles():
            gc.collect()
            names = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
            return sum("pidfd" in os.readlink(name) for name in names if os.path.lexists(name))
        before = handles()
        executor = LocalPythonExecutor()
        executor("1")
        [zygote] = supervisor.LOCAL._by_key.values()
        zygote._supervisor._process.kill()
        zygote._supervisor._process.wait()
        other = LocalPythonExecutor()  # of a new zygote; the old one is closed
        del executor, zygote
        gc.collect()
        other.close()
        del other
        supervisor.close_all()
        say(handles() - before)
    """
    assert answer_of(program) == 0


def test_close_all_ends_every_zygote_and_new_ones_are_started_when_needed() -> None:
    program = """
        executor = LocalPythonExecutor()
        executor("1")
        say("ready")
        sys.stdin.readline()
        supervisor.close_all()
        say("closed")
        sys.stdin.readline()
        say([works(LocalPythonExecutor()), works(executor), works(executor)])
    """
    with host(program, stdin=subprocess.PIPE) as running:
        assert running.process.stdin is not None
        assert running.answer() == "ready"
        pids = running.processes()
        running.process.stdin.write(b"\n")
        running.process.stdin.flush()
        assert running.answer() == "closed"
        wait_until(lambda: not living(pids), "all gone")
        running.process.stdin.write(b"\n")
        running.process.stdin.flush()
        new, old, again = running.answer()
        assert new is True
        assert old is True or "SandboxFailed" in old or "killed" in old
        assert again is True


def test_a_process_that_lost_its_host_before_it_began_ends() -> None:
    """The supervisor looks whether its parent still is the host it was told of."""
    import json
    import socket

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        code = "import sys; from fumehood.worker.supervisor import main; main()"
        supervisor = subprocess.Popen(
            [sys.executable, "-c", code, str(theirs.fileno())], pass_fds=[theirs.fileno()]
        )
        ours.send(
            json.dumps(
                {
                    "host": 1,
                    "path": sys.path,
                    "imports": [],
                    "mounts": [],
                    "lab_bytes": 1 << 20,
                    "lab_files": 20,
                }
            ).encode()
        )
        assert supervisor.wait(60) == 0
