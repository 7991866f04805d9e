"""`fumehood agent`: what goes where, with which exit code, and what is said when something is
wrong."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ..agent.scenes import png

pytestmark = pytest.mark.filterwarnings("ignore::fumehood.DangerousImport")


def turn(code: str, thought: str = "I run this.") -> str:
    return f"{thought}\n```python\n{code}\n```"


@pytest.fixture
def record(tmp_path):
    """Writes a recording of a model that says these things, one after the other. Code alone is put
    in a block."""

    def write(*turns: str, name: str = "turns.json") -> Path:
        path = tmp_path / name
        texts = [text if "```" in text or text.startswith("(") else turn(text) for text in turns]
        path.write_text(json.dumps({"fumehood recording": 1, "turns": texts}))
        return path

    return write


@pytest.fixture
def agent(fumehood_here, record):
    """Runs the command in this process, with code that runs in this process too: what a model would
    say, and options."""

    def call(turns: list[str], *options: str | Path, task: str = "Do it.", **more):
        return fumehood_here(
            "agent", task, "--executor", "inline", "--replay", record(*turns), *options, **more
        )

    return call


# -- what goes where


def test_the_answer_goes_to_stdout_and_everything_else_to_stderr(agent):
    done = agent(["print('on the way')", "final_answer('It is 42.')"])
    assert (done.returncode, done.stdout) == (0, "It is 42.\n")
    for part in (
        "Do it.",
        "step 1 of 20",
        "I run this.",
        "▎ print('on the way')",
        "  on the way",
        "step 2 of 20",
        "answer · 2 steps",
    ):
        assert part in done.stderr


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("final_answer('two\\nlines')", "two\nlines\n"),
        ("final_answer([1, {'a': None}])", "[1, {'a': None}]\n"),
        ("final_answer(None)", "None\n"),
        ("final_answer('\\x1b[31mred\\x1b[0m')", "red\n"),
        ("final_answer('')", ""),
    ],
)
def test_an_answer_is_printed_as_print_would_without_what_a_terminal_would_obey(
    agent, code, answer
):
    assert agent([code]).stdout == answer


def test_json_has_everything_and_nothing_else_is_on_stdout(agent):
    done = agent(["1 / 0", "print('é')\nfinal_answer({'a': [1, 2]})"], "--json", "--quiet")
    run = json.loads(done.stdout)
    assert (run["state"], run["output"], run["output_text"], run["error"]) == (
        "success",
        {"a": [1, 2]},
        "{'a': [1, 2]}",
        None,
    )
    first, second = run["steps"]
    assert (first["number"], first["code"], first["error"]["type"]) == (
        1,
        "1 / 0",
        "AgentExecutionError",
    )
    assert first["execution"]["error"]["type"] == "ZeroDivisionError"
    assert (second["execution"]["logs"], second["is_final_answer"], second["thought"]) == (
        "é\n",
        True,
        "I run this.",
    )
    assert (run["metrics"]["steps_used"], run["metrics"]["error_count"]) == (2, 1)
    assert run["metrics"]["code_cells"] == ["1 / 0", "print('é')\nfinal_answer({'a': [1, 2]})"]


# -- how it ends


def test_used_up_steps_are_exit_code_4_and_the_summary_is_the_answer(agent):
    done = agent(["1", "(a summary)"], "--max-steps", "1")
    assert (done.returncode, done.stdout) == (4, "(a summary)\n")
    assert "the steps are used up" in done.stderr


def test_no_jail_is_exit_code_3_with_the_reason(fumehood_here, record, no_jail):
    done = fumehood_here("agent", "Do it.", "--replay", record("1"))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("fumehood: this kernel is from another century")
    assert "--executor inline" in done.stderr


@contextlib.contextmanager
def started(tmp_path, *arguments):
    """The real command, running, as a shell would start it."""
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fumehood.cli",
            "agent",
            "Do it.",
            "--executor",
            "inline",
            *map(str, arguments),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def until(child, words):
    for line in child.stderr:
        if words in line:
            return
    raise AssertionError(f"it ended without saying {words!r}")


@pytest.mark.long
def test_an_interrupt_ends_the_run_in_an_orderly_way(tmp_path, record):
    with started(tmp_path, "--replay", record("print('begun')\nwhile True: pass")) as child:
        until(child, "  begun")
        child.send_signal(signal.SIGINT)
        out, errors = child.communicate(timeout=120)
        assert (child.returncode, out) == (130, "")
        assert "━━ interrupted · 1 step" in errors
        assert "Traceback (most recent call last)" not in errors.replace("  Traceback", "")


@pytest.mark.long
def test_a_second_interrupt_ends_it_at_once(tmp_path, record):
    (tmp_path / "stuck.py").write_text(
        "import sys, time\ndef wait() -> int:\n    print('stuck', file=sys.__stderr__,"
        " flush=True)\n    time.sleep(600)\n"
    )
    with started(tmp_path, "--replay", record("wait()"), "--tool", "stuck:wait") as child:
        until(child, "stuck")
        child.send_signal(signal.SIGINT)
        until(child, "Ctrl-C again")
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=120)
        assert (child.returncode, out) == (-signal.SIGINT, ""), "which a shell reports as 130"


# -- what is wrong with what is asked


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "openai:"], "a name belongs behind the colon"),
        (["--model", "replay:nowhere.json"], "nowhere.json: no such recording"),
        (["--replay", "broken.json"], "broken.json"),
        (["--replay", "turns.json", "--model", "gpt-4o"], "give one of them"),
        (["--replay", "turns.json", "--base-url", "http://localhost"], "are for a server"),
        (["--model", "gpt-4o", "--api-key-env", "NOT_SET"], "there is no such variable"),
        (
            ["--model", "gpt-4o", "--base-url", "localhost:8000"],
            "must be one such as https://host:8000/v1, not 'localhost:8000'",
        ),
        (["--replay", "turns.json", "-v", "-q"], "contradict each other"),
        (["--replay", "turns.json", "--executor", "moon"], "unsupported executor type 'moon'"),
        (["--replay", "turns.json", "--import", "pandsa"], "Did you mean 'pandas'?"),
        (["--replay", "turns.json", "--tool", "hammer"], "must be web_search, "),
        (
            ["--replay", "turns.json", "--tool", "no_such_module:tool"],
            "No module named 'no_such_module'",
        ),
        (["--replay", "turns.json", "--tool", "math:no_such_name"], "no_such_name"),
        (["--replay", "turns.json", "--tool", "math:pi"], "a tool must be a function"),
        (["--replay", "turns.json", "--tool", "mcp:"], "belongs behind the colon"),
        (["--replay", "turns.json", "--tool", "mcp:'unclosed"], "No closing quotation"),
        pytest.param(
            ["--replay", "turns.json", "--tool", "mcp:no-such-program-anywhere"],
            "no-such-program-anywhere",
            marks=pytest.mark.long,
        ),
        (["--replay", "turns.json", "--var", "x"], "must be NAME=FILE"),
        (["--replay", "turns.json", "--var", "1x=turns.json"], "must be NAME=FILE"),
        (
            ["--replay", "turns.json", "--var", "x=turns.json", "--var", "x=turns.json"],
            "there is a x already",
        ),
        (
            ["--replay", "turns.json", "--var", "x=missing.csv"],
            "missing.csv: cannot be read: No such file",
        ),
        (["--replay", "turns.json", "--var", "x=bad.json"], "bad.json: not JSON"),
        (
            ["--replay", "turns.json", "--var", "x=bytes.txt"],
            "bytes.txt: not UTF-8: byte 0xff at offset 0",
        ),
        (["--replay", "turns.json", "--image", "missing.png"], "missing.png"),
        (["--replay", "turns.json", "--image", "bad.json"], "png, jpeg, gif or webp"),
        (["--replay", "turns.json", "--record", "no/such/place.json"], "cannot be written there"),
        (
            ["--replay", "turns.json", "--save-displays", "turns.json"],
            "displays cannot be saved there",
        ),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_one_line_says_what_is_wrong(fumehood_here, record, tmp_path, options, said):
    record("final_answer(1)")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "bad.json").write_text("[1, 2")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    done = fumehood_here(
        "agent", "Do it.", *([] if "--executor" in options else ["--executor", "inline"]), *options
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert said in done.stderr
    assert done.stderr.startswith("fumehood: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("task", ["", "  \n"])
def test_a_task_has_to_say_something(agent, task):
    done = agent(["1"], task=task)
    assert (done.returncode, done.stderr) == (
        2,
        "fumehood: there is no task: say in words what is to be done\n",
    )


# -- tools

TOOLS = '''
from fumehood import Tool, tool

def double(number: int) -> int:
    """Doubles."""
    return 2 * number

@tool
def triple(number: int) -> int:
    """Triples.

    Args:
        number: what to triple
    """
    return 3 * number

class Quadruple(Tool):
    name = "quadruple"
    description = "Quadruples."
    inputs = {"number": {"type": "integer", "description": "what to quadruple"}}
    output_type = "integer"

    def forward(self, number: int) -> int:
        return 4 * number

both = [double, triple]
'''


@pytest.mark.parametrize(
    ("given", "call"),
    [
        ("double", "double(2)"),
        ("triple", "triple(2)"),
        ("Quadruple", "quadruple(2)"),
        ("both", "double(1) + triple(2)"),
    ],
)
def test_tools_come_from_modules_beside_where_one_works(agent, tmp_path, monkeypatch, given, call):
    (tmp_path / "my_tools.py").write_text(TOOLS)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_tools", raising=False)
    done = agent([f"final_answer({call})"], "--tool", f"my_tools:{given}")
    assert (
        done.stdout == {"double": "4\n", "triple": "6\n", "Quadruple": "8\n", "both": "8\n"}[given]
    )


@pytest.mark.long
def test_a_user_who_is_there_is_asked_on_stderr(tmp_path, record):
    """With a real terminal. The line that says what goes on stays away while somebody types."""
    ours, theirs = pty.openpty()
    code = "name = user_input('Who are you?')\nfinal_answer(f'Hello {name}')"
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fumehood.cli",
            "agent",
            "Do it.",
            "--executor",
            "inline",
            "--replay",
            record(code),
            "--tool",
            "user_input",
        ],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "HOME": str(tmp_path)},
    )
    try:
        os.close(theirs)
        raw = b""
        while b"\n> " not in raw:
            raw += os.read(ours, 65536)
        assert b"Who are you?" in raw
        quiet, _, _ = select.select([ours], [], [], 1.5)
        assert not quiet, "somebody types"
        os.write(ours, b"Ann\n")
        with contextlib.suppress(OSError):  # the terminal is gone when the command is
            while os.read(ours, 65536):
                pass
        assert child.communicate(timeout=120)[0] == b"Hello Ann\n"
    finally:
        child.kill()
        child.wait()
        os.close(ours)


SERVER = """
import os
from pathlib import Path

