"""Sandboxes in a container, from a host in the same container: all that namespaces give elsewhere,
given by inits and groups.

The container is one as the kernel makes it (tests/jail/identities.py, "housed"); what an engine
adds is in the tests of that.
"""

from __future__ import annotations

import os
import secrets
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..executors.hosts import answer_of
from ..executors.test_identities import refuse_landlock
from ..jail import identities

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a container"),
]

_BEGINNING = """
    import contextlib, os, signal, sys, time
    from fumehood.executors import supervisor
    from fumehood.tunnel import launch, pidfds
    from fumehood.executors.supervisor import LocalProcesses, LocalSupervisor
    class Processes(LocalProcesses):
        is_remote = True  # as with a container: handles are not believed
    def contained(policy, path):
        supervisor = LocalSupervisor.__new__(LocalSupervisor)
        supervisor.control, supervisor._process = launch.start_supervisor(policy.as_fields(), path, is_contained=True)
        supervisor.processes = Processes()
        return supervisor
    supervisor.LOCAL._launch = contained
    def make(**options):
        limits = Limits(memory_bytes=128 << 20, processes=24, branches=8)
        return LocalPythonExecutor(policy=Policy(files=True, language="off", limits=limits), **options)
    def process_of(executor):
        return pidfds.pid_of(executor._session._runner.handle)
    def init_of(executor):
        return pidfds.pid_of(executor._session._runner.sandbox.init)
    def process(pid):
        with contextlib.suppress(OSError):
            name, _, rest = open(f"/proc/{pid}/stat").read().rpartition(")")
            return (int(rest.split()[1]), int(rest.split()[2]), rest.split()[0], name.partition("(")[2])
    def all_processes():
        return {int(entry): seen for entry in os.listdir("/proc") if entry.isdigit() and (seen := process(entry))}
    def below(ancestor):
        table, found, new = all_processes(), set(), {ancestor}
        while new:
            new = {pid for pid, seen in table.items() if seen[0] in new and seen[2] not in "ZX"} - found
            found |= new
        return found
    def until(condition):
        deadline = time.monotonic() + 60
        while not (found := condition()):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return found
    def labs():
        return [f"/labs/{zygote}/{sandbox}" for zygote in os.listdir("/labs") for sandbox in os.listdir(f"/labs/{zygote}") if not sandbox.startswith("matplotlib-")]
"""

In = Callable[..., Any]


@pytest.fixture
def in_a_container(tmp_path: Path) -> In:
    """Runs a host program in a container and gives the line that it says."""
    place = tmp_path / "place"
    place.mkdir()
    for path in (tmp_path, place):
        path.chmod(0o755)

    def run(program: str, *, without_landlock: bool = False, identity: str = "housed") -> Any:
        def become() -> None:
            if without_landlock:
                refuse_landlock()
            identities.prepare(identity, place, f"token-{secrets.token_hex(8)}")

        return answer_of(textwrap.dedent(_BEGINNING) + textwrap.dedent(program), become, cwd="/")

    return run


# -- what everybody has elsewhere, too


def test_snapshots_forks_and_rollback_work_with_their_files(in_a_container: In) -> None:
    program = """
    e = make(on_fault="rollback")
    found = []
    e("import os\\nx = 1\\nopen('/home/user/f', 'w').write('one')")
    s = e.snapshot()
    e("x = 2\\nopen('/home/user/f', 'w').write('two')\\nopen('/home/user/g', 'w').write('g')")
    f = e.fork()
    f("x += 10\\nopen('/home/user/f', 'w').write('fork')")
    look = "x, open('/home/user/f').read(), sorted(os.listdir('/home/user')), os.getcwd() == '/home/user'"
    found.append([f(look).output, e(look).output])
    for way in ("os._exit(3)", "os.kill(os.getpid(), 9)", "import ctypes; ctypes.string_at(0)"):
        execution = e.run(f"x = 5\\nopen('/home/user/f', 'w').write('lost')\\nos.remove('/home/user/g')\\n{way}")
        found.append([execution.fault, execution.rolled_back, e(look).output])
    e.restore(s)
    found.append(e(look).output)
    found.append(f(look).output)
    say(found)
    """
    two, both = [2, "two", ["f", "g"], True], [12, "fork", ["f", "g"], True]
    assert in_a_container(program) == [
        [both, two],
        ["crash", True, two],
        ["killed", True, two],
        ["crash", True, two],
        [1, "one", ["f"], True],
        both,
    ]


