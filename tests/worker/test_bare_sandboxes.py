"""Sandboxes in a container that refuses namespaces, from a host in the same container.

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
    def process(pid):
        with contextlib.suppress(OSError):
            name, _, rest = open(f"/proc/{pid}/stat").read().rpartition(")")
            return (int(rest.split()[1]), int(rest.split()[2]), rest.split()[0], name.partition("(")[2])
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


# -- files


_FILL = """
import os
os.mkdir("/home/user/closed", 0o300); os.close(os.open("/home/user/closed/file", os.O_CREAT, 0))
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
found
"""

_NEIGHBOURS = """
    e, neighbour = make(), make()
    neighbour("import os\\nopen('/home/user/secret', 'w').write('secret')")
    zygote = process(process_of(e))[0]
    others = {"the neighbour": process_of(neighbour), "the zygote": zygote, "the supervisor": process(zygote)[0]}
    e.send_variables({"others": others, "neighbour_lab": neighbour("os.readlink('/proc/self/fd/15')").output})
"""


def test_sandboxes_of_a_container_have_nothing_of_each_other_or_of_those_around_them(
    in_a_container: In,
) -> None:
    found = in_a_container(_NEIGHBOURS + f"    say(e({_LOOK_AROUND!r}).output)\n")
    assert found == {}


def test_without_namespaces_and_landlock_nothing_runs(in_a_container: In) -> None:
    program = """
    try:
        make()
        say("made")
    except JailUnavailable as error:
        say(str(error))
    """
    text = in_a_container(program, without_landlock=True)
    assert text.startswith("neither namespaces (") and "allow user namespaces" in text


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
    assert "each sandbox is one process" in lines["user, pid, ipc namespaces"]
    assert "a sandbox has its own /home/user and /tmp" in lines["mount namespace"]
    assert "the container's limits all of them together" in lines["memory cgroup"]


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
