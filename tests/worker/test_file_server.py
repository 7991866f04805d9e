"""Clerks: what they can reach and who can reach them, in namespaces and in a container; nothing of
them is left."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import LocalPythonExecutor, Policy, SandboxFailed
from fumehood.worker import file_server

from ..executors.hosts import descendants, living, named, wait_until
from .test_bare_sandboxes import In, in_a_container  # a fixture  # noqa: F401

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a container")


def clerks() -> list[int]:
    return named(living(descendants(os.getpid())), file_server.NAME)


def of_a_process(pid: int, name: str) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/{name}").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


@pytest.fixture
def executor() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(policy=Policy(files=True, language="off")) as made:
        yield made


def test_a_clerk_has_no_rights_and_nothing_open_but_the_lab_and_its_line(
    executor: LocalPythonExecutor,
) -> None:
    before = clerks()
    executor.files.list()
    (pid,) = {*clerks()} - {*before}
    status = of_a_process(pid, "status")
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    assert status["NoNewPrivs"] == "1" and status["Uid"].split() != ["0"] * 4
    if os.geteuid() == 0:
        assert not (Path(f"/proc/{pid}/root") / "etc").exists()
        opened = [
            str(fd.readlink()).partition(":")[0]
            for fd in Path(f"/proc/{pid}/fd").iterdir()
            if int(fd.name) > 2
        ]
        assert (
            len(opened) == 3 and "socket" in opened
        )  # the line, the lab, and the directory of these
    executor.close()
    wait_until(lambda: pid not in clerks(), "it ends")


def test_one_is_started_when_files_are_first_looked_at_and_ends_with_the_executor() -> None:
    before = {*clerks()}
    executor = LocalPythonExecutor(files=True)
    executor("1")
    assert {*clerks()} <= before
    executor.files.write("a", b"")
    executor.files.read("a")
    assert len({*clerks()} - before) == 1
    watch = executor.files.watch()
    assert len({*clerks()} - before) == 2
    watch.close()
    wait_until(lambda: len({*clerks()} - before) == 1, "the other ends")
    executor.close()
    wait_until(lambda: {*clerks()} <= before, "it ends")


def test_one_that_is_killed_is_replaced(executor: LocalPythonExecutor) -> None:
    before = {*clerks()}
    executor.files.write("a", b"there")
    (pid,) = {*clerks()} - before
    os.kill(pid, 9)
    wait_until(lambda: pid not in clerks(), "it ends")
    with contextlib.suppress(SandboxFailed):  # it may have been asked before it was seen to be gone
        executor.files.read("a")
    assert executor.files.read("a") == b"there"


def test_an_executor_that_is_dropped_takes_its_clerk_with_it() -> None:
    before = {*clerks()}
    executor = LocalPythonExecutor(files=True)
    executor.files.list()
    assert {*clerks()} - before
    del executor
    gc.collect()
    wait_until(lambda: {*clerks()} <= before, "it ends")


def test_forks_have_clerks_that_end_with_them(executor: LocalPythonExecutor) -> None:
    before = {*clerks()}
    executor.files.write("a", b"")
    with executor.fork() as fork:
        fork.files.write("b", b"")
        assert sorted(fork.files.list()) == ["a", "b"]
    assert sorted(executor.files.list()) == ["a"]
    wait_until(lambda: len({*clerks()} - before) == 1, "that of the fork ends")


_HOUSED = """
    e = make(on_fault="keep")
    e("import os\\nx = 1\\nos.symlink('/etc', 'etc')\\nos.symlink('/labs', 'labs')\\nopen('a', 'w').write('code')")
    e.files.write("b/c", "host")
    other = make()
    other.files.write("secret", "of another")
    refused = []
    for path in ("etc/passwd", "labs", "labs/x", "../x", "/labs"):
        try:
            refused.append(e.files.read(path))
        except (OSError, ValueError) as error:
            refused.append(type(error).__name__)
    def is_ours(pid):
        while pid > 1 and pid != os.getpid():
            pid = (process(pid) or [0])[0]
        return pid == os.getpid()
    def clerks():
        seen = {int(entry): process(entry) for entry in os.listdir("/proc") if entry.isdigit()}
        return [pid for pid, found in seen.items() if found and found[3] == "fumehood-files" and found[2] not in "ZX" and is_ours(pid)]
    clerk = min(clerks())
    attempts = []
    for attempt in (
        f"os.kill({clerk}, 9)",
        f"open('/proc/{clerk}/mem', 'rb')",
        f"os.listdir('/proc/{clerk}/fd')",
        f"os.listdir('/proc/{clerk}/root/')",
        f"os.listdir('/proc/{clerk}/cwd/')",
    ):
        attempts.append(e(f"try:\\n    found = repr({attempt})\\nexcept OSError:\\n    found = 'held'\\nfound").output)
    found = [e("x, sorted(os.listdir())").output]
    with e.files.watch() as watch:
        e("open('new', 'w').close()")
        found.append([event.kind for event in watch.wait(60)][:1])
    found.append(sorted(e.files.list()))
    e.close(), other.close()
    until(lambda: not clerks())
    say([refused, attempts, found])
"""


@AS_ROOT
def test_in_a_container_without_namespaces_files_are_as_elsewhere(in_a_container: In) -> None:  # noqa: F811
    refused, attempts, found = in_a_container(_HOUSED)
    assert refused == [
        "NotADirectoryError",
        "OSError",
        "NotADirectoryError",
        "ValueError",
        "ValueError",
    ]
    assert attempts == ["held"] * 5
    assert found == [
        [1, ["a", "b", "etc", "labs"]],
        ["create"],
        ["a", "b/c", "new"],
    ]
