"""What there is no room for is an error of its own type, which says what to do; when there is room
again it can be had."""

from __future__ import annotations

import errno
import resource

import pytest

from fumehood.errors import NoRoom
from fumehood.executors import supervisor

from .hosts import answer_of


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EMFILE, errno.ENFILE])
def test_what_a_zygote_lacks_is_told_with_what_to_do(number: int) -> None:
    told = str(supervisor.exhausted_there(number))
    assert "close executors, or raise" in told
    assert "\n" not in told


@pytest.mark.parametrize(
    "number", [None, errno.ENOENT, errno.EPERM, str(errno.EAGAIN), [errno.EAGAIN]]
)
def test_another_error_of_a_zygote_is_no_want_of_room(number: object) -> None:
    assert supervisor.exhausted_there(number) is None
    failure = supervisor._failure({"failed": "why", "errno": number})
    assert not isinstance(failure, NoRoom)
    assert str(failure) == "why"


def test_who_has_no_room_at_a_server_is_told_so_in_the_servers_words() -> None:
    failure = supervisor._failure({"failed": "come back later", "full": True})
    assert isinstance(failure, NoRoom)
    assert str(failure) == "come back later"


def test_a_process_that_cannot_be_started_for_want_of_descriptors_lacks_its_own() -> None:
    assert "in this process" in str(
        supervisor.exhausted_to_start(OSError(errno.EMFILE, "Too many open files"))
    )
    assert "no process more" in str(
        supervisor.exhausted_to_start(OSError(errno.EAGAIN, "Resource temporarily unavailable"))
    )
    assert (
        supervisor.exhausted_to_start(FileNotFoundError(errno.ENOENT, "No such file or directory"))
        is None
    )


@pytest.mark.extended
def test_a_fork_and_a_snapshot_without_descriptors_are_refused_and_work_again() -> None:
    program = """
        executor = LocalPythonExecutor()
        executor("x = 1")
        spare = []
        try:
            while True: spare.append(os.dup(0))
        except OSError:
            pass
        told = []
        for act in (executor.fork, executor.snapshot):
            try:
                act()
            except SandboxFailed as error:
                told.append(f"{type(error).__name__}: {error}")
        for descriptor in spare: os.close(descriptor)
        with executor.fork() as other: kept = other("x").output
        say([told, kept, works(executor)])
    """
    told = (
        "NoRoom: Too many open files in this process: close executors, or raise its limit"
        " (ulimit -n)"
    )
    answer = answer_of(program, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    assert answer == [[told, told], 1, True]
