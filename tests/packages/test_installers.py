"""Which installer is used, and how it is watched."""

from __future__ import annotations

import os
import signal
import time
import zipfile
from pathlib import Path

import pytest

from fumehood import PolicyError
from fumehood.errors import InstallFailed
from fumehood.packages import building, installers
from fumehood.packages.requirements import Request

from ..executors.wheels import make_wheel
from .conftest import Obtain, must_have


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user who has configured nothing."""
    for name in [*os.environ]:
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    monkeypatch.delenv("FUMEHOOD_INSTALLER", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("UV_NO_CONFIG", "1")


@pytest.mark.usefixtures("bare")
def test_uv_is_preferred_but_not_where_only_pip_knows_where_to_look(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    must_have("uv")
    must_have("pip")
    assert installers.choose() == "uv"
    settings = tmp_path / "config" / "pip" / "pip.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text("[global]\nindex-url = https://example.org/simple\n")
    monkeypatch.delenv("PIP_CONFIG_FILE")
    assert installers.choose() == "pip"
    own = tmp_path / "config" / "uv" / "uv.toml"
    own.parent.mkdir()
    own.write_text('index-url = "https://example.org/simple"\n')
    monkeypatch.delenv("UV_NO_CONFIG")
    assert installers.choose() == "uv"
    monkeypatch.setenv("FUMEHOOD_INSTALLER", "pip")
    assert installers.choose() == "pip"
    assert installers.choose("uv") == "uv"
    monkeypatch.setenv("FUMEHOOD_INSTALLER", "conda")
    with pytest.raises(PolicyError, match="must be 'uv' or 'pip', not 'conda'"):
        installers.choose()


def test_what_comes_out_of_a_wheel_is_bounded_while_it_comes(
    obtain: Obtain, shelf: Path, installer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = make_wheel(shelf, "bomb", {"bomb.py": ""})
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("bomb.dat", b"\0" * (8 << 20))
    monkeypatch.setattr(building, "MOST_BYTES", 4 << 20)
    with pytest.raises(
        InstallFailed, match=r"larger than all packages may be together|there is no room for them"
    ):
        obtain("bomb", installer=installer)


def test_whoever_is_interrupted_leaves_no_installer_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program stands for an installer that takes for ever; it and its child are gone when the
    caller is interrupted."""
    program = tmp_path / "uv"
    program.write_text(
        "#!/bin/sh\necho $$ > pids\nsleep 600 &\necho $! >> pids\necho begun\nwait\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(installers, "find_uv", lambda: str(program))
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        installers.run(
            "uv",
            installers.Job(frozenset({Request("x", "x")}), tmp_path / "target", scratch, {}),
            interrupt,
        )
    installer, child = map(int, (scratch / "pids").read_text().split())
    assert is_gone(installer) and is_gone(child)


def is_gone(pid: int) -> bool:
    """A process that was killed may still be about to be collected by whoever inherits it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    return False
