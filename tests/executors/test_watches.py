"""What happens to files of a sandbox, told to the host."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fumehood import FileEvent, Limits, LocalPythonExecutor, Policy, SandboxFailed
from fumehood.executors.files import MOST_WATCHES

from .conftest import MakeExecutor, outcome_of


def events_of(watch: Any, last: FileEvent) -> list[FileEvent]:
    """What is told until something is that comes last."""
    found: list[FileEvent] = []
    while last not in found:
        more = watch.wait(60)
        assert more, f"{last} did not come; there were {found}"
        found += more
    return list(dict.fromkeys(found))


def test_what_happens_in_a_directory_is_told(sandbox: LocalPythonExecutor, here: str) -> None:
    with sandbox.files.watch(here) as watch:
        assert watch.wait(0) == []
        sandbox.files.write(f"{here}/a", b"x")
        assert events_of(watch, FileEvent(f"{here}/a", "write")) == [
            FileEvent(f"{here}/a", kind) for kind in ("create", "write")
        ]  # type: ignore[arg-type]
        for code, last in (
            ("os.chmod('a', 0o600)", FileEvent(f"{here}/a", "chmod")),
            ("open('a', 'a').write('more')", FileEvent(f"{here}/a", "write")),
            ("os.utime('a')\nos.rename('a', 'b')", FileEvent(f"{here}/b", "create")),
            ("os.remove('b')", FileEvent(f"{here}/b", "remove")),
        ):
            sandbox(code)
            found = events_of(watch, last)
            assert (FileEvent(f"{here}/a", "rename") in found) == ("rename" in code)
            assert (
                "chmod" in code or FileEvent(f"{here}/a", "chmod") not in found
            )  # a time that is set is no permission
        sandbox("os.makedirs('d/e')\nopen('d/e/f', 'w').close()\nopen('end', 'w').close()")
        assert not any(
            "d/e" in event.path for event in events_of(watch, FileEvent(f"{here}/end", "create"))
        )


def test_directories_below_are_watched_if_asked_for_and_new_ones_from_their_beginning(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    sandbox.files.make_directory(f"{here}/old")
    with sandbox.files.watch(here, recursive=True) as watch:
        sandbox(
            "os.makedirs('a/b/c')\nopen('a/b/c/file', 'w').close()\nopen('old/end', 'w').close()"
        )
        found = events_of(watch, FileEvent(f"{here}/old/end", "create"))
        assert {event.path for event in found if event.kind == "create"} >= {
            f"{here}/{path}" for path in ("a", "a/b", "a/b/c", "a/b/c/file")
        }
        sandbox("os.rename('a', 'z')\nopen('z/b/new', 'w').close()")
        events_of(watch, FileEvent(f"{here}/z/b/new", "create"))
        sandbox.files.remove(f"{here}/z")
        assert FileEvent(f"{here}/z/b/c", "remove") in events_of(
            watch, FileEvent(f"{here}/z", "remove")
        )


def test_a_flood_of_changes_is_told_as_a_few_and_too_many_files_as_lost(
    sandbox: LocalPythonExecutor, here: str
) -> None:
    with sandbox.files.watch(here) as watch:
        sandbox(
            "open('x', 'w').close()\nfor n in range(30_000):\n    os.rename('x', 'y')\n"
            "    os.rename('y', 'x')\nopen('end', 'w').close()"
        )
        assert len(events_of(watch, FileEvent(f"{here}/end", "create"))) < 1000
        sandbox("for n in range(10_001):\n    os.mkdir(f'd{n}')")
        events_of(watch, FileEvent(here, "lost"))
        sandbox("for n in range(10_001):\n    os.rmdir(f'd{n}')\nopen('later', 'w').close()")
        events_of(watch, FileEvent(f"{here}/later", "create"))


def test_iterating_ends_when_it_is_closed_and_raises_when_the_sandbox_ends(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(files=True)
    watch = executor.files.watch()
    executor.files.write("a", b"")
    assert next(iter(watch)) == FileEvent("a", "create")
    closer = threading.Timer(0.05, watch.close)
    closer.start()
    assert outcome_of(lambda: [event.kind for event in watch] or ["nothing"])
    watch.close()
    assert watch.wait(5) == []
    watch = executor.files.watch()
    executor.close()
    with pytest.raises(SandboxFailed, match="has ended"):
        watch.wait(60)


def test_so_many_watches_and_no_more(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, limits=Limits(processes=64)))
    watches = [executor.files.watch() for _ in range(MOST_WATCHES)]
    with pytest.raises(SandboxFailed, match="close some of the watches"):
        executor.files.watch()
    watches[3].close()
    executor.files.watch("").close()
    executor.files.write("a", b"x")
    assert executor.files.read("a") == b"x"
