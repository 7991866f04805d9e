"""E2BExecutor, by the official client, with a service on loopback that runs its commands as E2B's
cloud does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from fumehood import (
    E2BExecutor,
    E2BSandbox,
    ExecutorPool,
    Mount,
    Packages,
    Policy,
    PolicyError,
)
from fumehood.errors import (
    E2BFailed,
    E2BKeyRefused,
    E2BQuotaReached,
    E2BSandboxGone,
    E2BUnavailable,
    MissingExtra,
    SandboxFailed,
)

from ..clouds import KEY, Serving
from .wheels import make_wheel


def until(condition, seconds: float = 60) -> None:
    """Waits for something that comes by itself."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def shared_sandbox(shared_cloud: Serving):
    with E2BSandbox(**shared_cloud.options) as sandbox:
        yield sandbox


@pytest.fixture
def executor(shared_sandbox: E2BSandbox):
    with E2BExecutor(sandbox=shared_sandbox) as made:
        yield made


# -- what it does


def test_forks_are_in_the_same_sandbox_and_the_last_ends_it(cloud):
    first = E2BExecutor(**cloud.options)
    first("x = 1")
    second = first.fork()
    assert second("x + 1").output == 2
    made = first.sandbox.id
    first.close()
    assert made in cloud.cloud.alive
    second.close()
    assert made not in cloud.cloud.alive


def test_the_report_says_where_it_runs_and_what_holds_it(executor, shared_sandbox):
    report = executor.report()
    assert (
        report.startswith("isolation: e2b.")
        and str(shared_sandbox.id) in report
        and "seccomp" in report
    )


def test_a_pool_has_one_sandbox_of_the_service(cloud):
    before = len(cloud.cloud.made)
    pool = ExecutorPool(size=1, max_size=2, executor_type="e2b", executor_kwargs=cloud.options)
    with pool, pool.checkout() as one, pool.checkout() as two:
        one("x = 1")
        two("x = 2")
        assert (one("x").output, two("x").output) == (1, 2)
    assert len(cloud.cloud.made) == before + 1
    assert cloud.cloud.made[-1] not in cloud.cloud.alive


def test_packages_are_brought_there_from_here(shared_sandbox, cloud, tmp_path):
    wheel = make_wheel(tmp_path, "measured", {"measured.py": "LENGTH = 3\n"})
    with E2BExecutor(sandbox=shared_sandbox, packages=[wheel]) as executor:
        assert executor("import measured\nmeasured.LENGTH").output == 3
    with pytest.raises(
        PolicyError, match="builds is for packages on this machine, and code runs elsewhere"
    ):
        E2BExecutor(sandbox=shared_sandbox, packages=Packages([wheel], builds=True))
    pool = ExecutorPool(
        size=0, executor_type="e2b", executor_kwargs={**cloud.options, "packages": [wheel]}
    )
    with pool, pool.checkout() as lent:
        assert lent("import measured\nmeasured.LENGTH").output == 3


def test_a_sandbox_that_is_there_is_connected_to_and_left_there(cloud):
    with E2BExecutor(**cloud.options) as first:
        there = first.sandbox.id
        before = cloud.cloud.asked.count("files")
        with E2BExecutor(**cloud.options, sandbox_id=there) as second:
            second("x = 1")
            assert cloud.cloud.asked.count("files") == before, "the file was there"
        assert there in cloud.cloud.alive
        assert first("2 + 2").output == 4


# -- what cannot be


def test_files_of_this_machine_are_not_there(cloud, tmp_path):
    with pytest.raises(PolicyError, match=r"mounts show code files of this machine.*files.write"):
        E2BExecutor(
            **cloud.options, policy=Policy(files=True, mounts=(Mount(str(tmp_path), "/data"),))
        )


def test_a_module_that_is_not_there_is_an_error_at_once(cloud):
    with pytest.raises(PolicyError, match=r"no_such_module.*its template"):
        E2BExecutor(["no_such_module"], **cloud.options)
    assert cloud.cloud.made[-1] not in cloud.cloud.alive


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"timeout": 1}, "timeout must be a number of seconds, at least 15"),
        ({"idle_seconds": "long"}, "idle_seconds must be a number"),
        ({"template": ""}, "template must be a string"),
        ({"template": "a", "sandbox_id": "b"}, "leave one of them out"),
    ],
)
def test_options_that_cannot_be_are_one_line(options, match):
    with pytest.raises(PolicyError, match=match):
        E2BSandbox(api_key=KEY, **options)


