"""Files of a sandbox, from the host: reached at any time, while a cell runs too."""

from __future__ import annotations

import os
import re
import threading
from typing import Any

import pytest

from fumehood import Entry, LocalPythonExecutor, Policy, SandboxFailed

from .conftest import MakeExecutor, outcome_of
from .test_identities import as_identity  # a fixture  # noqa: F401


def paths(entries: list[Entry]) -> list[str]:
    return [entry.path for entry in entries]


# -- what there is


def test_what_code_makes_is_seen_with_its_kind_size_mode_and_time(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox(
        "open('f', 'w').write('12345')\nos.chmod('f', 0o640)\nos.utime('f', (1,"
        " 1_000_000.5))\nos.mkdir('d')\nos.symlink('/etc', 'l')"
    )
    assert sandbox.files.look(f"{here}/f") == Entry(
        f"{here}/f", "f", "file", 5, 0o640, 1_000_000.5, ""
    )
    assert [(entry.name, entry.kind, entry.target) for entry in sandbox.files.entries(here)] == [
        ("d", "directory", ""),
        ("f", "file", ""),
        ("l", "link", "/etc"),
    ]


@pytest.mark.parametrize("wrong", [None, 3, b"x", ["x"]], ids=repr)
def test_a_path_is_a_text(sandbox: LocalPythonExecutor, wrong: Any) -> None:
    files = sandbox.files
    for use in (
        files.read,
        files.look,
        files.remove,
        files.entries,
        files.make_directory,
        lambda path: files.write(path, b""),
    ):
        with pytest.raises(TypeError, match="a path is a text or a Path, not "):
            use(wrong)


def test_what_is_wrong_with_a_file_is_said_with_its_whole_path(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox.files.write(f"{here}/d/file", b"")
    sandbox.files.make_directory(f"{here}/d/e")
    for use, kind, said in (
        (
            lambda: sandbox.files.read(f"{here}/d/none"),
            FileNotFoundError,
            f"No such file or directory: '{here}/d/none'",
        ),
        (
            lambda: sandbox.files.read(f"{here}/d/none/x"),
            FileNotFoundError,
            f"No such file or directory: '{here}/d/none'",
        ),
        (
            lambda: sandbox.files.write(f"{here}/d/file/x", b""),
            NotADirectoryError,
            f"Not a directory: '{here}/d/file'",
        ),
        (
            lambda: sandbox.files.read(f"{here}/d/e"),
            ValueError,
            f"'{here}/d/e' is not a regular file but a directory",
        ),
        (
            lambda: sandbox.files.rename(f"{here}/d/file", f"{here}/d/e"),
            IsADirectoryError,
            f"Is a directory: '{here}/d/e'",
        ),
        (lambda: sandbox.files.read("half \ud800"), ValueError, "it has half a character in it"),
        (
            lambda: sandbox.files.write(f"{here}/x", None),
            TypeError,
            "bytes, a text, or an iterable of bytes, not NoneType",
        ),  # type: ignore[arg-type]
        (
            lambda: sandbox.files.write(f"{here}/x", b"", at="0"),
            ValueError,
            "at is the number of a byte, 0 or more, not '0'",
        ),  # type: ignore[arg-type]
        (
            lambda: sandbox.files.read(f"{here}/d/file", "9"),
            ValueError,
            "most is a number of bytes or None, not '9'",
        ),  # type: ignore[arg-type]
    ):
        with pytest.raises(kind, match=f"{re.escape(said)}$"):
            use()


@pytest.mark.parametrize("root", ["", ".", "/home/user", "/home/user/"])
def test_home_has_several_names(sandbox: LocalPythonExecutor, here: str, root: str) -> None:
    entry = sandbox.files.look(root)
    assert entry is not None and (entry.path, entry.name, entry.kind) == ("", "user", "directory")
    assert here in paths(sandbox.files.entries(root))
    assert sandbox.files.make_directory(root) is False


# -- changing it


def test_directories_are_made_with_those_above_and_once(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    assert sandbox.files.make_directory(f"{here}/a/b") is True
    assert sandbox.files.make_directory(f"{here}/a/b") is False
    assert sandbox("os.path.isdir('a/b')").output is True
    sandbox.files.write(f"{here}/file", b"")
    with pytest.raises(OSError, match="Not a directory"):
        sandbox.files.make_directory(f"{here}/file")


def test_something_is_renamed_into_a_directory_that_is_made_for_it_and_replaces_what_was_there(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox.files.write(f"{here}/old", "content")
    sandbox.files.write(f"{here}/there", "else")
    entry = sandbox.files.rename(f"{here}/old", f"{here}/new/name")
    assert (entry.path, entry.kind, entry.size) == (f"{here}/new/name", "file", 7)
    assert sandbox.files.rename(f"{here}/new", f"{here}/moved").kind == "directory"
    sandbox.files.rename(f"{here}/moved/name", f"{here}/there")
    assert sandbox("open('there').read(), sorted(os.listdir('.'))").output == (
        "content",
        ["moved", "there"],
    )
    with pytest.raises(FileNotFoundError):
        sandbox.files.rename(f"{here}/missing", f"{here}/made/for/it")
    assert sandbox.files.look(f"{here}/made") is None
    with pytest.raises(ValueError, match="not a path below"):
        sandbox.files.rename(f"{here}/there", "/home/user")


def test_a_directory_is_removed_with_all_that_is_in_it_however_it_is_closed(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox(
        "os.makedirs('d/e/f')\nopen('d/e/f/x', 'w').close()\nos.symlink('/home/user',"
        " 'd/all')\nos.chmod('d/e/f', 0)\nos.chmod('d/e', 0)\nopen('kept', 'w').close()"
    )
    sandbox.files.remove(f"{here}/d")
    assert sandbox("os.listdir('.')").output == ["kept"]
    sandbox("os.symlink('kept', 'link')")
    sandbox.files.remove(f"{here}/link")
    assert sandbox("os.listdir('.')").output == ["kept"]
    with pytest.raises(FileNotFoundError):
        sandbox.files.remove(f"{here}/d")
    with pytest.raises(ValueError, match="not a path below"):
        sandbox.files.remove("")


def test_a_tree_deeper_than_any_path_is_removed(sandbox: LocalPythonExecutor, here: str) -> None:
    sandbox("for _ in range(1200):\n    os.mkdir('deep'); os.chdir('deep')\nos.chdir('/home/user')")
    assert len(sandbox.files.entries(here, 64)) == 64
    sandbox.files.remove(f"{here}/deep")
    assert sandbox.files.entries(here) == []


# -- content


def test_a_file_that_grows_is_read_as_far_as_it_went_and_one_that_is_cut_or_replaced_ends_it(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox.files.write(f"{here}/a", b"x" * 10)
    pieces = sandbox.files.pieces(f"{here}/a", 5)
    assert next(pieces) == b"xxxxx"
    sandbox("with open('a', 'ab') as file: file.write(b'y' * 1000)")
    assert [*pieces] == [b"xxxxx"]
    pieces = sandbox.files.pieces(f"{here}/a", 5)
    next(pieces)
    sandbox("os.truncate('a', 2)")
    assert [*pieces] == []
    sandbox.files.write(f"{here}/a", b"x" * 10)
    pieces = sandbox.files.pieces(f"{here}/a", 5)
    next(pieces)
    sandbox("open('b', 'w').write('z' * 10)\nos.rename('b', 'a')")
    with pytest.raises(OSError, match="replaced by another file"):
        next(pieces)


# -- while code runs


def test_a_cell_and_the_host_hand_files_to_each_other(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    found: list[Any] = []
    code = (
        "open('question', 'w').write('6 * 7')\nwhile not os.path.exists('answer'):"
        " time.sleep(0.001)\nopen('answer').read()"
    )
    cell = threading.Thread(target=lambda: found.append(sandbox.run(code)))
    cell.start()
    while sandbox.files.look(f"{here}/question") is None or not sandbox.files.read(
        f"{here}/question"
    ):
        pass
    assert sandbox.files.read(f"{here}/question") == b"6 * 7"
    sandbox.files.write(f"{here}/unfinished", "42")
    sandbox.files.rename(f"{here}/unfinished", f"{here}/answer")
    cell.join()
    assert found[0].value == "42"


def test_what_the_host_writes_between_cells_is_not_undone_with_the_next(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor("import os\nopen('a', 'w').write('code')\nx = 1")
    for number in range(3):
        executor.files.write("b", f"host {number}")
        executor.files.make_directory(f"d{number}")
        undone = executor.run(
            "x = 2\nopen('a', 'w').write('lost')\nopen('b', 'w').write('lost')\nos._exit(1)"
        )
        assert undone.rolled_back
        assert executor("x, open('a').read(), open('b').read()").output == (
            1,
            "code",
            f"host {number}",
        )
    assert sorted(executor.files.list()) == ["a", "b"]


def test_what_the_host_has_written_is_there_when_the_runner_dies_between_cells(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor("import os, threading, time\nx = 1")
    executor(
        "def end():\n    while not os.path.exists('/home/user/a'): time.sleep(0.001)\n    os._exit(1)\n"
        "threading.Thread(target=end, daemon=True).start()"
    )
    executor.files.write("a", "host")
    outcome_of(lambda: executor._session._runner.wait())  # type: ignore[union-attr]
    with pytest.raises(SandboxFailed):
        executor.state["x"]
    assert executor.files.read("a") == b"host"
    assert executor("open('a').read()").output == "host"


# -- whoever the host is

_AS_SOMEBODY = """
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off"))
    executor("import os\\nos.symlink('/etc', 'l')\\nos.mkdir('d', 0o700)\\nopen('d/f', 'w').write('code')")
    executor.files.write("d/g", "host")
    executor.files.write("d/f", "host")
    executor.files.rename("d/g", "e/h")
    try:
        executor.files.read("l/passwd")
    except OSError as error:
        refused = str(error)
    with executor.files.watch("e") as watch:
        seen = executor("open('e/h', 'a').write('+'), open('d/f').read(), open('e/h').read(), os.stat('e/h').st_uid == os.getuid()").output
        events = [event.kind for event in watch.wait(60)]
    beside = executor.beside()
    beside("open('d/i', 'w').write('beside')")
    executor.close()
    say([seen, refused, events[:1], sorted(beside.files.list()), works(beside)])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_host_and_code_own_the_same_files_whoever_the_host_is(
    as_identity: Any,  # noqa: F811
    identity: str,
) -> None:
    seen, refused, events, listed, goes_on = as_identity(identity, _AS_SOMEBODY)
    assert seen == [1, "host", "host+", True]
    assert "Not a directory" in refused
    assert events == ["write"]
    assert listed == ["d/f", "d/i", "e/h"]
    assert goes_on is True


_WITHOUT_LABS = """
    executor = LocalPythonExecutor(policy=Policy(files=True))
    for use in (lambda: executor.files.read("a"), executor.beside):
        try:
            use()
        except SandboxFailed as error:
            say(str(error))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_sandbox_without_namespaces_says_that_it_has_no_files(
    as_identity: Any,  # noqa: F811
) -> None:
    assert "without namespaces a sandbox has no files of its own" in as_identity(
        "container", _WITHOUT_LABS
    )
