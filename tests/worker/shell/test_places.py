"""Commands reach files by one room alone, and in it nothing that lies outside of what they may
reach."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import fumehood.worker.shell as shell
from fumehood.worker.shell.places import Places

from .conftest import Bench

FILES = sorted(Path(shell.__file__).parent.glob("*.py"))
BY_NAME = {
    "open", "stat", "lstat", "listdir", "scandir", "mkdir", "makedirs", "rmdir", "unlink", "remove", "rename", "replace", "symlink", "link",
    "readlink", "utime", "chmod", "chown", "access", "chdir", "statvfs", "truncate", "mkfifo", "walk", "removedirs", "renames", "mknod",
}  # fmt: skip
ELSEWHERE = {("run.py", "open"), ("serving.py", "open")}
"""Nothing but /dev/null."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_but_places_reaches_files_by_their_names(path: Path) -> None:
    if path.name == "places.py":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "os"
            and node.attr in BY_NAME
        ):
            assert (
                path.name,
                node.attr,
            ) in ELSEWHERE, f"{path.name}:{node.lineno} uses os.{node.attr}"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & {
                "shutil",
                "pathlib",
                "glob",
                "subprocess",
                "tempfile",
                "fileinput",
            }, f"{path.name} imports {names}"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("lab", "outside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    (tmp_path / "lab" / "link").symlink_to(tmp_path / "outside" / "file")
    (tmp_path / "lab" / "away").symlink_to(tmp_path / "outside")
    return Places([str(tmp_path / "lab")], str(tmp_path / "lab"))


@pytest.mark.parametrize(
    "name",
    [
        "../outside/file",
        "link",
        "away/file",
        "./../outside/file",
        "away/../outside/file",
        "/etc/passwd",
        "/proc/self/mem",
    ],
)
def test_what_lies_outside_is_not_reached_by_any_name(name: str, places: Places) -> None:
    for reach in (
        places.open,
        places.write,
        places.stat,
        places.names,
        places.room,
        places.set_mode,
    ):
        with pytest.raises((PermissionError, TypeError)):
            reach(name)  # type: ignore[operator]
    assert (
        not places.exists(name) and not places.is_directory(name) and not places.may(name, os.R_OK)
    )


def test_links_themselves_are_the_lab_s_and_can_be_looked_at_and_removed(places: Places) -> None:
    assert places.link("link").endswith("outside/file")
    places.remove("link")
    places.rename("away", "still_away")
    with pytest.raises(PermissionError):
        places.names("still_away")


def test_a_link_that_is_swapped_between_judging_and_opening_leads_nowhere(
    places: Places, tmp_path: Path
) -> None:
    """What was opened is judged again, by what it is and not by what it was called."""
    judged = places._judged

    def swap(name: str, *, follows: bool = True) -> str:
        path = judged(name, follows=follows)
        (tmp_path / "lab" / "file").unlink()
        (tmp_path / "lab" / "file").symlink_to(tmp_path / "outside" / "file")
        return path

    places._judged = swap  # type: ignore[method-assign]
    with pytest.raises(PermissionError):
        places.write("file")
    assert (tmp_path / "outside" / "file").read_text() == "outside", "not even emptied"


def test_standard_streams_and_devices_have_their_names_everywhere(
    bench: Bench, tmp_path: Path
) -> None:
    done = bench.run(
        "echo a > /dev/null; echo b > /dev/stderr; cat /dev/stdin; echo c > /dev/stdout",
        tmp_path,
        roots=[str(tmp_path)],
        input="in\n",
    )
    assert (done.out, done.err, done.code) == ("in\nc\n", "b\n", 0)


@pytest.mark.parametrize(
    "line",
    [
        "cat ../x",
        "echo a > ../x",
        "cd ..",
        "ls /",
        "cp f ..",
        "mv f ../f",
        "ln f ../f",
        "find /",
        "sh ../x",
        "tee ../x",
        "mktemp ../aXXXX",
    ],
)
def test_commands_are_told_that_it_is_elsewhere(line: str, bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "f").touch()
    (tmp_path / "x").write_text("secret")
    done = bench.run(line, tmp_path / "lab", roots=[str(tmp_path / "lab")])
    assert done.code != 0 and "no other place" in done.err and "secret" not in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lab", "x"]