def test_a_runner_that_died_without_a_base_is_followed_by_another_in_the_same_lab(
    in_a_container: In,
) -> None:
    program = """
    e = make(on_fault="keep")
    e("open('/home/user/f', 'w').write('kept')\\nimport os\\nif not os.fork():\\n    import time\\n    time.sleep(60)")
    init, first = init_of(e), process_of(e)
    fault = e.run("os._exit(4)").fault
    say([fault, e("open('/home/user/f').read()").output, init_of(e) == init, process_of(e) != first, len(below(init)), labs() != []])
    """
    assert in_a_container(program) == ["crash", "kept", True, True, 1, True]


def test_the_host_is_told_how_a_fork_ended(in_a_container: In) -> None:
    program = """
    e = make(on_fault="keep")
    e("import os, signal, threading")
    def status(code, prepare=""):
        e(prepare)
        f = e.fork()
        f.run(code)
        runner = f._session._runner
        reply, _ = runner.sandbox.zygote._ask({"do": "status", "sandbox": runner.sandbox.number, "branch": runner.branch})
        f.close()
        return reply["status"]
    say([status("os._exit(5)"), status("os.kill(os.getpid(), signal.SIGTERM)"), e.run("os._exit(6)").error.message])
    """
    exited, terminated, message = in_a_container(program)
    assert (exited, terminated) == (5, -15)
    assert "6" in message


# -- processes


_START = """
import os, time
def start():
    "A process, and one below it whose parent dies."
    if not os.fork():
        if not os.fork():
            os.fork() and os._exit(0)
        time.sleep(60)
"""


def test_what_a_dead_runner_left_is_ended_and_what_living_ones_started_is_not(
    in_a_container: In,
) -> None:
    program = f"""
    e = make(on_fault="rollback")
    e({_START!r})
    f = e.fork()
    e("start()"); f("start()")
    one, other = process_of(e), process_of(f)
    until(lambda: len(below(one)) >= 3 and len(below(other)) >= 3)  # the base of each among them
    before = below(one)
    execution = f.run("start()\\nos._exit(1)")
    now = process_of(f)
    works = f("1 + 1").output
    until(lambda: not below(init_of(e)) - below(one) - below(now) - {{one, now}})  # bases come and go
    say([execution.rolled_back, works, len(before & below(one)) >= 2])
    """
    assert in_a_container(program) == [True, 2, True]


def test_a_process_that_code_made_beside_itself_is_nobody_s_and_is_ended(
    in_a_container: In,
) -> None:
    program = """
    e = make(on_fault="rollback")
    e("import ctypes, os, time\\nlibc = ctypes.CDLL(None)")
    beside = "if libc.syscall(56 if os.uname().machine == 'x86_64' else 220, 0x8000 | 17, 0, 0, 0, 0) == 0:\\n    time.sleep(60)\\n"
    e.run(beside + "os._exit(1)")
    works = e("1").output
    until(lambda: len(below(init_of(e)) - below(process_of(e))) == 1)  # the runner; its base comes and goes
    say(works)
    """
    assert in_a_container(program) == 1


_ALONE = """
import os, signal
def refused(function, *arguments):
    try: function(*arguments)
    except PermissionError: return True
    return False
[refused(os.setsid), refused(os.setpgid, 0, 0), refused(os.kill, 0, 0), refused(os.killpg, os.getpgrp(), 0), refused(os.kill, -1, 0)]
"""


