"""Files of a sandbox, from the host, whatever code has planted there or does meanwhile: never
outside of /home/user, and never for ever."""

from __future__ import annotations

import os
import threading

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy

from .conftest import MakeExecutor

USES = {
    "read": lambda files, path: files.read(path),
    "pieces": lambda files, path: [*files.pieces(path)],
    "write": lambda files, path: files.write(path, b"changed"),
    "entries": lambda files, path: files.entries(path),
    "make_directory": lambda files, path: files.make_directory(path),
    "rename from": lambda files, path: files.rename(path, "stolen"),
    "rename to": lambda files, path: files.rename("bait", path),
    "remove": lambda files, path: files.remove(path),
    "watch": lambda files, path: files.watch(path),
}


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../x",
        "a/../../x",
        "/etc",
        "/home/user/../etc",
        "/",
        "/labx/y",
        "/home",
        "/tmp/../etc",
        "a\0b",
        "/proc/self",
    ],
)
def test_no_path_leads_out_of_the_lab(sandbox: LocalPythonExecutor, path: str) -> None:
    sandbox.files.write("bait", b"")
    for use in USES.values():
        with pytest.raises(ValueError, match=r"not a path below|zero byte"):
            use(sandbox.files, path)
    with pytest.raises(ValueError, match=r"not a path below|zero byte"):
        sandbox.files.look(path)


@pytest.mark.parametrize("use", USES)
def test_no_link_that_code_has_planted_is_followed(
    sandbox: LocalPythonExecutor, here: str, use: str
) -> None:
    sandbox(
        "os.symlink('/etc', 'etc')\nos.symlink('/proc/self', 'proc')\nos.symlink('/',"
        " 'root')\nos.symlink('..', 'up')\nopen('real', 'w').write('real')\nos.symlink('real',"
        " 'link')\nos.symlink('/labs', 'labs')"
    )
    sandbox.files.write("bait", b"")
    before = sandbox(
        "sorted(os.listdir('/')), sorted(os.listdir('/labs')), open('real').read()"
    ).output
    for path in (
        "etc/passwd",
        "proc/environ",
        "root/home/user/x",
        "up/bait",
        "labs/0",
        *(["link"] if use in ("read", "pieces", "write") else []),
    ):
        with pytest.raises(OSError, match=r"symbolic link|Not a directory"):
            USES[use](sandbox.files, f"{here}/{path}")
        assert path == "link" or sandbox.files.look(f"{here}/{path}") is None
    assert (
        sandbox("sorted(os.listdir('/')), sorted(os.listdir('/labs')), open('real').read()").output
        == before
    )


def test_directories_that_become_links_and_back_while_they_are_used_lead_nowhere(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    """Code swaps a directory for a link to / as fast as it can; the host looks, reads, writes,
    lists and removes by that name."""
    sandbox.files.write("bait", b"")
    code = """
import ctypes
libc = ctypes.CDLL(None)
os.mkdir("d"); open("d/etc", "w").write("mine"); os.symlink("/", "l")
open("ready", "w").close()
while not os.path.exists("stop"):
    libc.renameat2(-100, b"d", -100, b"l", 2)  # exchanges the two at once
"""
    cell = threading.Thread(target=sandbox.run, args=[code])
    cell.start()
    while sandbox.files.look(f"{here}/ready") is None:
        pass
    outcomes: set[str] = set()
    for turn in range(60):
        for use in (
            lambda: "|".join(entry.path for entry in sandbox.files.entries(here, 3)),
            lambda: sandbox.files.read(f"{here}/d/etc").decode(),
            lambda: str(sandbox.files.look(f"{here}/d/home/user")),
            lambda turn=turn: sandbox.files.write(f"{here}/d/etc", "mine") or "written",
            lambda turn=turn: sandbox.files.make_directory(f"{here}/d/{turn}") and "made",
        ):
            try:
                outcomes.add(str(use()))
            except (OSError, ValueError) as error:
                outcomes.add(str(error).partition(":")[0])
    sandbox.files.write(f"{here}/stop", b"")
    cell.join()
    allowed = {
        "mine",
        "",
        "None",
        "written",
        "made",
        "Not a directory",
        "Too many levels of symbolic links",
        "No such file or directory",
    }
    listings = {outcome for outcome in outcomes if here in outcome}
    assert outcomes - listings <= allowed
    assert all(
        path.startswith(here) and "passwd" not in path and "/proc" not in path
        for text in listings
        for path in text.split("|")
    )
    assert "lab" not in sandbox("os.listdir('d' if not os.path.islink('d') else 'l')").output


def test_more_than_can_be_listed_is_one_clear_line(sandbox: LocalPythonExecutor, here: str) -> None:
    sandbox("os.mkdir('many')\nfor n in range(12_000): open(f'many/{n}', 'w').close()")
    with pytest.raises(ValueError, match=r"more than 10,000 entries below .*: list fewer"):
        sandbox.files.entries(f"{here}/many")
    assert len(sandbox.files.entries(here)) == 1
    assert len(sandbox.files.list()) >= 12_000
    sandbox.files.remove(f"{here}/many")
    assert sandbox.files.entries(here) == []


def test_names_that_are_no_text_are_told_and_can_be_used(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox(
        r"open(b'\xff\xfe', 'w').write('x')"
        "\n"
        r"os.mkdir('new\nline \x1b[0m')"
        "\n"
        r"os.symlink(b'/\xff', 'link')"
    )
    entries = sandbox.files.entries(here)
    assert {os.fsencode(entry.name) for entry in entries} == {
        b"\xff\xfe",
        b"new\nline \x1b[0m",
        b"link",
    }
    assert next(os.fsencode(entry.target) for entry in entries if entry.kind == "link") == b"/\xff"
    odd = next(entry.path for entry in entries if entry.kind == "file")
    assert sandbox.files.read(odd) == b"x"
    assert sandbox.files.rename(odd, f"{here}/plain").name == "plain"
    sandbox.files.write(f"{here}/" + os.fsdecode(b"\xf0"), b"y")
    assert sandbox(r"os.path.exists(b'\xf0')").output is True


def test_a_lab_that_is_full_is_told_as_that_and_a_file_is_no_larger_than_files_may_be(
    make_jailed: MakeExecutor,
) -> None:
    limits = Limits(lab_bytes=1 << 20, file_bytes=1 << 19)
    executor = make_jailed(policy=Policy(files=True, limits=limits))
    with pytest.raises(OSError, match="File too large"):
        executor.files.write("a", bytes(1 << 20))
    executor.files.write("a", bytes(1 << 19))
    if (
        "docker" not in type(executor).__name__.lower()
    ):  # there labs of all sandboxes are one file system, larger than one lab
        executor.files.write("b", bytes((1 << 19) - (1 << 16)))
        with pytest.raises(OSError, match="No space left"):
            executor.files.write("c", bytes(1 << 18))
    executor.files.remove("a")
    assert executor.files.look("a") is None


def test_nobody_in_the_sandbox_sees_who_serves_its_files(sandbox: LocalPythonExecutor) -> None:
    sandbox.files.list()
    names = (
        "[open(f'/proc/{pid}/comm').read().strip() for pid in os.listdir('/proc') if pid.isdigit()]"
    )
    seen = sandbox(names).output
    assert seen and not any("clerk" in name for name in seen)
