"""A log replayed: the same cells do the same again, and what is not the same is found."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Mount, Policy, tool
from fumehood.audit import replaying
from fumehood.audit.chain import NOTHING, Hasher, make_line
from fumehood.audit.log import AuditLog
from fumehood.audit.replaying import Replay, replay
from fumehood.errors import AuditError, JailUnavailable
from fumehood.events import PackagesInstalled
from fumehood.policy import Limits
from fumehood.validation import PersonalData

SEEDED = Policy(seed=1, limits=Limits(cell_seconds=20))
Record = Callable[..., Path]


@pytest.fixture(scope="module", autouse=True)
def jail() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")


@pytest.fixture
def record(path: Path) -> Record:
    """Writes the log of a session that a function goes through."""

    def write(
        play: Callable[[LocalPythonExecutor], Any],
        policy: Policy = SEEDED,
        log: dict[str, Any] | None = None,
        **options: Any,
    ) -> Path:
        with (
            AuditLog(path, **(log or {})) as made,
            LocalPythonExecutor(policy=policy, audit=made, **options) as executor,
        ):
            play(executor)
        return path

    return write


def cells(*codes: str, **tools: Callable[..., Any]) -> Callable[[LocalPythonExecutor], None]:
    def play(executor: LocalPythonExecutor) -> None:
        if tools:
            executor.send_tools(tools)
        for code in codes:
            executor.run(code)

    return play


def rewrite(path: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """What somebody does who changes a log and makes its chain anew."""
    hasher, previous, made = Hasher(), NOTHING, b""
    lines = [
        changed
        for line in path.read_bytes().splitlines()
        if (changed := change(json.loads(line))) is not None
    ]
    for number, fields in enumerate(lines, start=1):
        kind = fields.pop("event")
        kept = {
            name: value for name, value in fields.items() if name not in ("n", "previous", "hash")
        }
        line, previous = make_line(hasher, number, previous, kind, json.dumps(kept).encode())
        made += line
    path.write_bytes(made)


def changed(
    path: Path, event: str, change: Callable[[dict[str, Any]], object], number: int = 1
) -> None:
    """Change the given one of the lines of an event."""
    seen = 0

    def one(fields: dict[str, Any]) -> dict[str, Any]:
        nonlocal seen
        seen += fields["event"] == event
        if fields["event"] == event and seen == number:
            change(fields)
        return fields

    rewrite(path, one)


def whats(result: Replay) -> list[tuple[int, str]]:
    return [(difference.cell, difference.what) for difference in result.differences]


# -- the same


def test_variables_live_from_cell_to_cell_and_random_numbers_come_again(record: Record) -> None:
    result = replay(
        record(cells("import random\nx = random.random()", "x", "print(x * 2)\n1/0", "x = ("))
    )
    assert (result.cells, result.same, result.differences) == (4, True, [])


def test_tools_answer_from_the_log_and_are_not_called(record: Record) -> None:
    calls: list[Any] = []

    def ask(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return [*args, time.time()]

    def fail(key: str) -> None:
        raise KeyError(key)

    codes = (
        "a = ask('x', n=1)\nb = ask('x', n=1)\na == b",
        "try:\n    fail('k')\nexcept KeyError as error:\n    print(repr(error), error.args)",
    )
    path = record(cells(*codes, ask=ask, fail=fail))
    before = len(calls)
    assert replay(path).same
    assert len(calls) == before


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad"),
        KeyError("key"),
        KeyError(),
        FileNotFoundError(2, "No such file or directory", "/nowhere"),
        json.JSONDecodeError("odd", "x", 0),
        type("Own", (Exception,), {})("with", 2),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_tool_s_exception_is_the_same_to_the_code(record: Record, error: Exception) -> None:
    def fail() -> None:
        raise error

    assert replay(
        record(
            cells(
                "try:\n    fail()\nexcept Exception as error:\n    print(type(error), error)",
                fail=fail,
            )
        )
    ).same


def test_parallel_calls_are_answered_by_their_arguments_and_in_the_order_of_then(
    record: Record,
) -> None:
    came = [threading.Event() for _ in range(4)]
    came[3].set()

    def slow(n: int) -> int:
        assert came[n + 1].wait(60)
        return n

    def see(n: int) -> None:
        came[n].set()

    code = """
