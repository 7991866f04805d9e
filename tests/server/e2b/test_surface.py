"""Every public method of E2B's SDK has a row that says what it does here. A new SDK with a method
more fails here, and not at a user's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from e2b.sandbox_async.commands.command import Commands as AsyncCommands
from e2b.sandbox_async.commands.pty import Pty as AsyncPty
from e2b.sandbox_async.filesystem.filesystem import Filesystem as AsyncFilesystem
from e2b.sandbox_sync.commands.command import Commands
from e2b.sandbox_sync.commands.pty import Pty
from e2b.sandbox_sync.filesystem.filesystem import Filesystem
from e2b_code_interpreter import AsyncSandbox, Sandbox

from .service import Service

PAGE = Path(__file__).parents[3] / "docs" / "e2b.md"

WORKS, DIFFERS, REFUSED, LOCAL = "works", "differs", "refused", "local"

# What each does here; `local` ones ask nothing of a server.
SANDBOX = {
    "create": WORKS,
    "connect": WORKS,
    "list": WORKS,
    "kill": WORKS,
    "is_running": WORKS,
    "get_info": WORKS,
    "set_timeout": WORKS,
    "get_metrics": DIFFERS,
    "pause": DIFFERS,
    "beta_pause": DIFFERS,
    "beta_create": WORKS,
    "fork": WORKS,
    "create_snapshot": DIFFERS,
    "list_snapshots": WORKS,
    "delete_snapshot": WORKS,
    "update_network": DIFFERS,
    "run_code": DIFFERS,
    "create_code_context": WORKS,
    "list_code_contexts": WORKS,
    "remove_code_context": WORKS,
    "restart_code_context": WORKS,
    "upload_url": WORKS,
    "download_url": WORKS,
    "files": WORKS,
    "commands": WORKS,
    "pty": WORKS,
    "git": WORKS,
    "get_mcp_token": REFUSED,
    "get_mcp_url": REFUSED,
    "get_host": REFUSED,
    "connection_config": LOCAL,
    "sandbox_id": LOCAL,
    "sandbox_domain": LOCAL,
    "envd_api_url": LOCAL,
    "envd_direct_url": LOCAL,
    "traffic_access_token": LOCAL,
    "mcp_port": LOCAL,
    "default_sandbox_timeout": LOCAL,
    "default_template": LOCAL,
    "default_mcp_template": LOCAL,
}
FILES = dict.fromkeys(
    (
        "read",
        "write",
        "write_files",
        "list",
        "exists",
        "get_info",
        "rename",
        "remove",
        "make_dir",
        "watch_dir",
    ),
    WORKS,
)
COMMANDS = {
    "run": DIFFERS,
    "list": WORKS,
    "kill": WORKS,
    "send_stdin": WORKS,
    "stream_input": WORKS,
    "close_stdin": WORKS,
    "connect": WORKS,
}
PTY = dict.fromkeys(("create", "connect", "kill", "resize", "send_stdin", "stream_input"), REFUSED)

TABLES: dict[str, tuple[dict[str, str], tuple[type, ...]]] = {
    "sandbox": (SANDBOX, (Sandbox, AsyncSandbox)),
    "files": (FILES, (Filesystem, AsyncFilesystem)),
    "commands": (COMMANDS, (Commands, AsyncCommands)),
    "pty": (PTY, (Pty, AsyncPty)),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_public_name_of_the_sdk_has_a_row(name: str) -> None:
    table, classes = TABLES[name]
    real = {
        attribute for kind in classes for attribute in dir(kind) if not attribute.startswith("_")
    }
    assert real - set(table) == set(), "a method that nobody has looked at"
    optional = {"beta_pause", "beta_create"}  # older SDKs have them
    assert set(table) - real <= optional, "a row for a method that is not there"


def test_what_works_or_differs_is_called_by_a_test() -> None:
    """A row that says that something works is worth as much as the test that calls it."""
    tests = "\n".join(
        path.read_text()
        for path in Path(__file__).parent.glob("test_*.py")
        if path.name != Path(__file__).name
    )
    for name, (table, _) in TABLES.items():
        for method, what in table.items():
            if what in (WORKS, DIFFERS) and not method.startswith("beta_"):
                assert f".{method}" in tests, f"{name}.{method}"


def test_the_page_tells_of_every_method() -> None:
    page = PAGE.read_text()
    for name, (table, _) in TABLES.items():
        for method, what in table.items():
            if what != LOCAL:
                shown = method if name == "sandbox" else f"{name}.{method}"
                assert f"`{shown}`" in page or f"`{name}.*`" in page, shown


def test_the_program_of_the_page_runs(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for name in ("E2B_API_URL", "E2B_SANDBOX_URL"):
        assert name in PAGE.read_text()
        monkeypatch.setenv(name, service.served.url)
    monkeypatch.setenv("E2B_API_KEY", service.options()["api_key"])
    exec(compile(program, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == "42\nhello\n"
