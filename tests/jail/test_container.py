"""What a container tells about itself, under both versions of cgroups and where it tells
nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from fumehood.jail import filesystem, limits


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n", 3),
        ("low 0\nhigh 0\nmax 7\noom 2\noom_kill 1\noom_group_kill 0\n", 1),
        ("under_oom 0\n", 0),
        ("oom_kill many\n", 0),
        (None, 0),
    ],
)
def test_kills_for_want_of_memory_are_counted_as_either_version_tells(
    text: str | None, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(limits, "_KILLS", (str(path),))
    assert limits.container_kills(limits.open_container_kills()) == number


def _set_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(filesystem, "HOME", str(home))
    monkeypatch.setattr(filesystem, "PARTS", {str(home): "home"})


def test_labs_have_a_name_of_their_own_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "home"
    link.symlink_to("/proc/self/fd/15/home")
    labs = tmp_path / "labs"
    labs.mkdir()
    _set_home(monkeypatch, link)
    monkeypatch.setattr(filesystem, "LABS", str(labs))
    first, second = filesystem.make_container_labs(), filesystem.make_container_labs()
    assert sorted(map(str, labs.iterdir())) == sorted([first, second])
    assert Path(first).stat().st_mode & 0o777 == 0o700


def test_an_image_without_a_lab_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    _set_home(monkeypatch, tmp_path / "home")
    with pytest.raises(OSError, match="not built by this version of fumehood; build one with"):
        filesystem.make_container_labs()


def test_labs_that_cannot_be_written_to_are_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").symlink_to("/proc/self/fd/15/home")
    _set_home(monkeypatch, tmp_path / "home")
    monkeypatch.setattr(filesystem, "LABS", str(tmp_path / "labs"))
    with pytest.raises(OSError, match="needs a tmpfs there that belongs to its user"):
        filesystem.make_container_labs()
