"""Executors beside each other: one sandbox and its files, and for each a process, variables, tools
and a past of its own."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fumehood import (
    Limits,
    LocalPythonExecutor,
    Policy,
    SandboxFailed,
    events,
)

from ..seen import Seen
from .conftest import MakeExecutor, skip_where_nothing_can_be_branched

PLAIN = Policy(files=True, language="off")


@pytest.fixture
def executor(make_jailed: MakeExecutor) -> LocalPythonExecutor:
    made = make_jailed(policy=PLAIN)
    skip_where_nothing_can_be_branched(made)
    return made


def test_files_are_the_same_and_variables_are_not(executor: LocalPythonExecutor) -> None:
    executor("x = 1\nopen('a', 'w').write('one')")
    with executor.beside() as other:
        assert other("'x' in globals(), open('/home/user/a').read()").output == (False, "one")
        other("x = 2\nopen('b', 'w').write('two')")
        assert executor("x, open('b').read()").output == (1, "two")
        executor.files.write("c", "host")
        assert other.files.read("c") == b"host" and sorted(other.files.list()) == ["a", "b", "c"]
        assert executor("import os\nos.getpid()").output != other("import os\nos.getpid()").output


def test_tools_packages_and_environment_come_along_and_part_from_then_on(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"shout": lambda text: text.upper()})
    executor.set_environment({"WHO": "first"})
    with executor.beside() as other:
        assert other("import os\nshout('x'), os.environ['WHO'], sqrt(9)").output == (
            "X",
            "first",
            3.0,
        )
        other.set_environment({"WHO": "second"})
        other.send_tools({"whisper": lambda text: text.lower()})
        assert executor("import os\nos.environ['WHO'], 'whisper' in globals()").output == (
            "first",
            False,
        )
        assert other("os.environ['WHO'], whisper('X')").output == ("second", "x")


def test_closing_one_leaves_the_others_in_any_order(executor: LocalPythonExecutor) -> None:
    second, third = executor.beside(), executor.beside()
    for number, one in enumerate((executor, second, third)):
        one(f"x = {number}\nopen('{number}', 'w').write('x')")
    executor.close()
    assert second("x, sorted(__import__('os').listdir('/home/user'))").output == (
        1,
        ["0", "1", "2"],
    )
    fourth = third.beside()
    third.close()
    assert fourth("open('0').read()").output == "x" and second("x").output == 1
    fourth.close()
    assert sorted(second.files.list()) == ["0", "1", "2"]
    second.close()
    with pytest.raises(SandboxFailed, match="closed"):
        second.beside()


@pytest.mark.parametrize(
    "way",
    ["import os; os._exit(1)", "import ctypes; ctypes.string_at(0)", "x = bytearray(1 << 40)"],
)
def test_a_cell_that_is_undone_takes_nothing_from_the_other_and_leaves_files_that_are_everybody_s(
    executor: LocalPythonExecutor, way: str
) -> None:
    executor("x = 1")
    with executor.beside() as other:
        other("y = 1\nopen('theirs', 'w').write('kept')")
        for one, name in ((executor, "x"), (other, "y")):
            undone = one.run(
                f"{name} = 2\nopen('mine', 'w').write('stays')\nopen('theirs',"
                f" 'w').write('changed')\n{way}"
            )
            assert undone.rolled_back or undone.fault == "memory"
        assert (executor.run("x").value in (1, 2), other.run("y").value in (1, 2)) == (True, True)
        assert other("open('mine').read(), open('theirs').read()").output == ("stays", "changed")
    executor("x = 5")
    assert executor.run(
        "x = 6\nopen('mine', 'w').write('gone')\nimport os; os._exit(1)"
    ).rolled_back
    assert executor("x, open('mine').read()").output == (
        5,
        "stays",
    )  # alone again, it has its files back too


def test_one_that_dies_without_a_past_comes_back_with_the_files(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=PLAIN, on_fault="keep")
    skip_where_nothing_can_be_branched(executor)
    with executor.beside() as other:
        for one, name in ((executor, "a"), (other, "b")):
            one(f"open('{name}', 'w').write('x')")
        assert other.run("import os\nos._exit(3)").error.message.startswith(
            "the cell's process ended itself with exit code 3"
        )  # type: ignore[union-attr]
        assert other("import os\nsorted(os.listdir('/home/user'))").output == ["a", "b"]
        assert executor.run("import os\nos._exit(3)").fault == "crash"
        assert executor("import os\nsorted(os.listdir('/home/user'))").output == ["a", "b"]
        executor.close()
        assert other.run("os._exit(3)").fault == "crash"
        assert other("import os\nsorted(os.listdir('/home/user'))").output == ["a", "b"]


def test_a_snapshot_is_of_one_and_is_gone_back_to_only_when_files_are_nobody_else_s(
    executor: LocalPythonExecutor,
) -> None:
    executor("x = 1\nopen('a', 'w').write('one')")
    with executor.beside() as other:
        other("x = 2")
        before = executor.snapshot()
        executor("x = 3\nopen('a', 'w').write('two')")
        with pytest.raises(
            SandboxFailed, match="take the files away from the executors beside this one"
        ):
            executor.restore(before)
        assert executor("x").output == 3
    executor.restore(before)
    assert executor("x, open('a').read()").output == (1, "one")


def test_one_that_breaks_the_protocol_is_alone_from_then_on_and_the_others_go_on(
    executor: LocalPythonExecutor,
) -> None:
    executor("open('a', 'w').write('everybody s')")
    with executor.beside() as other, executor.beside() as third:
        third("x = 3")
        assert "WorkerProtocolError" in str(
            other.run("import os\nos.write(3, b'\\xff' * 100)").error
        )
        assert other("import os\nos.listdir('/home/user')").output == []
        assert third("x, open('a').read()").output == (3, "everybody s")
        assert executor.files.read("a") == b"everybody s"


def test_many_come_and_go_at_the_same_time(executor: LocalPythonExecutor) -> None:
    """Each runs cells that crash or do not, and looks at its files, while the first runs cells of
    its own."""
    found: list[Any] = []

    def come_and_go(number: int) -> None:
        for turn in range(3):
            with executor.beside() as one:
                execution = one.run(
                    f"import os\nopen('{number}', 'w').write('{turn}')\n{turn} if {turn} % 2 else"
                    " os._exit(1)"
                )
                found.append((execution.value, execution.fault, one.files.read(str(number))))

    executor("x = 0")
    threads = [threading.Thread(target=come_and_go, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        executor("x += 1")
    for thread in threads:
        thread.join()
    expected = [(None, "crash", b"0"), (1, None, b"1"), (None, "crash", b"2")]
    assert sorted(found, key=lambda row: row[2]) == [row for row in expected for _ in range(4)]
    assert executor("import os\nx, sorted(os.listdir('/home/user'))").output == (
        10,
        ["0", "1", "2", "3"],
    )


def test_there_are_so_many_and_no_more(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(limits=Limits(branches=4)))
    skip_where_nothing_can_be_branched(executor)
    others = [executor.beside(), executor.beside()]
    for one in (executor, others[0]):
        with pytest.raises(SandboxFailed, match="at most 2 snapshots, forks and executors beside"):
            one.beside()
    others.pop().close()
    others.append(executor.beside())
    assert [one("1 + 1").output for one in others] == [2, 2]
    for one in others:
        one.close()


def test_each_is_told_of_as_a_session_of_its_own(executor: LocalPythonExecutor) -> None:
    executor("1")
    executor.observe(seen := Seen())
    with executor.beside() as other:
        other("1")
    (opened,) = seen.of(events.OpenedBeside)
    (child,) = [event for event in seen.of(events.SessionOpened) if event.session == opened.child]
    assert (child.parent, child.cells) == (opened.session, 0)
    assert [
        event.cell for event in seen.of(events.CellFinished) if event.session == opened.child
    ] == [1]
