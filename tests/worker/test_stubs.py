"""Stubs: what code in the sandbox gets for a tool."""

from __future__ import annotations

import asyncio
import inspect
import pydoc
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.worker.tools import make_stub, revive_failure


def parameter(
    name: str, kind: str = "positional_or_keyword", annotation: str = "", default: str | None = None
) -> dict[str, Any]:
    return {"name": name, "kind": kind, "annotation": annotation, "default": default}


SEARCH: dict[str, Any] = {
    "name": "search",
    "doc": "Searches.",
    "parameters": [
        parameter("query", annotation="str"),
        parameter("limit", annotation="int", default="10"),
    ],
    "returns": "list[str]",
    "is_async": False,
}
FETCH = SEARCH | {"name": "fetch", "is_async": True}


def call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return "called", name, args, kwargs


async def acall(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    await asyncio.sleep(0)
    return "awaited", name, args, kwargs


def stub_of(spec: dict[str, Any]) -> Any:
    return make_stub(spec, call, acall)


# -- how it looks


def test_a_stub_has_the_tool_s_name_documentation_and_signature() -> None:
    stub = stub_of(SEARCH)
    assert inspect.isfunction(stub)
    assert (stub.__name__, stub.__qualname__, stub.__module__, stub.__doc__) == (
        "search",
        "search",
        "tools",
        "Searches.",
    )
    assert str(inspect.signature(stub)) == "(query: str, limit: int = 10) -> list[str]"
    assert inspect.signature(stub).parameters["limit"].default == 10
    assert str(inspect.signature(stub.aio)) == "(query: str, limit: int = 10) -> list[str]"
    assert stub.aio.__qualname__ == "search.aio"


def test_help_shows_signature_and_documentation() -> None:
    text = pydoc.plain(pydoc.render_doc(stub_of(SEARCH)))
    assert "search(query: str, limit: int = 10) -> list[str]\n    Searches." in text


def test_help_for_an_async_tool_says_how_it_is_called() -> None:
    assert "`await fetch(...)`" in pydoc.plain(pydoc.render_doc(stub_of(FETCH)))


def test_a_tool_without_documentation_has_none() -> None:
    assert stub_of(SEARCH | {"doc": ""}).__doc__ is None


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ([], "()"),
        ([parameter("a", "positional_only")], "(a, /)"),
        ([parameter("a", "positional_only"), parameter("b")], "(a, /, b)"),
        ([parameter("a", "keyword_only", default="None")], "(*, a=None)"),
        (
            [parameter("a", "keyword_only", default="1"), parameter("b", "keyword_only")],
            "(*, a=1, b)",
        ),
        (
            [parameter("args", "var_positional", "int"), parameter("a", "keyword_only")],
            "(*args: int, a)",
        ),
        (
            [parameter("args", "var_positional"), parameter("kwargs", "var_keyword", "str")],
            "(*args, **kwargs: str)",
        ),
        (
            [
                parameter("a", default="..."),
                parameter("b", annotation="list[str] | None", default="[1, 'x']"),
            ],
            None,
        ),
    ],
    ids=str,
)
def test_every_kind_of_parameter_is_shown_by_inspect_as_by_us(
    parameters: list[dict[str, Any]], text: str | None
) -> None:
    spec = SEARCH | {"parameters": parameters, "returns": ""}
    text = text or "(a=..., b: list[str] | None = [1, 'x'])"
    assert str(inspect.signature(stub_of(spec))) == text


@pytest.mark.parametrize(
    "parameters",
    [
        [parameter("class")],
        [parameter("two words")],
        [parameter("a"), parameter("a")],
        [parameter("a", default="1"), parameter("b")],
        [parameter("a", "var_positional"), parameter("b", "var_positional")],
    ],
    ids=str,
)
def test_parameters_that_python_cannot_have_leave_the_signature_open(
    parameters: list[dict[str, Any]],
) -> None:
    stub = stub_of(SEARCH | {"parameters": parameters})
    assert list(inspect.signature(stub).parameters) == ["args", "kwargs"]
    assert stub(1)[0] == "called"


def test_what_shows_the_signature_cannot_be_called_by_mistake() -> None:
    with pytest.raises(TypeError, match="call the tool itself"):
        stub_of(SEARCH).__wrapped__("cats", limit=3)


# -- calling


def test_arguments_may_have_any_name() -> None:
    assert stub_of(SEARCH)(name=1, args=2, self=3, spec=4)[3] == {
        "name": 1,
        "args": 2,
        "self": 3,
        "spec": 4,
    }


# -- exceptions


def _fails(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    try:
        raise KeyError("inner")
    except KeyError:
        raise revive_failure("ValueError", ["no"], "no") from OSError("cause")


async def _afails(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return _fails(name, args, kwargs)


@pytest.mark.parametrize("how", ["plain", "aio"])
def test_an_exception_arrives_without_what_the_machinery_left_on_it(how: str) -> None:
    stub: Any = make_stub(SEARCH, _fails, _afails)
    with pytest.raises(ValueError, match="no") as caught:
        stub() if how == "plain" else asyncio.run(stub.aio())
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    assert "_fails" not in [entry.name for entry in caught.traceback]


def test_an_exception_keeps_the_context_that_the_code_gave_it() -> None:
    stub = make_stub(SEARCH, _fails, _afails)

    def handles() -> None:
        try:
            1 / 0
        except ZeroDivisionError:
            stub()

    with pytest.raises(ValueError, match="no") as caught:
        handles()
    assert isinstance(caught.value.__context__, ZeroDivisionError)


def test_what_stops_a_cell_passes_through_untouched() -> None:
    class Stop(BaseException):
        pass

    def stops(*_: Any) -> Any:
        raise Stop from KeyError("kept")

    with pytest.raises(Stop) as caught:
        make_stub(SEARCH, stops, acall)()
    assert isinstance(caught.value.__cause__, KeyError)


# -- what code can reach


@pytest.mark.parametrize("spec", [SEARCH, FETCH], ids=["sync", "async"])
def test_guarded_code_finds_no_way_from_a_stub_to_a_signature_object(spec: dict[str, Any]) -> None:
    """An inspect.Signature evaluates strings past the rules; `vars` shows all that is in a
    function's dictionary."""
    executor = LocalPythonExecutor(isolation="inline")
    executor.send_variables({"stub": stub_of(spec)})
    found = executor(
        "[vars(stub), vars(stub.aio), stub.__annotations__, vars(stub.__wrapped__),"
        " stub.__wrapped__.__annotations__]"
    )
    pieces = [value for piece in found.output for value in piece.values()]
    assert pieces
    assert not [
        piece for piece in pieces if isinstance(piece, (inspect.Signature, inspect.Parameter))
    ]


@pytest.mark.parametrize("name", ["__closure__", "__globals__", "__code__", "__defaults__"])
def test_guarded_code_cannot_open_a_stub(name: str) -> None:
    executor = LocalPythonExecutor(isolation="inline")
    executor.send_variables({"stub": stub_of(SEARCH)})
    assert executor.run(f"stub.{name}").fault == "refused"
    assert executor.run(f"getattr(stub, {name!r})").error is not None
