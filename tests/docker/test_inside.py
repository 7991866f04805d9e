"""What of fumehood is in a container."""

from __future__ import annotations

import io
import tarfile

from fumehood.docker import hardening, inside
from fumehood.jail import enter, filesystem


def test_what_host_and_jail_both_know_is_the_same():
    assert (inside.LAB, inside.LABS, inside.PACKAGES) == (
        filesystem.LAB,
        filesystem.LABS,
        filesystem.PACKAGES,
    )
    assert f"/proc/self/fd/{filesystem.LAB_DESCRIPTOR}" == inside.LAB_LEADS_TO
    assert inside.LAB_ALSO in filesystem.NAMES_OF_LAB
    assert hardening.LAB_COPIES == filesystem.LAB_COPIES
    assert (hardening.PACKAGES_BYTES, hardening.PACKAGES_FILES) == (
        filesystem.PACKAGES_BYTES,
        filesystem.PACKAGES_FILES,
    )
    assert hardening.FREE_USERS == enter._FREE_USERS


def test_it_is_what_runs_code_and_nothing_of_the_host():
    names = {name for name, _text in inside.files()}
    assert {
        "errors.py",
        "grants.py",
        "policy.py",
        "wire/frames.py",
        "jail/enter.py",
        "worker/zygote.py",
        "language/run.py",
    } <= names
    assert not [
        name
        for name in names
        if name.startswith(("executors/", "docker/", "cli/", "agent/", "models/", "tools/"))
    ]


def test_the_same_files_are_the_same_archive():
    assert inside.archive() == inside.archive()


def test_the_archive_needs_no_program_of_the_base():
    with tarfile.open(fileobj=io.BytesIO(inside.archive())) as tar:
        entries = {entry.name: entry for entry in tar}
    assert entries["lab"].issym() and entries["lab"].linkname == "/proc/self/fd/4"
    assert entries["labs"].isdir() and entries["packages"].isdir()
    assert entries["opt/fumehood/fumehood/worker/zygote.py"].isreg()
    assert {(entry.uid, entry.gid) for entry in entries.values()} == {(0, 0)}


def test_the_digest_changes_with_a_file(monkeypatch):
    before = inside.digest()
    changed = [(name, text + b"#") for name, text in inside.files()]
    monkeypatch.setattr(inside, "files", lambda: iter(changed))
    assert inside.digest.__wrapped__() != before