def test_without_a_key_nothing_is_asked(monkeypatch):
    monkeypatch.delenv("E2B_API_KEY", raising=False)
    with pytest.raises(E2BKeyRefused, match=r"no key for E2B: give api_key=…, or set E2B_API_KEY"):
        E2BExecutor()


def test_a_refused_key_is_said_in_one_line(cloud):
    with pytest.raises(
        E2BKeyRefused,
        match=r"no sandbox to be had from E2B: 401.*that key is not known; give another api_key",
    ) as caught:
        E2BExecutor(**{**cloud.options, "api_key": "e2b_ffff"})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "kind", "match"),
    [
        (429, E2BQuotaReached, "20 concurrent sandboxes.*close sandboxes"),
        (503, E2BUnavailable, "20 concurrent sandboxes.*come back later"),
        (400, E2BFailed, "20 concurrent sandboxes"),
        (500, E2BFailed, "20 concurrent sandboxes"),
    ],
)
def test_what_the_service_refuses_has_a_type_and_a_reason(cloud, status, kind, match):
    cloud.cloud.refuses = status, "you have 20 concurrent\nsandboxes"
    with pytest.raises(kind, match=match) as caught:
        E2BExecutor(**cloud.options, retries=0)
    assert (
        type(caught.value) is kind
        and isinstance(caught.value, SandboxFailed)
        and "\n" not in str(caught.value)
    )


def test_without_the_package_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['e2b_code_interpreter'] = None\n"
        "import fumehood\n"
        "try: fumehood.E2BExecutor(api_key='e2b_0')\n"
        "except fumehood.MissingExtra as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout
        == "E2BExecutor needs the package e2b-code-interpreter: pip install 'fumehood[e2b]'\n"
    )
    assert issubclass(MissingExtra, ImportError)


# -- going wrong later


def test_a_sandbox_that_somebody_kills_is_told_and_replaced(cloud):
    with E2BExecutor(**cloud.options) as executor:
        executor("x = 1")
        gone = executor.sandbox.id
        cloud.cloud.end(gone)
        with pytest.raises(
            E2BSandboxGone,
            match=rf"the E2B sandbox {gone} is gone: somebody killed it.*its variables are lost",
        ):
            executor("x")
        assert executor("2 + 2").output == 4
        assert executor.sandbox.id != gone


def test_a_cell_whose_sandbox_is_killed_ends(cloud):
    with E2BExecutor(**cloud.options, on_fault="keep") as executor:
        threading.Timer(0.5, lambda: cloud.cloud.end(executor.sandbox.id)).start()
        with pytest.raises(E2BSandboxGone, match="somebody killed it"):
            executor("import time\nwhile True: time.sleep(0.01)")


def test_a_worker_that_dies_alone_is_told(cloud):
    with E2BExecutor(**cloud.options) as executor:
        cloud.cloud.sandboxes[executor.sandbox.id].end()
        with pytest.raises(E2BSandboxGone, match=r"the worker in the E2B sandbox \w+ is gone: "):
            executor("1")


def test_a_stream_of_the_package_that_nobody_reads_is_closed(cloud):
    with E2BExecutor(**cloud.options) as executor:
        executor("1")
        own = executor.sandbox._line.own
        threading.Timer(0.5, own._pump.close).start()  # what comes then cannot be passed on
        with pytest.raises(E2BSandboxGone):
            executor("import time\nwhile True: print(1), time.sleep(0.01)")
        until(lambda: not own._pump._threads[1].is_alive())
        events = own._handle._events
        assert events.gi_frame is not None, "the package has closed it"
    assert events.gi_frame is None


def test_its_time_is_renewed_while_it_is_used(cloud):
    with E2BExecutor(**cloud.options, timeout=15) as executor:
        sandbox = cloud.cloud.sandboxes[executor.sandbox.id]
        for times in (2, 3):
            executor.sandbox._line.own._renew_soon()  # as it would be, only sooner
            until(lambda times=times: len(sandbox.seconds) == times)
    assert sandbox.seconds == [15, 15, 15]


def test_one_that_nobody_uses_is_let_go(cloud):
    with E2BExecutor(**cloud.options, timeout=15, idle_seconds=0) as executor:
        sandbox = cloud.cloud.sandboxes[executor.sandbox.id]
        executor.sandbox._line.own._renew_soon()
        sandbox.ends_at = time.monotonic()
        until(lambda: executor.sandbox.id is None or executor.sandbox.id not in cloud.cloud.alive)
        executor.sandbox._line.own._ends_at = time.monotonic()
        with pytest.raises(E2BSandboxGone, match="its time was over"):
            executor("1")
        assert sandbox.seconds == [15]
