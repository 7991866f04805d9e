"""docs/server.md: its commands and programs run as they stand, against a real server, and print what the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood.server.config_file import gather
from fumehood.server.metrics import Metrics
from fumehood.server.server import Server
from fumehood.server.settings import Settings

from ..serving import Served, served

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
SHOWN = re.findall(r"^```sh\n(.*?)^```\n\n```(\w*)\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
PROGRAM, PRINTED = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)[0]
(CONFIG,) = re.findall(r"^```toml\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)

# What is another each time.
CHANGING = ("id", "created", "expires", "usage", "run", "outcome")


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("page"), keys=["page-0123456789abcdef0123456789abcdef"]) as running:
        yield running


def settled(value: Any) -> Any:
    return {key: "…" if key in CHANGING else inner for key, inner in value.items()}


def run(command: list[str], server: Served, **more: str) -> str:
    environment = {**os.environ, "SERVER": server.url, "KEY": server.key, **more}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_every_command_prints_what_the_page_says(open_server: Served) -> None:
    assert len(SHOWN) == 5
    sandbox = ""
    for commands, kind, shown in SHOWN:
        printed = run(["bash", "-ec", commands], open_server, SANDBOX=sandbox)
        if kind == "json":
            answer = last_of(printed)
            assert settled(answer) == settled(json.loads(shown))
            sandbox = answer.get("id", sandbox)
        else:
            assert same_lines(printed) == same_lines(shown)


def last_of(text: str) -> dict[str, Any]:
    """The last of the answers that stand there one after the other."""
    answer, end = {}, 0
    while text[end:].strip():
        answer, end = json.JSONDecoder().raw_decode(text, end)
    return answer


def same_lines(text: str) -> list[str]:
    """Lines without what is another each time; those of metrics in any order."""
    text = re.sub(r'"run":"[0-9a-f]+"', '"run":"…"', text)
    text = re.sub(r"^(fumehood_.*) \d+\.0$", r"\1 …", text, flags=re.MULTILINE)  # other tests have run cells too
    text = re.sub(r'"outcome":\{.*\}', '"outcome":{…}}', text)
    lines = text.strip().splitlines()
    return sorted(lines) if lines[0].startswith("fumehood_") else lines


def test_the_program_that_answers_calls_prints_what_the_page_says(open_server: Served) -> None:
    assert run([sys.executable, "-c", PROGRAM], open_server) == PRINTED


def test_the_settings_of_the_page_are_taken(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text(CONFIG)
    for name in ("research", "website"):
        (tmp_path / f"{name}.key").write_text(f"{name}-0123456789abcdef0123456789abcdef\n")
        (tmp_path / f"{name}.key").chmod(0o600)
    given = gather(config=tmp_path / "server.toml", environment={})
    research, website = given.settings.keys
    assert (research.quotas.cells, website.quotas.cells, website.quotas.waiting) == (8, 2, 64)
    assert (research.on_fault, research.templates, website.policy.imports) == ("rollback", ("numbers",), ())
    assert given.warnings == []


def test_the_metrics_of_the_page_are_those_that_there_are() -> None:
    counted = set(re.findall(r"^# TYPE (fumehood_\w+)", Metrics(Server(Settings(log="none"))).text().decode(), flags=re.MULTILINE))
    named = set(re.findall(r"`(fumehood_\w+)`", PAGE))
    bare = {name.removesuffix("_total") for name in named}
    there = {name.removesuffix("_total") for name in counted if not name.endswith("_created")}
    assert bare <= there
    assert there - bare <= {"fumehood_sandbox_created_seconds"}