import asyncio
seen = []
for done in asyncio.as_completed([slow.aio(n) for n in range(3)]):
    seen.append(await done)
    see(seen[-1])
seen
"""
    path = record(cells(code, slow=slow, see=see))
    assert '"value":[2,1,0]' in path.read_text()
    assert replay(path).same


def test_what_only_a_busy_machine_did_otherwise_is_tried_again(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any time between answers, which is first is up to the machine."""

    def slow(n: int) -> int:
        time.sleep(0.2 * (3 - n))
        return n

    code = (
        "import asyncio\nseen = []\nfor done in asyncio.as_completed([slow.aio(n) for n in"
        " range(4)]):\n    seen.append(await done)\nseen"
    )
    path = record(cells(code, slow=slow))
    tried: list[float] = []
    original = replaying.Answers.__init__

    def noted(self: Any, *args: Any, slowly: float, **options: Any) -> None:
        tried.append(slowly)
        original(self, *args, slowly=-1.0 if slowly == 0 else slowly, **options)

    monkeypatch.setattr(replaying, "_SLOWLY", (0.0, 20.0, 100.0))
    monkeypatch.setattr(replaying.Answers, "__init__", noted)
    assert replay(path).same
    assert tried == [0.0, 20.0, 100.0][: len(tried)]


def test_a_tool_that_ran_in_the_sandbox_cannot_be_called_again(record: Record) -> None:
    pytest.importorskip("cloudpickle")

    @tool(runs="sandbox")
    def double(n: int) -> int:
        """Twice.

        Args:
            n: a number
        """
        return 2 * n

    result = replay(record(cells("1", "double(4)", double=double)))
    assert (result.cells, result.differences) == (1, [])
    assert "calls double, which ran in the sandbox" in result.blocked[0]


def test_variables_and_files_are_sent_again(record: Record) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        executor.send_variables({"rows": [(1, 2.5), {"a": b"x"}], "gone": 1})
        del executor.state["gone"]
        executor.files.write("sub/data.txt", "text")
        executor.run("rows, 'gone' in dir()")
        executor.run("open('/home/user/sub/data.txt').read()")
        executor.commands.run(
            "tr a-z A-Z < data.txt > upper.txt; echo $WHO >> upper.txt",
            cwd="/home/user/sub",
            env={"WHO": "me"},
        )
        executor.run("open('/home/user/sub/upper.txt').read()")

    result = replay(record(play, Policy(seed=1, files=True, programs=True)))
    assert (result.cells, result.same) == (3, True)


def test_snapshots_are_gone_back_to_and_forks_go_their_own_ways(record: Record) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        executor.run("x = 1")
        executor.snapshot("never used")
        kept = executor.snapshot("kept")
        executor.run("x = 2")
        executor.restore(kept)
        executor.run("x")
        first, second = executor.fork(2)
        with first, second:
            first.run("import random\nx += 10\nrandom.random()")
            second.run("import random\nx += 20\nrandom.random()")
            first.run("x")
        executor.restore(kept)
        executor.run("x")

    result = replay(record(play))
    assert (len(result.sessions), result.cells, result.same) == (3, 7, True)


def test_one_session_runs_with_what_it_was_forked_from(record: Record) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        executor.run("x = 5")
        with executor.fork() as other, executor.fork() as another:
            other.run("x")
            another.run("x + 1")

    path = record(play)
    forked = next(
        line
        for line in map(json.loads, path.read_text().splitlines())
        if line.get("parent") and line["event"] == "SessionOpened"
    )
    result = replay(path, forked["session"][:8])
    assert (len(result.sessions), result.cells, result.same) == (2, 2, True)


@pytest.mark.long
def test_a_cell_that_ended_by_a_limit_ends_by_it_again_at_whatever_moment(record: Record) -> None:
    loop = "n = 0\nwhile True:\n    n += 1\n    print(n)"
    result = replay(
        record(
            cells("x = 1", loop, "b = bytearray(3 << 30)", "x"),
            Policy(seed=1, limits=Limits(cell_seconds=1.5)),
        )
    )
    assert (result.cells, result.differences) == (4, [])


