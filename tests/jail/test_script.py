"""Scripts of system calls: made in order, stopped at the first that fails, the same by C code and by
Python."""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path

import pytest

from fumehood.jail import kernel
from fumehood.jail.kernel import Script, lowest_free

from .forking import in_a_fork


@pytest.fixture(params=["C", "python"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(kernel, "_spawn", None)
        monkeypatch.setattr(kernel, "why_no_spawn", "a test")
    elif kernel.why_no_spawn:
        pytest.skip(f"no C library: {kernel.why_no_spawn}")


def test_steps_are_made_in_order(tmp_path: Path) -> None:
    def body() -> str:
        made = Script(lowest_free())
        made.change_directory(str(tmp_path))
        descriptor = made.open(".", os.O_RDONLY | os.O_DIRECTORY)
        made.close(descriptor)
        made.write_file("/dev/null", b"nothing")
        made.run()
        return str(Path.cwd())

    assert in_a_fork(body) == str(tmp_path)


def test_the_first_that_fails_ends_it_and_says_which_and_why(tmp_path: Path) -> None:
    def body() -> list[object]:
        made = Script(lowest_free())
        made.change_directory(str(tmp_path))
        made.change_directory(str(tmp_path / "nowhere"))
        made.change_directory("/")
        try:
            made.run()
        except OSError as error:
            return [error.errno, str(error), str(Path.cwd())]
        return []

    number, text, where = in_a_fork(body)
    assert (number, where) == (errno.ENOENT, str(tmp_path))
    assert "chdir" in text and "nowhere" in text and "No such file" in text


def test_a_descriptor_that_is_not_the_expected_one_fails_it() -> None:
    def body() -> str:
        made = Script(lowest_free() + 7)
        made.open("/dev/null", os.O_RDONLY)
        try:
            made.run()
        except OSError as error:
            return str(error)
        return "went on"

    assert "was expected" in in_a_fork(body)


def test_what_may_fail_may_fail() -> None:
    def body() -> str:
        made = Script(lowest_free())
        made.prctl("of no kind", 123456, expected=kernel.IGNORED)
        made.change_directory("/dev")
        made.run()
        return str(Path.cwd())

    assert in_a_fork(body) == "/dev"


def test_a_script_can_be_run_again() -> None:
    def body() -> list[str]:
        made = Script(lowest_free())
        made.change_directory("/dev")
        seen = []
        for _ in range(3):
            os.chdir("/")
            made.run()
            seen.append(str(Path.cwd()))
        return seen

    assert in_a_fork(body) == ["/dev"] * 3


@pytest.mark.parametrize("value", [0, 1, 2**40])
def test_limits_hold_soft_and_hard(value: int) -> None:
    def body() -> list[int]:
        made = Script(lowest_free())
        made.limit(resource.RLIMIT_CORE, value)
        made.run()
        return list(resource.getrlimit(resource.RLIMIT_CORE))

    _soft_now, hard_now = resource.getrlimit(resource.RLIMIT_CORE)
    if hard_now != resource.RLIM_INFINITY and value > hard_now:
        pytest.skip("the limit is lower already")
    assert in_a_fork(body) == [value, value]


def test_an_endless_limit_is_endless() -> None:
    if resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY:
        pytest.skip("there is a limit already")

    def body() -> bool:
        made = Script(lowest_free())
        made.limit(resource.RLIMIT_CPU, resource.RLIM_INFINITY)
        made.run()
        return resource.getrlimit(resource.RLIMIT_CPU) == (resource.RLIM_INFINITY,) * 2

    assert in_a_fork(body) is True


def test_what_is_opened_is_closed_in_the_order_of_a_stack() -> None:
    made = Script(10)
    first, second = made.open("/", os.O_PATH), made.open("/", os.O_PATH)
    assert (first, second) == (10, 11)
    with pytest.raises(AssertionError):
        made.close(first)


def test_a_call_that_no_machine_knows_is_refused_when_the_script_is_made() -> None:
    made = Script(3)
    with pytest.raises(OSError, match="not known"):
        made.call("no_such_call")
