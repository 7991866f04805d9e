"""What a jailed executor does beyond the contract: objects that stay inside, files, mounts, tools
that hang."""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood import (
    Limits,
    LocalPythonExecutor,
    Policy,
    PolicyError,
    SandboxFailed,
)
from fumehood.policy import Mount
from fumehood.wire.values import RemoteObject

from .conftest import MakeExecutor, outcome_of
from .hosts import wait_until


def test_the_code_runs_as_nobody_who_matters_and_sees_nothing_of_the_host(
    make_jailed: MakeExecutor, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(0o777)
    executor = make_jailed(policy=Policy(files=True, language="off"))
    if "absent    mount namespace" in executor.report():
        pytest.skip("there is no mount namespace")
    found = executor(
        "import os\nos.getuid(), os.getgid(), os.environ['HOME'], os.getcwd(), os.listdir('/home/user')"
    ).output
    assert found == (1000, 1000, "/home/user", "/home/user", [])
    executor.send_variables({"path": str(tmp_path)})
    assert executor("os.path.exists(path)").output is False


_MAPPINGS = """
found = []
for line in open("/proc/self/maps"):
    span, access, offset, _device, inode, *_path = line.split(None, 5)
    start, end = (int(address, 16) for address in span.split("-"))
    found.append((start, end, access, int(offset, 16), int(inode)))
found
"""


def test_libraries_are_in_few_mappings_and_none_is_writable_and_executable(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    if "absent    mount namespace" in executor.report():
        pytest.skip("there is no template")
    mappings = executor(_MAPPINGS).output
    assert not [access for _start, _end, access, *_ in mappings if "wx" in access]
    apart = 0
    for one, other in itertools.pairwise(mappings):
        follows = one[1] == other[0] and one[4] == other[4] and one[4] != 0
        follows &= other[3] - one[3] == one[1] - one[0]
        apart += follows and {one[2], other[2]} == {"r--p", "r-xp"}
    assert apart == 0
    assert sum(access == "r-xp" and inode != 0 for *_, access, _offset, inode in mappings) > 5


@pytest.mark.parametrize("option", ["files", "clock"])
def test_what_needs_the_jail_is_refused_inline(option: str) -> None:
    value = {"files": True, "clock": 0}[option]
    with pytest.raises(PolicyError, match="needs the jail"):
        LocalPythonExecutor(policy=Policy(**{option: value}), isolation="inline")


def test_the_environment_of_the_host_is_not_the_code_s(
    make_jailed: MakeExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUMEHOOD_TEST_SECRET", "very secret")
    executor = make_jailed(policy=Policy(files=True, language="off", imports=("wave",)))
    assert "secret" not in executor("import os\nstr(os.environ)").output
    assert (
        "secret"
        not in executor(
            "try: text = open('/proc/self/environ').read()\nexcept OSError: text = ''\ntext"
        ).output
    )


@pytest.mark.extended
def test_a_plot_is_drawn_with_its_letters_in_a_new_sandbox_and_in_one_that_was_undone(
    make_jailed: MakeExecutor,
) -> None:
    pytest.importorskip("matplotlib")
    executor = make_jailed(["matplotlib"], limits=Limits(output_bytes=10_000))
    plot = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('letters and"
        " $x^2$')\nplt.show()"
    )
    [first] = executor.run(plot).displays
    assert first["image/png"].startswith(b"\x89PNG")
    assert executor.run("while True: print('x' * 99)").rolled_back
    [again] = executor.fork().run(plot).displays
    assert again["image/png"] == first["image/png"]


def test_a_process_that_code_forks_answers_nothing(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    forked = (
        "import os\nx = os.fork()\nif not x:\n    print('child', flush=True)\nelse:\n   "
        " os.waitpid(x, 0)\nx > 0"
    )
    for _ in range(3):
        execution = executor.run(forked)
        assert (execution.value, execution.logs) == (True, "child\n")
    assert executor("x > 0").output is True


# -- objects that stay inside


@pytest.fixture
def with_object(jailed: LocalPythonExecutor) -> tuple[LocalPythonExecutor, RemoteObject]:
    made = jailed(
        "def counter():\n    n = 0\n    while True:\n        n += 1\n        yield n\nc ="
        " counter()\nnext(c)\nc"
    ).output
    assert type(made) is RemoteObject
    return jailed, made


def test_an_object_that_cannot_travel_is_a_remote_object_with_its_type_and_repr(
    with_object: tuple[Any, RemoteObject],
) -> None:
    _executor, remote = with_object
    assert remote.type_name == "generator"
    assert "counter" in remote.text
    assert "generator" in repr(remote)


def test_a_remote_object_goes_through_a_tool_as_itself(
    with_object: tuple[LocalPythonExecutor, RemoteObject],
) -> None:
    executor, remote = with_object
    seen: list[Any] = []
    executor.send_tools({"keep": lambda x: seen.append(x) or x})
    assert executor("keep(c) is c").output is True
    assert seen == [remote]


def test_another_sandbox_refuses_a_remote_object(
    with_object: tuple[Any, RemoteObject], make_jailed: MakeExecutor
) -> None:
    _executor, remote = with_object
    other = make_jailed()
    with pytest.raises((TypeError, ValueError), match="sandbox"):
        other.send_variables({"stolen": remote})
    assert other("1").output == 1


def test_a_remote_object_means_nothing_after_its_process_was_replaced(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    remote = executor("(lambda: 1)").output
    executor.run("import os\nos._exit(1)")
    new = executor("(lambda: 2)").output
    with pytest.raises(
        TypeError,
        match=r"the variable 'old' .* or to this one before it was replaced; make it again here",
    ):
        executor.send_variables({"old": remote})
    executor.send_variables({"new": new})
    assert executor("new()").output == 2


def test_an_object_that_the_host_drops_is_let_go_inside(jailed: LocalPythonExecutor) -> None:
    jailed("import weakref\nclass Thing: pass\nt = Thing()\nt.f = lambda: 0\nref = weakref.ref(t)")
    held = jailed.run("f = t.f\ng = (x for x in [t])\ng").value
    assert type(held) is RemoteObject
    jailed("del t, f, g\nNone")
    assert jailed("ref() is not None").output is True
    del held
    gc.collect()
    jailed("None")
    assert jailed("ref() is None").output is True


def test_a_method_of_code_s_object_cannot_be_called_on_the_host(
    with_object: tuple[Any, RemoteObject],
) -> None:
    _executor, remote = with_object
    assert not callable(remote)
    with pytest.raises(AttributeError):
        remote.gi_frame  # type: ignore[attr-defined]


# -- files


@pytest.fixture
def filing(make_jailed: MakeExecutor) -> LocalPythonExecutor:
    return make_jailed(policy=Policy(files=True, limits=Limits(file_bytes=4 << 20)))


def test_links_are_not_followed_and_other_things_not_read(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor(
        "import os\nopen('/home/user/real', 'w').write('x')\nos.symlink('/home/user/real',"
        " '/home/user/link')\nos.mkdir('/home/user/d')\nos.symlink('/home/user/d', '/home/user/dlink')\nopen('/home/user/d/in',"
        " 'w').write('y')\nos.symlink('/etc/passwd', '/home/user/passwd')\nNone"
    )
    for path in ("link", "dlink/in", "passwd", "/proc/self/environ"):
        with pytest.raises((OSError, ValueError)):
            executor.files.read(path)
        with pytest.raises((OSError, ValueError)):
            executor.files.write(path, b"changed")
    assert executor.files.list() == {"real": 1, "d/in": 1}
    assert executor.files.read("real") == b"x"


def test_a_named_pipe_makes_nobody_wait(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor.run(
        "import os\nos.mkfifo('/home/user/pipe')"
    )  # Landlock may refuse it: all the better
    for use in (lambda: executor.files.read("pipe"), lambda: executor.files.write("pipe", b"x")):
        assert isinstance(
            outcome_of(lambda use=use: _error_of(use)), (OSError, ValueError, type(None))
        )
    assert executor("1").output == 1


def _error_of(use: Callable[[], Any]) -> Exception | None:
    try:
        use()
    except Exception as error:
        return error
    return None


def test_a_file_that_code_must_not_read_stays_the_code_s_problem(
    filing: LocalPythonExecutor,
) -> None:
    for argument in ("'/etc/shadow'", "'/home/user/../../proc/1/environ'", "b'/root/.profile'"):
        assert filing.run(f"open({argument})").error is not None


# -- mounts


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A directory that everybody may write to, as a host that is root must give one: code is
    nobody."""
    directory = tmp_path / "shared"
    directory.mkdir()
    (directory / "given.txt").write_text("given")
    for path in (directory, directory / "given.txt"):
        path.chmod(0o777)
    return directory


def _mounting(make: MakeExecutor, source: Path, *, writable: bool) -> LocalPythonExecutor:
    executor = make(
        policy=Policy(files=True, mounts=(Mount(str(source), "/data", writable=writable),))
    )
    if (
        isinstance(executor, LocalPythonExecutor)
        and "absent    mount namespace" in executor.report()
    ):
        pytest.skip("there is no mount namespace")
    return executor


def test_a_mount_can_be_read_and_not_written(make_jailed: MakeExecutor, shared: Path) -> None:
    executor = _mounting(make_jailed, shared, writable=False)
    assert executor("open('/data/given.txt').read()").output == "given"
    assert executor.run("open('/data/given.txt', 'w')").error.type in ("OSError", "PermissionError")
    assert executor.run("open('/data/new.txt', 'w')").error.type in ("OSError", "PermissionError")
    assert (shared / "given.txt").read_text() == "given"


def test_a_link_in_a_mount_leads_nowhere_outside(make_jailed: MakeExecutor, shared: Path) -> None:
    secret = shared.parent / "secret.txt"
    secret.write_text("secret")
    (shared / "link").symlink_to(secret)
    (shared / "up").symlink_to("..")
    executor = _mounting(make_jailed, shared, writable=True)
    for path in ("/data/link", "/data/up/secret.txt", "/data/../secret.txt"):
        assert executor.run(f"open({path!r}).read()").error is not None


# -- tools


def test_a_tool_that_hangs_does_not_keep_the_cell_from_being_interrupted(
    make_jailed: MakeExecutor,
) -> None:
    release, called = threading.Event(), threading.Event()
    executor = make_jailed()

    def hang() -> None:
        called.set()
        release.wait(60)

    executor.send_tools({"hang": hang})
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(executor.run("kept = 1\nhang()")))
    thread.start()
    assert called.wait(60)
    assert executor.interrupt() is True
    thread.join(60)
    assert results and results[0].fault == "killed"
    assert executor("kept").output == 1
    release.set()
    assert executor("kept + 1").output == 2


def test_an_asynchronous_tool_is_cancelled_when_its_cell_is_stopped(
    make_jailed: MakeExecutor,
) -> None:
    started, cancelled = threading.Event(), threading.Event()

    async def forever() -> None:
        started.set()
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    executor = make_jailed()
    executor.send_tools({"forever": forever})
    thread = threading.Thread(target=lambda: executor.run("forever()"))
    thread.start()
    assert started.wait(60)
    executor.interrupt()
    assert cancelled.wait(60)
    thread.join(60)
    assert executor("1").output == 1


def test_a_sandbox_that_does_not_read_an_answer_does_not_hold_up_the_event_loop(
    make_jailed: MakeExecutor,
) -> None:
    ticks: list[int] = []

    async def large() -> bytes:
        ticks.clear()
        return bytes(60_000_000)  # more than fits between the two

    async def main() -> object:
        async def tick() -> None:
            while True:
                ticks.append(1)
                await asyncio.sleep(0.005)

        ticking = asyncio.create_task(tick())
        executor = make_jailed(["time"])
        executor.send_tools({"large": large, "ticks": lambda: len(ticks)})
        code = (
            "import asyncio, time\ntask = asyncio.create_task(large.aio())\nawait"
            " asyncio.sleep(0)\n"
        )
        code += "time.sleep(0.5)\npassed = ticks()\npassed, len(await task)"
        execution = await executor.arun(code)
        ticking.cancel()
        return execution.value

    passed, length = asyncio.run(main())  # type: ignore[misc]
    assert length == 60_000_000
    assert passed > 2


def test_a_late_answer_of_an_earlier_cell_is_nobody_s(make_jailed: MakeExecutor) -> None:
    release, called = threading.Event(), threading.Event()
    executor = make_jailed()

    def slow() -> str:
        called.set()
        release.wait(60)
        return "late"

    executor.send_tools({"slow": slow, "quick": lambda: "quick"})
    thread = threading.Thread(target=lambda: executor.run("slow()"))
    thread.start()
    assert called.wait(60)
    executor.interrupt()
    thread.join(60)
    release.set()
    assert [executor("quick()").output for _ in range(20)] == ["quick"] * 20


def test_a_tool_that_returns_what_cannot_be_sent_fails_in_the_code(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed()
    executor.send_tools({"lock": threading.Lock})
    assert executor(
        "try:\n    lock()\nexcept TypeError as e:\n    r = str(e)\nr"
    ).output.startswith("what the tool returned cannot be sent")


def test_a_variable_that_cannot_be_sent_is_named_and_none_is_sent(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed()
    with pytest.raises(
        TypeError,
        match=r"^the variable 'lock' cannot be sent into the sandbox: a value of type _thread.lock",
    ):
        executor.send_variables({"x": 1, "lock": threading.Lock()})
    for wrong in (None, 3, ["x"]):
        with pytest.raises(
            PolicyError,
            match=r"variables are a dictionary of values by their names, such as \{'x': 1\}, not ",
        ):
            executor.send_variables(wrong)  # type: ignore[arg-type]
    assert "x" not in executor.state


def test_a_thread_that_waits_for_a_tool_when_the_cell_ends_does_no_harm(
    make_jailed: MakeExecutor,
) -> None:
    release, called = threading.Event(), threading.Event()
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor.send_tools({"slow": lambda: (called.set(), release.wait(60))[1], "quick": lambda: 7})
    executor(
        "import threading\nkept = 1\nthreading.Thread(target=slow, daemon=True).start()\nwhile"
        " threading.active_count() < 2: pass\n1"
    )
    assert outcome_of(lambda: executor.run("kept, quick()")).value == (1, 7)
    release.set()
    assert [outcome_of(lambda: executor.run("quick()")).value for _ in range(5)] == [7] * 5


def test_a_thread_that_calls_a_tool_between_cells_does_no_harm(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor.send_tools({"quick": lambda: 7})
    executor(
        "import threading, time\ndef later():\n    time.sleep(0.05)\n   "
        " quick()\nthreading.Thread(target=later, daemon=True).start()\n1"
    )
    time.sleep(0.15)
    assert [outcome_of(lambda: executor.run("quick()")).value for _ in range(5)] == [7] * 5


def test_an_interrupt_at_any_moment_leaves_a_usable_executor(make_jailed: MakeExecutor) -> None:
    executor = make_jailed()
    executor.send_tools({"f": lambda x: x})
    stop = threading.Event()

    def disturb() -> None:
        while not stop.wait(0.003):
            executor.interrupt()

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(60):
            execution = outcome_of(
                lambda: executor.run("t = 0\nfor i in range(40): t += f(i)\nprint('x' * 100)\nt")
            )
            assert execution.fault == "killed" or execution.value == 780, execution
    finally:
        stop.set()
        thread.join()
    assert executor("f(5)").output == 5


def test_closing_ends_a_cell_that_runs_in_another_thread(make_jailed: MakeExecutor) -> None:
    started = threading.Event()
    executor = make_jailed(on_output=lambda text: started.set())
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(executor.run("print('on', flush=True)\nwhile True: pass"))
        except SandboxFailed as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert started.wait(60)
    executor.close()
    thread.join(60)
    assert results


# -- giving back


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_executors_that_are_dropped_without_being_closed_are_collected(
    make_jailed: MakeExecutor,
) -> None:
    kept = make_jailed()
    kept("1")
    # What is dropped is given back at the next start in the same place.
    there: dict[str, Any] = {"node": kept.node} if hasattr(kept, "node") else {}
    before = _descriptors()

    def drop_fifty() -> bool:
        for n in range(50):
            executor = make_jailed(**there)
            assert executor(f"{n}").output == n
            executor.itself = executor  # type: ignore[attr-defined]  # so that only the collector finds it, whenever it runs
        return True

    assert outcome_of(drop_fifty)
    gc.collect()
    with make_jailed(
        **there
    ) as last:  # a finalizer must not wait; what it left to do is done at the next start
        last("1")
    wait_until(lambda: _descriptors() <= before, "all are given back")


def test_replacing_processes_and_sandboxes_leaks_no_descriptors(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor("1")
    executor("1")  # from the second cell on there is a checkpoint
    before = _descriptors()
    for code in (
        "import os\nos._exit(1)",
        "import os\nos.write(3, b'garbage' * 9)",
        "import os\nos.close(3)",
    ) * 4:
        executor.run(code)
        executor.run("1")
    wait_until(lambda: _descriptors() <= before, "all are given back")
