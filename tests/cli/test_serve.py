"""`fumehood serve` on the command line: what it prints, and what it will not start with."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from ..serving import served
from .conftest import Command

KEY = "serve-0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def taken() -> int:
    """A port that somebody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_an_address_that_others_reach_needs_a_key(fumehood: Command) -> None:
    done = fumehood("serve", "--host", "0.0.0.0", "--port", "0")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "there is no key" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--config", "nothing.toml"], "nothing.toml cannot be read"),
        (
            ["--api-key-file", "nothing"],
            "nothing, a file of keys, cannot be read: No such file or directory",
        ),
        (["--host", "no such name"], "cannot listen on no such name"),
        (["--import", "nunpy"], "no module of that name is installed"),
    ],
    ids=lambda row: " ".join(row) if isinstance(row, list) else None,
)
@pytest.mark.extended
def test_what_it_cannot_start_with_is_one_line(
    fumehood: Command, arguments: list[str], said: str
) -> None:
    done = fumehood("serve", "--port", "0", *arguments, environment={"FUMEHOOD_API_KEYS": KEY})
    assert done.returncode == 2
    assert done.stdout == ""
    assert [line for line in done.stderr.splitlines() if said in line]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "httptools"])
def test_a_missing_extra_is_one_line(package: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = ['fumehood', 'serve']; from"
        " fumehood.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"fumehood: serving needs {package}: pip install 'fumehood[server]'\n"


def test_a_key_on_the_command_line_works_and_is_warned_of(tmp_path: Path) -> None:
    with served(tmp_path, "--api-key", KEY, log="-") as server:
        assert (
            httpx.get(f"{server.url}/v1/key", headers={"X-API-Key": KEY}, timeout=60).json()["name"]
            == "key-1"
        )
        assert (
            httpx.get(
                f"{server.url}/v1/key", headers={"X-API-Key": "wrong"}, timeout=60
            ).status_code
            == 401
        )
        assert server.end() == 0
    said = server.stderr.read_text()
    assert "others on this machine can see a key on the command line" in said
    assert '"route":"/v1/key"' in said
    assert KEY not in said


def test_keys_of_the_environment_are_not_handed_on_and_there_are_files_enough(
    tmp_path: Path,
) -> None:
    with served(tmp_path, keys=[KEY]) as server:
        children = [
            path.read_text() for path in Path(f"/proc/{server.process.pid}/task").glob("*/children")
        ]
        pids = " ".join(children).split()
        assert pids
        soft, hard = (
            Path(f"/proc/{server.process.pid}/limits")
            .read_text()
            .partition("Max open files")[2]
            .split()[:2]
        )
        assert soft == hard or int(soft) >= 12_096, "as many files as a thousand sandboxes need"
        for pid in pids:
            assert KEY not in Path(f"/proc/{pid}/environ").read_text()
            assert KEY not in Path(f"/proc/{pid}/cmdline").read_text()
