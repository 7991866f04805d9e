"""What the sandbox is told of an exception that a tool raised."""

from __future__ import annotations

import pytest

from fumehood.tools.failures import ARGUMENTS, TEXT_CHARACTERS, describe_failure
from fumehood.worker.tools import ToolError, revive_failure


class ApiError(Exception):
    pass


class Response:
    def __repr__(self) -> str:
        return "<Response token=hunter2>"


def there_and_back(error: BaseException) -> Exception:
    return revive_failure(*describe_failure(error))


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad"),
        KeyError("k"),
        ZeroDivisionError(),
        FileNotFoundError(2, "No such file"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad byte"),
        StopIteration(3),
        TimeoutError("slow"),
        ValueError("several", 1, 2.5, None, True, b"x"),
    ],
    ids=repr,
)
def test_an_exception_of_python_comes_back_as_itself(error: Exception) -> None:
    back = there_and_back(error)
    assert type(back) is type(error)
    assert back.args == error.args
    assert str(back) == str(error)


def test_an_exception_of_the_host_s_own_comes_back_as_a_tool_error_that_names_it() -> None:
    back = there_and_back(ApiError("quota exceeded"))
    assert type(back) is ToolError
    assert isinstance(back, RuntimeError)
    assert (str(back), back.type_name) == ("ApiError: quota exceeded", "ApiError")
    assert str(there_and_back(ApiError())) == "ApiError"


def test_objects_of_the_host_do_not_travel() -> None:
    error = ValueError("failed", Response())
    error.response = Response()  # type: ignore[attr-defined]
    error.add_note("hunter2")
    error.__cause__ = RuntimeError("hunter2")
    told = describe_failure(error)
    assert told == ("ValueError", ["failed", "<Response>"], "failed, <Response>")
    assert "hunter2" not in repr(told)


def test_everything_is_bounded() -> None:
    _, args, message = describe_failure(ValueError(*["x" * 10**6] * 1000))
    assert len(args) == ARGUMENTS
    assert {len(arg) for arg in args if isinstance(arg, str)} == {TEXT_CHARACTERS}
    assert len(message) <= TEXT_CHARACTERS
    assert describe_failure(ValueError(1 << 10**6))[1] == ["<int>"]
    assert len(describe_failure(type("E" * 10_000, (Exception,), {})())[0]) <= 200


def test_an_exception_that_cannot_be_shown_is_still_told() -> None:
    class Broken(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    assert describe_failure(Broken("x")) == ("Broken", ["x"], "")
