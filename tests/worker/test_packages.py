"""Taking packages from the host: what there is already, and archives of which only files are taken,
all or none."""

from __future__ import annotations

import io
import json
import socket
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.worker import packages


def archive(*entries: tuple[str, Any]) -> bytes:
    """A tar of files with a text, and of whatever else a function makes of an entry."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, content in entries:
            entry = tarfile.TarInfo(name)
            if callable(content):
                content(entry)
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def kind(what: bytes, leads_to: str = "") -> Callable[[tarfile.TarInfo], None]:
    def change(entry: tarfile.TarInfo) -> None:
        entry.type, entry.linkname = what, leads_to

    return change


def unpack(data: bytes, place: Path) -> str:
    return packages.unpack(packages._Part(io.BytesIO(data), len(data)), str(place / "made"))  # type: ignore[arg-type]


def test_files_and_directories_are_unpacked_with_modes_of_our_own(tmp_path: Path) -> None:
    def loose(entry: tarfile.TarInfo) -> None:
        entry.type, entry.mode = tarfile.DIRTYPE, 0o7777

    path = Path(unpack(archive(("a", loose), ("a/b.py", b"x = 1"), ("c", b"")), tmp_path))
    assert path == tmp_path / "made"
    assert {
        str(each.relative_to(path)): each.stat().st_mode & 0o7777 for each in path.rglob("*")
    } == {
        "a": 0o755,
        "a/b.py": 0o644,
        "c": 0o644,
    }
    assert (path / "a/b.py").read_text() == "x = 1"
    assert path.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("../x", b"1"),
        ("/x", b"1"),
        ("a/../../x", b"1"),
        ("./x", b"1"),
        ("a//x", b"1"),
        ("x", kind(tarfile.SYMTYPE, "/etc/passwd")),
        ("x", kind(tarfile.LNKTYPE, "first")),
        ("x", kind(tarfile.FIFOTYPE)),
        ("x", kind(tarfile.CHRTYPE)),
        ("first", b"again"),
        ("first/below", b"1"),
        ("nowhere/x", b"1"),
    ],
)
def test_of_an_archive_with_anything_else_nothing_is_left(
    tmp_path: Path, name: str, content: Any
) -> None:
    (tmp_path / "x").write_text("kept")
    with pytest.raises((ValueError, OSError)):
        unpack(archive(("first", b"1"), (name, content)), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_text() == "kept"


def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="what came is no archive"):
        unpack(b"x" * 2000, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_installed_is_what_an_import_would_find(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for name in (
        "first/Some_Thing-1.2.dist-info",
        "second/some.thing-9.dist-info",
        "second/old-0.1.egg-info",
        "second/older-2-py3.11.egg-info",
    ):
        (tmp_path / name).mkdir(parents=True)
        stem = name.removesuffix(".dist-info").removesuffix(".egg-info")
        title, version = Path(stem + "/").name.split("-")[:2]
        for file in ("METADATA", "PKG-INFO"):
            (tmp_path / name / file).write_text(f"Name: {title}\nVersion: {version}\n")
    (second / "other").mkdir()
    assert packages.installed([str(first), str(second), str(tmp_path / "none")]) == {
        "some-thing": "1.2",
        "old": "0.1",
        "older": "2",
    }


def test_markers_are_those_that_packages_ask_for() -> None:
    markers = pytest.importorskip("packaging.markers")
    ours = packages.markers()
    assert {
        name: value for name, value in markers.default_environment().items() if name in ours
    } == ours
    json.dumps(packages.description())


class Line:
    """The host's end of a conversation."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(packages.kernel, "set_process_name", lambda name: None)
        monkeypatch.setattr(packages.os, "nice", lambda number: 0)
        self.socket, theirs = socket.socketpair()
        self.thread = threading.Thread(target=packages.serve, args=(theirs, str(place)))
        self.thread.start()
        self.file = self.socket.makefile("rwb")

    def send(
        self, name: str, data: bytes, size: int | None = None, remove: tuple[str, ...] = ()
    ) -> None:
        request = {"name": name, "size": len(data) if size is None else size, "remove": remove}
        self.file.write(json.dumps(request).encode() + b"\n" + data)
        self.file.flush()

    def close(self) -> None:
        self.file.close()
        self.socket.close()
        self.thread.join()


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    made = Line(tmp_path, monkeypatch)
    yield made
    made.close()


def test_a_conversation(line: Line, tmp_path: Path) -> None:
    assert set(json.loads(line.file.readline())) == {"python", "libc", "markers", "installed"}
    line.send("abc", archive(("x.py", b"x = 1")))
    assert json.loads(line.file.readline()) == {"path": str(tmp_path / "abc")}
    line.thread.join()
    assert [path.parent.name for path in (tmp_path / "abc").rglob("*.pyc")] == ["__pycache__"]


def test_a_place_that_cannot_be_described_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: list[str]) -> dict[str, str]:
        raise PermissionError(13, "not for you", path[0])

    monkeypatch.setattr(packages, "installed", refuse)
    line = Line(tmp_path, monkeypatch)
    failed = json.loads(line.file.readline())["failed"]
    line.close()
    assert failed.startswith("PermissionError: [Errno 13] not for you")


def test_a_host_that_is_still_sending_hears_why_it_failed(line: Line, tmp_path: Path) -> None:
    line.file.readline()
    line.send("abc", archive(("../x", b"1"), ("y", b"1" * (8 << 20))))
    assert "is no name in the archive's own directory" in json.loads(line.file.readline())["failed"]
    assert list(tmp_path.iterdir()) == []


def test_a_host_that_goes_away_leaves_nothing(line: Line, tmp_path: Path) -> None:
    line.file.readline()
    line.send("abc", archive(("x", b"1" * 100_000))[:50_000], 100_000)
    line.close()
    assert list(tmp_path.iterdir()) == []


def test_what_nobody_uses_any_more_is_removed_first(line: Line, tmp_path: Path) -> None:
    for name in ("old", "kept"):
        (tmp_path / name / "below").mkdir(parents=True)
    line.file.readline()
    line.send("abc", archive(), remove=("old", "never"))
    assert json.loads(line.file.readline()) == {"path": str(tmp_path / "abc")}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["abc", "kept"]


def test_of_packages_that_are_there_the_files_of_code_are_told_and_of_others_those_beside_them(
    tmp_path: Path,
) -> None:
    for name, version, files in (
        ("Space.One", "1.0", ["space/one/__init__.py", "space/one/data.txt", "space/bin/one"]),
        ("space_two", "2.0", ["space/two.py", "elsewhere.py"]),
        ("other", "3.0", ["other/__init__.py"]),
    ):
        information = tmp_path / f"{name}-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
        for file in files:
            made = tmp_path / file
            made.parent.mkdir(parents=True, exist_ok=True)
            made.touch()  # Python 3.12 leaves out files that do not exist
        (information / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    (tmp_path / "unlisted-1.0.dist-info").mkdir()
    found = packages.files_of(["space-one"], [str(tmp_path), str(tmp_path / "missing")])
    assert sorted(found) == [
        ["other", "3.0", []],
        ["space-one", "1.0", ["space/one/__init__.py"]],
        ["space-two", "2.0", ["space/two.py"]],
    ]
