"""An index that takes connections and says nothing keeps nobody waiting for ever."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.errors import InstallFailed, PolicyError
from fumehood.packages import environments
from fumehood.packages.requirements import Packages
from fumehood.packages.store import Store


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an index on this machine that accepts whoever comes."""
    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            try:
                while True:
                    held.append(server.accept()[0])
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/simple"
        for name in (
            "PIP_NO_INDEX",
            "PIP_FIND_LINKS",
            "PIP_EXTRA_INDEX_URL",
            "UV_INDEX",
            "UV_INDEX_URL",
            "UV_NO_INDEX",
        ):
            monkeypatch.delenv(name, raising=False)
        for name, value in (
            ("PIP_CONFIG_FILE", os.devnull),
            ("PIP_INDEX_URL", address),
            ("UV_NO_CONFIG", "1"),
            ("UV_DEFAULT_INDEX", address),
        ):
            monkeypatch.setenv(name, value)
        yield address
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for connection in held:
        connection.close()


def test_after_its_time_it_is_given_up_in_one_line(
    silent: str, cache: Store, installer: str
) -> None:
    with pytest.raises(InstallFailed) as caught:
        environments.obtain(Packages(["nothing"], installer=installer, timeout_seconds=0.5), cache)  # type: ignore[arg-type]
    line = str(caught.value)
    assert line.startswith(
        "the packages could not be fetched within 0.5 seconds: the package index does not answer"
    )
    assert "timeout_seconds" in line and "\n" not in line
    assert [path for path in cache.place.rglob("*") if "nothing" in path.name] == []


@pytest.mark.parametrize("wrong", [0, -1, float("inf"), "60", True])
def test_a_time_that_is_none_is_refused(wrong: object, tmp_path: Path) -> None:
    with pytest.raises(
        PolicyError, match="timeout_seconds must be a number of seconds above 0 or None"
    ):
        Packages(("plain",), timeout_seconds=wrong)  # type: ignore[arg-type]
