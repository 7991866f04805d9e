"""What is asked of pip, and what is made of what it brings: wheels for the place that they go to,
and nothing that is there already."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood import DangerousImport, PolicyError
from fumehood.errors import InstallFailed
from fumehood.executors import installing
from fumehood.executors.executor import Executor
from fumehood.packages import installers, requirements

from .wheels import (
    a_shelf,  # noqa: F401
    make_source,
    make_wheel,
    maker_here,  # noqa: F401
    one_here,  # noqa: F401
    only_there,  # noqa: F401
)  # fixtures

Make = Callable[..., Executor]
pytestmark = pytest.mark.usefixtures("only_from_the_shelf")


def test_what_the_machine_has_is_not_brought_again(make_here: Make, tmp_path: Path) -> None:
    import msgspec

    wheel = make_wheel(
        tmp_path,
        "msgspec",
        {"msgspec/__init__.py": "is_other = True\n"},
        version=msgspec.__version__,
    )
    executor = make_here()
    assert executor.install(wheel).modules == ("msgspec",)
    assert executor("import msgspec\nhasattr(msgspec, 'is_other'), msgspec.__version__").output == (
        False,
        msgspec.__version__,
    )


@pytest.mark.parametrize(
    "package",
    [
        "--index-url=https://example.org",
        "-r requirements.txt",
        "-e .",
        ".",
        "..",
        "/etc",
        "plain.tar.gz",
        "./plain",
        "plain @ https://example.org/plain-1.0-py3-none-any.whl",
        "https://example.org/plain-1.0-py3-none-any.whl",
        "file:plain-1.0-py3-none-any.whl",
        "git+https://example.org/plain",
        "plain; import os",
        "plain\n--pre",
        "plain && ls",
        "plain=1",
        "missing-1.0-py3-none-any.whl",
        "plain.whl",
        "",
        " ",
        Path("setup.py"),
        Path("plain"),
        b"plain",
        None,
        3,
    ],
    ids=repr,
)
def test_what_is_neither_a_name_nor_a_wheel_is_refused_in_one_line(package: Any) -> None:
    with pytest.raises(PolicyError) as caught:
        requirements.requests_of([package])
    assert "\n" not in str(caught.value).replace(repr(package)[1:-1], "")


def test_source_is_not_built(here: Executor, shelf: Path, tmp_path: Path) -> None:
    make_source(shelf, "source", tmp_path / "built")
    with pytest.raises(InstallFailed, match="source"):
        here.install("source")
    assert not (tmp_path / "built").exists()


def test_source_that_a_wheel_names_by_its_address_is_not_built(
    here: Executor, tmp_path: Path
) -> None:
    source = make_source(tmp_path, "source", tmp_path / "built")
    wheel = make_wheel(
        tmp_path, "cunning", {"cunning.py": ""}, requires=(f"source @ {source.as_uri()}",)
    )
    with pytest.raises(InstallFailed, match="would have to be built, which runs its code here"):
        here.install(wheel)
    assert not (tmp_path / "built").exists()


def test_no_package_opens_the_standard_library_or_the_worker(
    here: Executor, tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = dict.fromkeys(
        [
            "subprocess/__init__.py",
            "json.py",
            "fumehood/more.py",
            "_private.py",
            "fine/a.py",
            "fine.libs/x.so",
            "a-b/c.py",
            "other.abi3.so",
        ],
        "",
    )
    wheel = make_wheel(tmp_path, "greedy", files)
    assert here.install(wheel).modules == ("fine", "other")
    assert "not authorized" in str(here.run("import subprocess").error)
    assert here("import json\njson.dumps([1])").output == "[1]"


def test_a_dangerous_module_warns(here: Executor, tmp_path: Path) -> None:
    name = next(name for name in ("dill", "shelve_like", "cffi") if name not in installed_here())
    wheel = make_wheel(tmp_path, name, {f"{name}.py": ""})
    with pytest.warns(DangerousImport, match=f"authorizing '{name}'") as seen:
        here.install(wheel)
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        here.install(wheel)


def installed_here() -> set[str]:
    from importlib.metadata import distributions

    return {distribution.metadata["Name"].lower() for distribution in distributions()}


def test_more_than_there_is_room_for_is_refused(
    here: Executor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = make_wheel(tmp_path, "large", {"large.py": "#" * 5000})
    monkeypatch.setattr(installing, "MOST_BYTES", 4000)
    with pytest.raises(
        InstallFailed, match="there is no room for them: packages may have 4,000 bytes"
    ):
        here.install(wheel)


# -- for another Python


def place(**changes: Any) -> installing.Place:
    markers = {
        "platform_machine": "x86_64",
        "python_version": "3.12",
        "python_full_version": "3.12.4",
        "sys_platform": "linux",
    }
    return installing.Place(
        **{
            "python": (3, 12, 4),
            "libc": ("glibc", "2.36"),
            "markers": markers,
            "installed": {},
            **changes,
        }
    )


def fetched(package: str, there: installing.Place) -> dict[str, str]:
    return installing.fetch(
        requirements.requests_of([package]), there, {}, is_remote=True
    ).installed.packages


@pytest.mark.long
def test_what_a_package_needs_is_what_it_needs_there(shelf: Path) -> None:
    make_wheel(
        shelf,
        "choosy",
        {"choosy.py": ""},
        requires=("plain<2; python_version < '3.12'", "needy; python_version >= '3.12'"),
    )
    older = {
        "platform_machine": "x86_64",
        "python_version": "3.11",
        "python_full_version": "3.11.9",
        "sys_platform": "linux",
    }
    assert set(fetched("choosy", place())) == {"choosy", "needy", "plain"}
    assert set(fetched("choosy", place(python=(3, 11, 9), markers=older))) == {"choosy", "plain"}


@pytest.mark.parametrize(
    ("libc", "fits"),
    [
        (("glibc", "2.36"), "manylinux"),
        (("glibc", "2.17"), "manylinux2014"),
        (("musl", "1.2"), "musllinux"),
    ],
)
def test_wheels_are_those_for_the_place(shelf: Path, libc: tuple[str, str], fits: str) -> None:
    for number, (name, tag) in enumerate(
        {
            "manylinux": "manylinux_2_28_x86_64",
            "manylinux2014": "manylinux2014_x86_64",
            "musllinux": "musllinux_1_2_x86_64",
        }.items()
    ):
        make_wheel(
            shelf,
            f"fit_{name}",
            {f"fit_{name}.py": ""},
            tag=f"cp312-cp312-{tag}",
            version=f"1.{number}",
        )
    assert f"fit-{fits}" in fetched(f"fit_{fits}", place(libc=libc))
    if libc != ("glibc", "2.36"):
        with pytest.raises(InstallFailed):
            fetched("fit_manylinux", place(libc=libc))


@pytest.mark.parametrize(
    "said",
    [
        {},
        [],
        {
            "python": [3, 12, 4],
            "libc": ["glibc", "2.36"],
            "markers": {"platform_machine": "x; rm"},
            "installed": {},
        },
        {
            "python": ["3", 12, 4],
            "libc": ["glibc", "2.36"],
            "markers": {"platform_machine": "x86_64"},
            "installed": {},
        },
        {"python": [3, 12], "libc": [], "markers": {"platform_machine": "x86_64"}, "installed": {}},
    ],
)
def test_a_place_that_says_nonsense_of_itself_is_not_believed(said: Any) -> None:
    with pytest.raises((ValueError, LookupError, TypeError, AttributeError)):
        installing._checked(said)


def test_of_what_a_place_says_only_names_and_versions_reach_pip() -> None:
    markers = {"platform_machine": "x86_64"}
    installed = {
        "plain": "1.0",
        "--index-url x": "1",
        "a\nb": "1",
        "other": "1.0+local",
        "odd": "1.0; x",
        "none": None,
    }
    checked = installing._checked(
        {"python": [3, 12, 4], "libc": ["", ""], "markers": markers, "installed": installed}
    )
    assert checked.installed == {"plain": "1.0", "other": "1.0+local", "odd": "1.0; x"}
    assert [installers.public(version) for version in checked.installed.values()] == [
        "1.0",
        "1.0",
        "",
    ]
    assert checked.libc == ("glibc", "2.17")