@pytest.mark.long
def test_an_interrupted_cell_is_interrupted_again(record: Record) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        over, begun = threading.Event(), threading.Event()

        def interrupt() -> None:
            assert begun.wait(60)
            begun.clear()
            executor.interrupt()

        def hang() -> None:
            begun.set()
            over.wait()

        executor.send_tools({"hang": hang, "begin": begun.set})
        for code in (
            "import time\nbegin()\nfor n in range(1000):\n    print(n)\n    time.sleep(0.1)",
            "hang()",
        ):
            interrupting = threading.Thread(target=interrupt)
            interrupting.start()
            executor.run(code)
            interrupting.join()
        over.set()
        time.sleep(0.1)  # the tool returns while there is a log to tell it to

    result = replay(record(play))
    assert (result.cells, result.differences) == (2, [])
    assert any("was interrupted then" in note for note in result.notes)


def test_where_validators_redact_calls_are_matched_without_what_was_redacted(
    record: Record,
) -> None:
    codes = ("print('ann@gmail.com')", "send('ann@gmail.com', 1), send('bob@gmail.com', 2)")
    path = record(cells(*codes, send=lambda to, n: n), validators=[PersonalData(action="redact")])
    assert "ann@gmail.com" not in "".join(
        line for line in path.read_text().splitlines() if '"CellSubmitted"' not in line
    )
    result = replay(path)
    assert (result.cells, result.differences) == (2, [])
    assert any("validators redacted" in note for note in result.notes)


# -- different


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"logs": "other\n"}, "logs"),
        ({"error": {"type": "ValueError", "message": "odd", "traceback": "", "line": 1}}, "error"),
        ({"fault": "timeout"}, "fault"),
        ({"is_final_answer": True}, "final answer"),
    ],
)
def test_every_part_of_an_outcome_is_compared(
    record: Record, fields: dict[str, Any], what: str
) -> None:
    path = record(cells("print('x')\n5"))
    changed(path, "CellFinished", lambda line: line["execution"].update(fields))
    assert whats(replay(path))[0] == (1, what)


def test_a_call_that_is_not_in_the_log_is_a_difference(record: Record) -> None:
    path = record(cells("ask(1)", ask=lambda n: n))
    rewrite(path, lambda line: None if line["event"] in ("ToolCalled", "ToolReturned") else line)
    (difference,) = replay(path).differences
    assert (difference.what, difference.now) == ("a tool call that is not in the log", "ask(1)")


def test_a_call_with_other_arguments_is_a_difference(record: Record) -> None:
    path = record(cells("ask(1, kind='x')", ask=lambda n, kind: n))
    changed(path, "ToolCalled", lambda line: line.update(args=[2]))
    (difference,) = replay(path).differences
    assert (difference.what, difference.logged, difference.now) == (
        "a tool call with other arguments",
        "ask(2, kind='x')",
        "ask(1, kind='x')",
    )


# -- not to be replayed


def test_a_broken_log_is_not_replayed_unless_forced(record: Record) -> None:
    path = record(cells("1", "2"))
    path.write_bytes(path.read_bytes().replace(b'"code":"2"', b'"code":"3"'))
    with pytest.raises(AuditError, match=r"the log is broken and is not replayed: .*line 5"):
        replay(path)
    result = replay(path, force=True)
    assert whats(result) == [(2, "value")]
    assert "the log is broken" in result.notes[0]


def test_a_session_that_began_before_the_log_is_not_replayed_unless_forced(path: Path) -> None:
    with LocalPythonExecutor(policy=SEEDED) as executor:
        executor.run("x = 1")
        with AuditLog(path) as log:
            executor.observe(log)
            executor.run("x")
    with pytest.raises(
        AuditError, match="had run 1 cells before the log began; choose another, or force"
    ):
        replay(path)
    assert whats(replay(path, force=True))[0] == (2, "error")


