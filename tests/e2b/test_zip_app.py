"""The file that is put into a cloud sandbox, and the command that starts it."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile

import pytest

from fumehood import Policy
from fumehood.e2b import zip_app


def test_it_is_what_runs_code_and_nothing_of_the_host():
    with zipfile.ZipFile(io.BytesIO(zip_app.archive())) as file:
        names = set(file.namelist())
    assert {
        "__main__.py",
        "fumehood/worker/remote.py",
        "fumehood/tunnel/frames.py",
        "fumehood/policy_bounds.py",
    } <= names
    assert not [
        name
        for name in names
        if name.startswith(
            ("fumehood/executors/", "fumehood/server/", "fumehood/e2b/", "fumehood/agent/")
        )
    ]


def test_its_name_is_its_content(monkeypatch):
    before = zip_app.digest()
    assert zip_app.name() == f"fumehood-{before}.pyz"
    changed = [(name, text + b"#") for name, text in zip_app.files()]
    monkeypatch.setattr(zip_app, "files", lambda: iter(changed))
    assert zip_app.digest.__wrapped__() != before


@pytest.mark.parametrize("path", ["/tmp/{}", "/home/user/a b/{}", "/opt/x/{}"])
def test_whoever_is_to_run_the_command_can_tell_what_it_asks_for(path):
    policy = Policy(imports=("numpy",)).as_fields()
    line = zip_app.command(path.format(zip_app.name()), policy)
    asked = zip_app.asked_by(line)
    if " " in path:  # a path of somebody else's, which runs as any command does
        assert asked is None
    else:
        assert asked == zip_app.digest()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "python3 -u x.py e30=",
        "python3 -u /tmp/fumehood-1.pyz",
        "python3 -u /tmp/fumehood-1.pyz not-base64",
        "python3 -u /tmp/fumehood-1.pyz W10=",
        "python3 -u /tmp/fumehood-1.pyz 0 e30=",
        "python3 -u /tmp/fumehood-1.pyz e30= ; rm -rf /",
        "sudo python3 -u /tmp/fumehood-1.pyz e30=",
    ],
)
def test_any_other_command_is_another_command(line):
    assert zip_app.asked_by(line) is None


def test_a_python_that_is_too_old_is_told_so(tmp_path):
    """Its first lines are for any Python: here by one that says it is older than it is."""
    app = tmp_path / zip_app.name()
    app.write_bytes(zip_app.archive())
    code = (
        f"import sys, runpy; sys.version_info = (3, 10, 1); runpy.run_path({str(app)!r},"
        " run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        done.stderr
        == "fumehood needs Python 3.11 or newer, and python3 in this sandbox is 3.10; use another"
        " template\n"
    )
