"""Which modules a package has, and which of them are another's."""

from __future__ import annotations

from pathlib import Path

import pytest

from fumehood.errors import InstallFailed
from fumehood.packages.contents import Distribution, allowed_modules, distributions, modules


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["yaml/__init__.py", "_yaml/__init__.py", "PyYAML-6.0.dist-info/RECORD"], ["yaml"]),
        (["six.py"], ["six"]),
        (["fast.cpython-311-x86_64-linux-gnu.so"], ["fast"]),
        (["google/cloud/storage/__init__.py", "google/cloud/storage/blob.py"], ["google"]),
        (["json.py", "subprocess/__init__.py", "fumehood/more.py"], []),
        (["../evil.py", "/tmp/evil.py", "a-b/c.py", "fine.libs/x.so"], []),
    ],
)
def test_modules_are_those_of_the_files(files: list[str], found: list[str]) -> None:
    assert [*modules(files)] == found


def test_of_a_shared_directory_only_the_parts_are_allowed() -> None:
    mine = Distribution(
        "google-mine",
        "1",
        frozenset(["google/mine/__init__.py", "google/mine/deep.py", "google/one.py"]),
    )
    other = Distribution("google-other", "1", frozenset(["google/other/__init__.py"]))
    found = {each.name: each for each in (mine, other)}
    assert allowed_modules(["google-mine"], found, {*found}, ()) == ("google.mine", "google.one")


def test_a_module_of_another_package_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "fast.cpython-311-x86_64-linux-gnu.so").touch()
    files = frozenset(["numpy/__init__.py", "numpy/evil.py", "fast.py", "own.py"])
    found = {"greedy": Distribution("greedy", "1", files)}
    assert allowed_modules(["greedy"], found, {"greedy"}, [str(tmp_path)]) == ("own",)
    assert allowed_modules(["greedy"], found, set(), [str(tmp_path)]) == (
        "fast",
        "numpy",
        "own",
    )  # it is the one that is there


def describe(directory: Path, name: str, folder: str) -> Path:
    information = directory / folder
    information.mkdir()
    (information / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
    (information / "RECORD").write_text("")
    return information


def test_of_two_that_have_the_same_name_none_is_believed(tmp_path: Path) -> None:
    describe(tmp_path, "plain", "plain-1.0.dist-info")
    assert [each.name for each in distributions(tmp_path)] == ["plain"]
    describe(tmp_path, "Plain", "other-1.0.dist-info")
    with pytest.raises(InstallFailed, match="two of the packages call themselves plain"):
        [*distributions(tmp_path)]


def test_a_description_without_end_is_not_read(tmp_path: Path) -> None:
    information = describe(tmp_path, "plain", "plain-1.0.dist-info")
    with (information / "METADATA").open("r+b") as file:
        file.truncate(1 << 40)  # it has a hole: there is nothing on the disk
    with pytest.raises(InstallFailed, match="METADATA is too long"):
        [*distributions(tmp_path)]
