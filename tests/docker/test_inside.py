"""What of fumehood is in a container."""

from __future__ import annotations

import io
import tarfile

from fumehood.docker import hardening
from fumehood.docker import images as inside
from fumehood.jail import enter, filesystem


def test_what_host_and_jail_both_know_is_the_same():
    assert inside.LABS == filesystem.LABS
    assert {
        path: f"{filesystem.LAB}/{filesystem.PARTS[path]}"
        for path in (filesystem.HOME, filesystem.TEMPORARY)
    } == inside.LINKS
    assert hardening.LAB_COPIES == filesystem.LAB_COPIES
    assert hardening.PACKAGES_BYTES == filesystem.PACKAGES_BYTES
    assert hardening.FREE_USERS == enter._FREE_USERS


def test_it_is_what_runs_code_and_nothing_of_the_host():
    names = {name for name, _text in inside.files()}
    assert {
        "fumehood/errors.py",
        "fumehood/default_imports.py",
        "fumehood/policy.py",
        "fumehood/wire/frames.py",
        "fumehood/jail/enter.py",
        "fumehood/worker/zygote.py",
        "fumehood/language/guarded/session.py",
        "cloudpickle/cloudpickle.py",
    } <= names
    outside = {"executors", "docker", "cli", "agent", "models", "tools"}
    assert {name.split("/")[0] for name in names} == {"fumehood", "cloudpickle"}
    assert not [name for name in names if name.split("/")[1] in outside]


def test_the_archive_needs_no_program_of_the_base():
    with tarfile.open(fileobj=io.BytesIO(inside.archive())) as tar:
        entries = {entry.name: entry for entry in tar}
    assert entries["labs"].isdir()
    assert entries["opt/fumehood/fumehood/worker/zygote.py"].isreg()
    assert {(entry.uid, entry.gid) for entry in entries.values()} == {(0, 0)}