def test_nobody_has_a_group_or_session_of_its_own_and_nobody_signals_the_group(
    in_a_container: In,
) -> None:
    assert in_a_container(f"say(make()({_ALONE!r}).output)") == [True] * 5


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("if not os.fork():\n    time.sleep(60)", id="a child"),
        pytest.param(
            "if not os.fork():\n    os.fork() and os._exit(0)\n    time.sleep(60)", id="a daemon"
        ),
        pytest.param(
            "if not os.fork():\n    while True:\n        if os.fork(): os._exit(0)", id="a runaway"
        ),
        pytest.param("for _ in range(16):\n    os.fork()\ntime.sleep(60)", id="a crowd"),
        pytest.param(
            "signal.pthread_sigmask(signal.SIG_SETMASK,"
            " signal.valid_signals())\nos.fork()\ntime.sleep(60)",
            id="a deaf one",
        ),
    ],
)
def test_nothing_outlives_its_sandbox(in_a_container: In, code: str) -> None:
    program = f"""
    import threading
    e, neighbour = make(), make()
    neighbour("kept = 1")
    e("import os, signal, time")
    group = init_of(e)
    code = {code!r}
    thread = threading.Thread(target=lambda: e.run(code), daemon=True)
    thread.start()
    until(lambda: sum(seen[1] == group for seen in all_processes().values()) >= 3)
    e.close()
    until(lambda: not any(seen[1] == group for seen in all_processes().values()))
    until(lambda: len(labs()) == 2)  # the neighbour's and the next sandbox's
    say([neighbour("kept").output])
    """
    assert in_a_container(program) == [1]


@pytest.mark.parametrize("victim", ["init", "zygote", "template", "host's end"])
def test_whoever_is_killed_of_those_around_sandboxes_nothing_is_left_and_the_executor_goes_on(
    in_a_container: In, victim: str
) -> None:
    program = f"""
    e = make(on_fault="keep")
    e("import os, time\\nif not os.fork():\\n    os.fork() and os._exit(0)\\n    time.sleep(60)")
    names = {{"init": "fumehood-init", "zygote": "fumehood-zygote", "template": "fumehood-templa", "supervisor": "fumehood-superv"}}
    group = init_of(e)
    supervisor = e._session._runner.sandbox.zygote._supervisor._process.pid
    if {victim!r} == "host's end":
        e._session._runner.sandbox.zygote._control.close()
    elif {victim!r} == "init":
        os.kill(init_of(e), 9)
    else:
        os.kill(next(pid for pid in [supervisor, *below(supervisor)] if process(pid)[3] == names[{victim!r}]), 9)
    if {victim!r} != "template":
        until(lambda: not any(seen[1] == group and seen[2] not in "ZX" for seen in all_processes().values()))
    if {victim!r} not in ("host's end", "template"):
        e.run("1")  # may say that it was killed
    if {victim!r} == "host's end":
        until(lambda: not labs())
        say(["goes on"])
    else:
        with make() as another:
            say([another("'goes on'").output])
    """
    assert in_a_container(program) == ["goes on"]


def test_a_process_of_another_sandbox_is_not_taken_for_a_copy(in_a_container: In) -> None:
    program = """
    e, neighbour = make(on_fault="rollback"), make(on_fault="rollback")
    e("1"); neighbour("1")
    runner = e._session._runner
    zygote = runner.sandbox.zygote
    def asked(**request):
        try:
            return len(zygote._ask(request)[1])
        except JailUnavailable as error:
            return str(error)
    def adopt(pid, sandbox=runner.sandbox.number):
        return asked(do="adopt", sandbox=sandbox, maker=0, branch=90, fork=False, pid=pid)
    def replace(pid):
        return asked(do="replace", sandbox=runner.sandbox.number, branch=91, pid=pid)
    copy = e.snapshot()
    others = [process_of(neighbour), init_of(e), init_of(neighbour), os.getpid(), 1, process(init_of(e))[0]]
    own = pidfds.pid_of(copy._runner.handle)
    say([adopt(own), adopt(own, 4711), [adopt(pid) for pid in others], [replace(pid) for pid in others],
         e("1 + 1").output, neighbour("1 + 1").output])
    """
    own, of_nobody, adopted, replaced, *works = in_a_container(program)
    assert own == 1
    assert of_nobody == "that sandbox has ended"
    assert {*adopted, *replaced} == {"that is no process of this sandbox"}
    assert works == [2, 2]