def test_an_object_of_the_program_that_was_sent_cannot_be_sent_again(record: Record) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        executor.send_variables({"odd": complex})
        executor.run("odd")

    result = replay(record(play))
    assert not result.same and "only a description" in result.blocked[0]


def test_directories_that_the_log_wants_mounted_are_not_mounted_unasked(
    record: Record, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    policy = Policy(seed=1, files=True, mounts=(Mount(str(tmp_path / "data"), "/data"),))
    path = record(cells("1"), policy)
    with pytest.raises(AuditError, match="directories of this machine mounted"):
        replay(path)
    assert replay(path, mounts=True).same


def test_what_a_log_says_was_installed_is_not_fetched(record: Record) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        executor.events.emit(PackagesInstalled, packages=("plain 1.0",), modules=("plain",))
        executor.run("1")

    path = record(play)
    with pytest.raises(
        AuditError,
        match=(
            r"had packages installed that are not in the log: plain 1\.0; choose another, or force"
        ),
    ):
        replay(path)
    assert replay(path, force=True).cells == 1


@pytest.mark.parametrize("policy", [{}, {"imports": 3}, {"imports": ["no_such_module_here"]}])
def test_a_policy_that_is_none_or_cannot_be_had_here_is_one_line(
    record: Record, policy: dict[str, Any]
) -> None:
    path = record(cells("1"))
    changed(
        path,
        "SessionOpened",
        lambda line: line.update(policy={**line["policy"], **policy} if policy else {}),
    )
    with pytest.raises(
        AuditError, match=r"session .* policy cannot be read|session .* cannot be replayed here"
    ):
        replay(path)


def test_a_cell_without_an_end_is_not_run_and_that_is_said(record: Record) -> None:
    path = record(cells("1", "2"))
    seen: list[str] = []
    rewrite(
        path,
        lambda line: (
            None if line["event"] == "CellFinished" and not (seen or seen.append("x")) else line
        ),
    )  # type: ignore[func-returns-value]
    result = replay(path)
    assert result.cells == 1
    assert any("cell 1" in note and "has no end" in note for note in result.notes)


def test_a_session_that_ran_inline_runs_in_a_jail_unless_the_process_may_be_used(
    path: Path,
) -> None:
    with (
        AuditLog(path) as log,
        LocalPythonExecutor(policy=SEEDED, isolation="inline", audit=log) as executor,
    ):
        executor.run("x = 6\nprint(x)\nx * 7")
    jailed = replay(path)
    assert jailed.same and any("runs in a jail now" in note for note in jailed.notes)
    inline = replay(path, inline=True)
    assert inline.same and not any("runs in a jail now" in note for note in inline.notes)


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("FileWritten", {"content": 10**15}),
        ("FileWritten", {"path": "../../etc/passwd"}),
        ("CommandStarted", {"cwd": "a\0b"}),
        ("CommandStarted", {"environment": {"=": "x"}}),
        ("VariablesSent", {"variables": {"__builtins__": 1}}),
        ("VariablesSent", {"variables": {"x": {"$wire": ["nonsense"]}}}),
        ("ToolsSent", {"names": ["not a name\x1b"]}),
        ("Forked", {"children": ["a"] * 5_000}),
        ("CellSubmitted", {"code": "\0"}),
        ("CellFinished", {"execution": 3}),
        ("SnapshotRestored", {"snapshot": 99}),
        ("SessionOpened", {"options": {"on_fault": 3, "isolation": "inline"}}),
    ],
)
def test_a_log_that_somebody_made_up_ends_in_words(
    record: Record, event: str, fields: dict[str, Any]
) -> None:
    def play(executor: LocalPythonExecutor) -> None:
        executor.send_tools({"ask": lambda: 1})
        executor.send_variables({"x": 1})
        executor.files.write("x.txt", "x")
        executor.commands.run("true")
        before = executor.snapshot()
        executor.run("x")
        executor.restore(before)
        executor.fork().close()

    path = record(play, replace(SEEDED, files=True, programs=True))
    changed(path, event, lambda line: line.update(fields))
    words = ""
    try:
        result = replay(path)
    except AuditError as error:
        words = str(error)
    assert "\n" not in words
    assert words or event == "SessionOpened" or not result.same
