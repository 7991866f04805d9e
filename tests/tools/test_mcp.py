"""Tools of MCP servers: real ones, as programs and over the network, good and bad."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.errors import MissingExtra, ToolError
from fumehood.tools.adopting import as_tools
from fumehood.tools.collection import ToolCollection
from fumehood.tools.mcp import MOST_TOOLS
from fumehood.tools.prompting import signature_text
from fumehood.tools.tool import Tool

mcp = pytest.importorskip("mcp")

SERVER = str(Path(__file__).with_name("mcp_server.py"))
SMALL = str(Path(__file__).with_name("mcp_small.py"))


def program(behaviour: str = "good") -> dict[str, Any]:
    """A server that starts quickly, to be connected to and left in every way."""
    return {"command": sys.executable, "args": [SMALL, behaviour]}


def tools_of(collection: ToolCollection) -> dict[str, Tool]:
    return {tool.name: tool for tool in collection}


@pytest.fixture(scope="module")
def tools() -> Iterator[dict[str, Tool]]:
    with ToolCollection.from_mcp(
        mcp.StdioServerParameters(command=sys.executable, args=[SERVER])
    ) as collection:
        yield tools_of(collection)


def refusal(parameters: Any, **options: Any) -> str:
    with pytest.raises(ToolError) as caught:
        ToolCollection.from_mcp(parameters, **options)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 700
    return str(caught.value)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_soon_dead(process: int) -> bool:
    for _ in range(1000):
        if not is_alive(process):
            return True
        time.sleep(0.01)
    return False


# -- calls


def test_an_error_of_the_server_is_an_exception_with_its_words(tools: dict[str, Tool]) -> None:
    with pytest.raises(ToolError, match="no such city"):
        tools["fail"]("no such city")
    with pytest.raises(ToolError, match="lat"):
        tools["where"]({"lat": "north"})
    assert tools["add"](1) == 11


def test_calls_of_many_threads_each_get_their_own_answer(tools: dict[str, Tool]) -> None:
    results: dict[int, int] = {}
    threads = [
        threading.Thread(target=lambda n=n: results.update({n: tools["add"](n, n)}))
        for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: 2 * n for n in range(20)}


# -- over the network


@pytest.fixture
def address() -> Iterator[str]:
    """A server that listens on a port of this machine, and ends when this does."""
    served = subprocess.Popen(
        [sys.executable, SERVER, "http"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert served.stdout is not None and served.stdin is not None
    yield f"http://127.0.0.1:{served.stdout.readline().strip()}/mcp"
    served.stdin.close()
    served.wait(60)


# -- servers that fail


def test_a_program_that_dies_at_once_is_quoted() -> None:
    text = refusal(program("dies"))
    assert text.endswith("(its last words: cannot start: the key is missing)")


@pytest.mark.long
@pytest.mark.parametrize("behaviour", ["silent", "garbage"])
def test_a_program_that_does_not_answer_is_given_up_and_ended(
    behaviour: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert "no answer within 0.5 seconds" in refusal(program(behaviour), timeout=0.5)
    assert capfd.readouterr().err == ""


def test_a_server_that_dies_in_a_call_is_quoted_and_further_calls_fail_at_once() -> None:
    with ToolCollection.from_mcp(program()) as collection:
        tools = tools_of(collection)
        with pytest.raises(ToolError, match=r"die failed: .*its last words: dying of it"):
            tools["die"]()
        with pytest.raises(ToolError, match="add"):
            tools["add"](1)


def test_an_answer_that_does_not_come_is_not_waited_for_and_the_next_call_works() -> None:
    with ToolCollection.from_mcp(program(), call_timeout=3) as collection:
        tools = tools_of(collection)
        with pytest.raises(ToolError, match=r"hang has not answered for 3 seconds"):
            tools["hang"]()
        assert tools["add"](1) == "2"


# -- servers that mean harm


def test_whatever_a_server_calls_its_tools_code_can_call_them(
    executor: LocalPythonExecutor,
) -> None:
    with ToolCollection.from_mcp(program("hostile")) as collection:
        tools = as_tools(collection)
        assert [*tools][:5] == ["get_weather", "get_weather_2", "get_weather_3", "tool", "eval_"]
        assert all(len(name) <= 100 for name in tools)
        for tool in tools.values():
            (function,) = ast.parse(signature_text(tool)).body
            assert isinstance(function, ast.FunctionDef) and len(function.body) == 1
            assert len(signature_text(tool)) < 20_000
        executor.send_tools(tools)
        assert executor("get_weather(), get_weather_3(), eval_(), eval('1 + 1')").output == (
            "called get-weather",
            "called get weather",
            "called eval",
            2,
        )


def test_there_is_an_end_to_how_many_tools_a_server_has() -> None:
    with ToolCollection.from_mcp(program("pages")) as collection:
        assert len(collection) == MOST_TOOLS


def test_an_answer_that_is_none_is_an_error_and_the_next_call_works() -> None:
    with ToolCollection.from_mcp(program()) as collection:
        tools = tools_of(collection)
        with pytest.raises(ToolError, match="lie failed"):
            tools["lie"]()
        assert tools["picture"]() == "(image/png that is damaged)"
        assert tools["add"](1) == "2"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (3, "described by StdioServerParameters or a dictionary"),
        ("python server.py", "described by StdioServerParameters"),
        ({}, "described by StdioServerParameters"),
        ({"env": {"TOKEN": "open sesame"}}, "not a dictionary of ['env']"),
        (
            {"command": 3},
            (
                "needs a command, a text, and args, a list of texts, such as {'command': 'python',"
                " 'args': ['server.py']}, not int"
            ),
        ),
        (
            {"command": "x", "args": "--key open sesame"},
            (
                "a list of texts, such as {'command': 'python', 'args': ['server.py']}, not str"
                " and str"
            ),
        ),
        ({"command": "python", "args": "server.py"}, "needs a command"),
        ({"url": "ftp://x"}, "begins with http"),
        ({"url": 3}, "begins with http"),
        ({"url": "http://x", "transport": "pigeon"}, "streamable-http or sse, not by 'pigeon'"),
        ({"url": "http://x", "headers": "a: b"}, "headers for an MCP server are a dictionary"),
    ],
)
def test_parameters_that_are_none_are_refused(parameters: Any, words: str) -> None:
    said = refusal(parameters)
    assert words in said and "sesame" not in said


# -- the end


def test_closing_ends_the_program_and_closing_again_is_harmless() -> None:
    collection = ToolCollection.from_mcp(program(), trust_remote_code=True)
    process = int(tools_of(collection)["process"]())
    assert is_alive(process)
    collection.close()
    collection.close()
    assert not is_alive(process)
    with pytest.raises(ToolError, match="it has been closed"):
        collection.tools[0](1)


@pytest.mark.long
@pytest.mark.extended
def test_a_program_that_ends_without_closing_leaves_no_server_behind() -> None:
    code = f"""
from fumehood.tools.collection import ToolCollection
from fumehood.tools.mcp import MOST_TOOLS
collection = ToolCollection.from_mcp({program()!r})
print([tool for tool in collection if tool.name == "process"][0]())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert is_soon_dead(int(done.stdout))


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=re.escape("need mcp: pip install 'fumehood[mcp]'")):
        ToolCollection.from_mcp(program())