# -- files


_FILL = """
import os
os.mkdir("/home/user/closed"); open("/home/user/closed/file", "w").close(); os.chmod("/home/user/closed/file", 0); os.chmod("/home/user/closed", 0)
os.symlink("/", "/home/user/root"); os.symlink("/labs", "/home/user/others")
for n in range(300): open(f"/home/user/{n}", "w").close()
for n in range(300):
    os.mkdir("deep"); os.chdir("deep")
"""


def test_labs_are_gone_with_their_sandboxes_whatever_is_in_them(in_a_container: In) -> None:
    program = f"""
    neighbour = make()
    neighbour("open('/home/user/kept', 'w').write('kept')")
    with make() as e:
        failed = e.run({_FILL!r}).error
        e.snapshot()
        filled = len(labs())
    until(lambda: len(labs()) == 2)
    kept = neighbour("open('/home/user/kept').read()").output
    neighbour.close()
    supervisor.close_all()
    until(lambda: os.listdir("/labs") == [])
    say([failed and str(failed), filled, kept])
    """
    assert in_a_container(program) == [None, 3, "kept"]


def test_what_one_sandbox_has_filled_is_there_for_the_next_at_once(in_a_container: In) -> None:
    program = """
    errors = []
    for _ in range(5):
        with make(on_fault="keep") as e:
            fill = "import os\\nfor n in range(1500): open(f'/home/user/{n}', 'w').close()\\nopen('/home/user/a', 'wb').write(bytes(7 << 20))"
            errors += [str(e.run(fill).error), str(e.run("open('/home/user/b', 'wb').write(bytes(7 << 20))").error)]
    say(errors)
    """
    assert {*in_a_container(program)} == {"None"}


_LOOK_AROUND = """
import os
found = {}
def attempt(what, function):
    try: found[what] = repr(function())[:200]
    except (OSError, ValueError) as error: pass
for who, pid in others.items():
    for name in ("mem", "environ", "maps", "pagemap", "io", "stack", "syscall", "auxv"):
        attempt(f"{who}'s {name}", lambda: open(f"/proc/{pid}/{name}", "rb").read(1) and name)
    attempt(f"{who}'s mem, written", lambda: open(f"/proc/{pid}/mem", "r+b"))
    attempt(f"what {who} has open", lambda: [os.readlink(f"/proc/{pid}/fd/{n}") for n in range(5)])
    attempt(f"where {who} is", lambda: os.readlink(f"/proc/{pid}/cwd"))
    attempt(f"{who}'s root", lambda: os.listdir(f"/proc/{pid}/root/"))
    attempt(f"{who}'s lab", lambda: os.listdir(f"/proc/{pid}/fd/4"))
attempt("the labs", lambda: os.listdir("/labs"))
attempt("its own labs' place", lambda: os.listdir(os.path.dirname(os.path.dirname(os.readlink("/proc/self/fd/15")))))
attempt("the neighbour's file", lambda: open(neighbour_lab + "/home/secret").read())
own_place = os.path.dirname(os.readlink("/proc/self/fd/15"))
attempt("one's own place moved", lambda: os.rename(own_place, own_place + "-moved"))
attempt("a file in the labs", lambda: open("/labs/mine", "w"))
attempt("a signal", lambda: [os.kill(pid, 0) for pid in others.values()])
attempt("less to die for", lambda: open("/proc/self/oom_score_adj", "w").write("0"))
found
"""

