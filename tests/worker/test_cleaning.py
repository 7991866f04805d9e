"""Where room for files is short, a new sandbox waits until the files of ended ones are removed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood.worker import fork, zygote
from fumehood.worker.zygote import Cleaners

from ..jail.identities import mount, own_mounts

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system"),
]

_FILES = 190
_OF = 200


def _in_a_child(body: Callable[[], None]) -> None:
    """Run a function in a child that has mounts of its own; its assertions are this test's."""
    child = fork.start(body)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_all_of_it_is_removed_before_there_is_another_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only so much that room is no longer short: the next sandbox may need all of it."""

    def body() -> None:
        own_mounts()
        mount("labs", str(tmp_path), "tmpfs", 0, f"nr_inodes={_OF},size=1m")
        ended = tmp_path / "ended"
        ended.mkdir()
        for number in range(_FILES):
            (ended / str(number)).touch()
        go_on, told = os.pipe()

        def remove_half_and_wait(root: str) -> None:
            files = list(Path(root).iterdir())
            for file in files[: _FILES // 2]:
                file.unlink()
            os.close(told)  # so that this process ends if the other does
            os.read(go_on, 1)
            for file in files[_FILES // 2 :]:
                file.unlink()
            Path(root).rmdir()

        monkeypatch.setattr(zygote, "remove_tree", remove_half_and_wait)
        cleaners = Cleaners()
        assert cleaners.clear(str(ended))
        (remover,) = cleaners.processes
        looks = 0

        def reap() -> None:
            nonlocal looks
            if os.statvfs(tmp_path).f_favail * 4 >= _OF:
                looks += 1
            if looks == 20:
                os.write(told, b"x")
            if os.waitpid(remover, os.WNOHANG)[0]:
                cleaners.forget(remover)

        signal.alarm(60)  # ends this child, and so the test, if the wait does not end
        cleaners.make_room(str(tmp_path), reap, lambda: False)
        assert not ended.exists()

    _in_a_child(body)
