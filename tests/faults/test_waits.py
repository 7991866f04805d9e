"""Nothing waits for ever for what a sandbox, the kernel, an engine or a service may not give; and
nothing waits by the wall clock."""

from __future__ import annotations

import ast

from . import waits


def test_every_wait_without_a_bound_has_a_row_that_says_why_it_ends() -> None:
    found = {*waits.unbounded()}
    assert found - {*waits.ALLOWED} == set(), (
        "bound it, or say in tests/faults/waits.py why it ends"
    )
    assert {*waits.ALLOWED} - found == set(), "rows of waits that are not there any more"


def test_no_wait_without_a_bound_is_overlooked() -> None:
    """The calls that the search is for, and their bounded sisters."""
    for text, is_found in (
        ("event.wait()", True),
        ("event.wait(5)", False),
        ("event.wait(None)", True),
        ("thread.join()", True),
        ("thread.join(timeout=3)", False),
        ("line.recv(10)", True),
        ("line.recv(10, socket.MSG_DONTWAIT)", False),
        ("line.recv(_AT_ONCE)", False),
        ("line.recv(_MOST_AT_ONCE)", True),
        ("line.sendall(data)", True),
        ("loop.sock_accept(line)", True),
        ("fcntl.flock(file, fcntl.LOCK_EX)", True),
        ("fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)", False),
        ("fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))", True),
        ("select.select([line], [], [])", True),
        ("select.select([line], [], [], 1)", False),
        ("selector.select()", True),
        ("changed.wait_for(is_over)", True),
        ("changed.wait_for(is_over, 5)", False),
        ("asyncio.wait_for(answer, None)", True),
        ("asyncio.wait(tasks)", True),
        ("asyncio.wait(tasks, timeout=5)", False),
        ("asyncio.gather(one, two)", True),
        ("subprocess.run(command)", True),
        ("subprocess.run(command, timeout=60)", False),
        ("socket.create_connection(address)", True),
        ("socket.create_connection(address, 5)", False),
        ("poll.poll()", True),
        ("poll.poll(10)", False),
        ("os.waitpid(pid, 0)", True),
        ("os.waitpid(pid, os.WNOHANG)", False),
        ("jobs.get()", True),
        ("', '.join(words)", False),
        ("CURRENT.get()", False),
    ):
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        assert waits._is_unbounded(call) is is_found, text


def test_no_wait_goes_by_the_wall_clock() -> None:
    """Whoever computes when to stop waiting from `time.time()` waits for days when somebody sets
    the clock."""
    found = []
    for path in sorted(waits.SOURCE.rglob("*.py")):
        name = path.relative_to(waits.SOURCE).as_posix()
        if name.startswith("attack/programs/"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Compare)
                and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
                and _is_wall_clock(node)
            ):
                found.append((name, ast.unparse(node)))
    assert [row for row in found if row not in waits.COMPARED] == []
    assert [row for row in waits.COMPARED if row not in found] == []


def _is_wall_clock(node: ast.AST) -> bool:
    return any(ast.unparse(part) in ("time.time()", "time.time_ns()") for part in ast.walk(node))