from mcp.server import MCPServer

Path("pid").write_text(str(os.getpid()))

server = MCPServer("numbers")

@server.tool()
def half(number: float) -> float:
    "Halves."
    return number / 2

server.run("stdio")
"""


@pytest.mark.long
def test_tools_of_an_mcp_server_are_used_and_the_server_ends(agent, tmp_path):
    pytest.importorskip("mcp")
    (tmp_path / "server.py").write_text(SERVER)
    done = agent(["final_answer(half(number=5))"], "--tool", f"mcp:{sys.executable} server.py")
    assert (done.returncode, done.stdout) == (0, "2.5\n"), done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


# -- what is sent along


def test_files_are_sent_as_variables(agent, tmp_path):
    (tmp_path / "a.json").write_text('{"x": [1, 2]}')
    (tmp_path / "b.csv").write_text("name,size\none,1\n")
    (tmp_path / "c.txt").write_text("\ufeffwords\n")
    done = agent(
        ["final_answer([a, b, c])"],
        "--var",
        "a=a.json",
        "--var",
        "b=b.csv",
        "--var",
        f"c={tmp_path / 'c.txt'}",
    )
    assert done.stdout == "[{'x': [1, 2]}, [{'name': 'one', 'size': '1'}], 'words\\n']\n"


def test_pictures_are_shown_to_the_model_and_what_it_says_is_recorded(
    agent, fumehood_here, tmp_path
):
    (tmp_path / "p.png").write_bytes(png(2, 2))
    assert (
        agent(["final_answer('seen')"], "--image", "p.png", "--record", "new.json", "-q").stdout
        == "seen\n"
    )
    recording = (tmp_path / "new.json").read_text()
    assert "Do it." in recording
    assert "image/png" in recording
    again = fumehood_here(
        "agent", "Do it.", "--executor", "inline", "--replay", "new.json", "--image", "p.png"
    )
    assert again.stdout == "seen\n"
    assert "with 1 picture" in again.stderr


class Answering(BaseHTTPRequestHandler):
    """As much of an OpenAI-compatible server as one answer takes."""

    seen: list[tuple[str, str, dict]]

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, self.headers.get("Authorization"), body))
        message = {"role": "assistant", "content": turn("final_answer('from afar')")}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        usage = {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": choices,
            "usage": usage,
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    pytest.importorskip("openai")
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as served:
        served.seen = []
        thread = threading.Thread(target=served.serve_forever, args=(0.01,))
        thread.start()
        yield served
        served.shutdown()
        thread.join()


@pytest.mark.long
def test_a_server_of_ones_own_is_asked_with_the_key_from_the_environment(
    fumehood_here, server, monkeypatch
):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    url = f"http://127.0.0.1:{server.server_port}/v1"
    done = fumehood_here(
        "agent",
        "Do it.",
        "--executor",
        "inline",
        "--model",
        "llama3:8b",
        "--base-url",
        url,
        "--api-key-env",
        "MY_KEY",
        "-v",
    )
    assert (done.returncode, done.stdout) == (0, "from afar\n"), done.stderr
    [(path, authorization, body)] = server.seen
    assert (path, authorization, body["model"]) == (
        "/v1/chat/completions",
        "Bearer sk-very-secret",
        "llama3:8b",
    )
    assert "1,234 tokens in, 56 out" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.long
def test_names_of_models_say_who_serves_them(monkeypatch):
    pytest.importorskip("openai")
    pytest.importorskip("huggingface_hub")
    from fumehood.cli.agent_models import model_of

    monkeypatch.setenv("OPENAI_API_KEY", "x")
    for text, kind, name in (
        ("openai:gpt-4o", "OpenAIModel", "gpt-4o"),
        ("gpt-4o", "OpenAIModel", "gpt-4o"),
        ("llama3:8b", "OpenAIModel", "llama3:8b"),
        ("hf:org/model", "InferenceClientModel", "org/model"),
        ("org/model", "InferenceClientModel", "org/model"),
        ("openai:org/model", "OpenAIModel", "org/model"),
    ):
        model = model_of(text)
        assert (type(model).__name__, model.model_id) == (kind, name), text
    assert type(model_of("org/model", "http://localhost:1/v1")).__name__ == "OpenAIModel"
