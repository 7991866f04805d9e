"""Zygotes: one for all executors that want the same modules, everything imported before it is
copied, nothing shared by the copies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import JailUnavailable, Limits, LocalPythonExecutor, Policy
from fumehood.executors import supervisor
from fumehood.policy import Mount

from ..executors.conftest import skip_where_there_is_no_jail
from ..executors.hosts import children, descendants, living, named, wait_until


@pytest.fixture(autouse=True)
def _no_zygotes_before_and_after() -> Iterator[None]:
    supervisor.close_all()
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    supervisor.close_all()
    wait_until(lambda: not supervisors(), "those of other tests are gone")
    yield
    supervisor.close_all()


def supervisors() -> list[int]:
    """Of our own zygotes: a server that another test has started has its own."""
    return named(living(children(os.getpid())), "fumehood-superv")


def test_executors_that_want_the_same_share_one() -> None:
    with (
        LocalPythonExecutor(),
        LocalPythonExecutor(),
        LocalPythonExecutor(timeout_seconds=3, limits=None),
    ):
        assert len(supervisors()) == 1
        with LocalPythonExecutor(policy=Policy(limits=Limits(memory_bytes=64 << 20))) as other:
            assert other("1").output == 1
            assert len(supervisors()) == 1


def test_executors_that_want_other_modules_or_mounts_have_another(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with LocalPythonExecutor(), LocalPythonExecutor(["wave"]):
        assert len(supervisors()) == 2
        with LocalPythonExecutor(
            policy=Policy(files=True, mounts=(Mount(str(tmp_path), "/data"),))
        ):
            assert len(supervisors()) == 3


@pytest.mark.long
def test_only_so_many_are_kept_that_nobody_uses() -> None:
    for name in "wave tomllib mailbox plistlib netrc cmd quopri sched this xml fnmatch".split():
        LocalPythonExecutor([name]).close()
    assert len(supervisors()) <= 9


def test_a_new_executor_after_the_last_was_closed_is_made_from_the_same() -> None:
    LocalPythonExecutor().close()
    before = supervisors()
    with LocalPythonExecutor() as executor:
        assert executor("1").output == 1
    assert supervisors() == before


@pytest.mark.parametrize(
    ("imports", "code"),
    [
        ([], "import random\nrandom.random()"),
        ([], "import secrets\nsecrets.token_hex(8)"),
        ([], "import uuid\nstr(uuid.uuid4())"),
        (["numpy"], "import numpy\nnumpy.random.rand()"),
        (["numpy"], "import numpy\nnumpy.random.default_rng().random()"),
        (["pandas", "numpy"], "import pandas\nint(pandas.Series(range(10**6)).sample(1).iloc[0])"),
    ],
)
def test_copies_do_not_throw_the_same_dice(imports: list[str], code: str) -> None:
    for name in imports:
        pytest.importorskip(name)
    thrown = []
    for _ in range(3):
        with LocalPythonExecutor(imports) as executor:
            thrown.append(executor(code).output)
    assert len(set(thrown)) == 3


def test_plain_code_does_not_throw_the_same_dice_either() -> None:
    thrown = []
    for _ in range(3):
        with LocalPythonExecutor(policy=Policy(files=True, language="off")) as executor:
            thrown.append(executor("import random\nrandom.random()").output)
    assert len(set(thrown)) == 3


def test_garbage_is_collected_in_sandboxes_though_not_while_modules_were_imported() -> None:
    with LocalPythonExecutor(policy=Policy(files=True, language="off")) as executor:
        assert executor("import gc\n(gc.isenabled(), gc.get_freeze_count() > 1000)").output == (
            True,
            True,
        )


def test_what_one_copy_changes_in_a_module_no_other_sees() -> None:
    policy = Policy(files=True, language="off")
    with LocalPythonExecutor(policy=policy) as one, LocalPythonExecutor(policy=policy) as other:
        one(
            "import json, builtins\njson.dumps = None\nbuiltins.changed = 1\nimport"
            " sys\nsys.modules['os'] = None"
        )
        assert other(
            "import json, builtins\njson.dumps([1]), hasattr(builtins, 'changed')"
        ).output == ("[1]", False)
    with LocalPythonExecutor(policy=policy) as later:
        assert later("import json, os\njson.dumps([1])").output == "[1]"


def test_a_module_that_fails_to_import_fails_in_the_cell_that_imports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents[:3]:
        if parent.stat().st_uid == os.getuid():
            parent.chmod(parent.stat().st_mode | 0o055)
    (tmp_path / "module_that_fails.py").write_text("raise ValueError('not today')\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with LocalPythonExecutor(["module_that_fails"]) as executor:
        error = executor.run("import module_that_fails").error
        assert "not today" in error.message or "not today" in error.traceback
        assert executor("1").output == 1


def test_a_module_of_the_host_s_own_is_visible_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(parent.stat().st_mode | 0o055)
    (tmp_path / "own_module.py").write_text("answer = 42\n")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with LocalPythonExecutor(["own_module"]) as executor:
        assert executor("import own_module\nown_module.answer").output == 42
    with LocalPythonExecutor(
        policy=Policy(imports=("own_module",), files=True, language="off")
    ) as plain:
        if "absent    mount namespace" in plain.report():
            pytest.skip("there is no mount namespace")
        assert (
            plain.run(f"open({str(tmp_path / 'secret.txt')!r})").error.type == "FileNotFoundError"
        )


def test_no_process_is_left_when_all_are_closed() -> None:
    with LocalPythonExecutor() as executor:
        executor("1")
    processes = {process for supervisor in supervisors() for process in descendants(supervisor)}
    assert named(processes, "fumehood-zygote")
    supervisor.close_all()
    wait_until(lambda: not living(processes), "all are gone")
    assert supervisors() == []