_NEIGHBOURS = """
    e, neighbour = make(), make()
    neighbour("import os\\nopen('/home/user/secret', 'w').write('secret')")
    init = init_of(e)
    zygote = process(init)[0]
    others = {"the neighbour": process_of(neighbour), "the init": init, "the zygote": zygote, "the supervisor": process(zygote)[0],
              "the neighbour's init": init_of(neighbour)}
    e.send_variables({"others": others, "neighbour_lab": neighbour("os.readlink('/proc/self/fd/15')").output})
"""


def test_sandboxes_of_a_container_have_nothing_of_each_other_or_of_those_around_them(
    in_a_container: In,
) -> None:
    found = in_a_container(_NEIGHBOURS + f"    say(e({_LOOK_AROUND!r}).output)\n")
    assert found == {}


def test_without_landlock_they_see_each_other_s_files_and_not_memory_and_the_report_says_so(
    in_a_container: In,
) -> None:
    program = (
        _NEIGHBOURS + f"    say([bool(e.snapshot()), e({_LOOK_AROUND!r}).output, e.report(), e('1 +"
        " 1').output])\n"
    )
    branches, found, report, works = in_a_container(program, without_landlock=True)
    assert {
        what
        for what in found
        if "lab" not in what and "signal" not in what and "one's own" not in what
    } == {"the neighbour's file"}
    assert (works, branches) == (2, True)
    assert "sandboxes of this container see each other's files" in report
    assert "can signal each other, but have not each other's memory" in report
    assert "absent    Landlock" in report


def test_processes_that_run_code_are_the_first_to_go_when_memory_runs_out(
    in_a_container: In,
) -> None:
    program = """
    e = make(on_fault="rollback")
    e("import os")
    f = e.fork()
    score = "open('/proc/self/oom_score_adj').read().strip()"
    around = [open(f"/proc/{pid}/oom_score_adj").read().strip() for pid in (init_of(e), process(init_of(e))[0])]
    child = f"r, w = os.pipe()\\nif not os.fork():\\n    os.write(w, {score}.encode())\\n    os._exit(0)\\nos.read(r, 9).decode()"
    say([e(score).output, f(score).output, e(child).output,
         around == [open("/proc/self/oom_score_adj").read().strip()] * 2])
    """
    assert in_a_container(program) == ["1000", "1000", "1000", True]


# -- what it says


def test_the_report_says_what_the_container_has_and_what_each_sandbox_has_not(
    in_a_container: In,
) -> None:
    report = in_a_container("""
    e = make()
    say(e.report())
    """)
    lines = {
        line.split(":")[0].split("  ")[-1].strip(): line.strip() for line in report.splitlines()[1:]
    }
    assert [name for name, line in lines.items() if line.startswith("absent")] == [
        "user, pid, ipc namespaces",
        "network namespace",
        "mount namespace",
        "memory cgroup",
    ]
    assert "see each other's process numbers" in lines["user, pid, ipc namespaces"]
    assert "a sandbox has its own /home/user and /tmp" in lines["mount namespace"]
    assert "of all in this container together" in lines["resource limits"]
    assert "the container's holds all of them together" in lines["memory cgroup"]


@pytest.mark.parametrize(
    ("identity", "says"),
    [
        ("container", "runs as root, and code would, too"),
        ("contained", "its image was not built by this version of fumehood"),
    ],
)
def test_a_container_that_was_not_made_for_it_is_a_clear_error(
    in_a_container: In, identity: str, says: str
) -> None:
    program = """
    try:
        make()
        say("made")
    except JailUnavailable as error:
        say(str(error))
    """
    text = in_a_container(program, identity=identity)
    assert says in text
    assert "\\n" not in text


def test_where_namespaces_can_be_had_there_is_an_ordinary_jail_in_the_container(
    in_a_container: In,
) -> None:
    program = """
    e = make(on_fault="rollback")
    say([e.report().count("absent"), e("import os\\nos.getpid() < 100").output, e.run("os._exit(1)").rolled_back])
    """
    absent, small, rolled_back = in_a_container(program, identity="nobody")
    assert absent <= 1  # the cgroup is not everybody's to make
    assert (small, rolled_back) == (True, True)
