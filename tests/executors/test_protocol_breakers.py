"""Code that has the worker in its hands and speaks for it: whatever it writes on the wire, the host
reports it, ends it and goes on.

The language layer is off: in here code does what it likes with descriptor 3.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy, SandboxFailed
from fumehood.results import Execution

from .conftest import MakeExecutor, outcome_of

# Gives code its own way to write frames, past everything of ours.
FORGER = """
import json, os, struct
def frame(body, buffers=()):
    head = body if isinstance(body, bytes) else json.dumps(body).encode()
    lengths = b''.join(struct.pack('>Q', len(b)) for b in buffers)
    return struct.pack('>II', len(head), len(buffers)) + lengths + head + b''.join(buffers)
def raw(data):
    while data: data = data[os.write(3, data):]
def say(body, buffers=()):
    raw(frame(body, buffers))
"""


@pytest.fixture
def forger(make_jailed: MakeExecutor) -> LocalPythonExecutor:
    executor = make_jailed(
        policy=Policy(
            files=True,
            language="off",
            limits=Limits(cell_seconds=3, grace_seconds=0.2, frame_bytes=1 << 20),
        )
    )
    executor.send_tools({"tool": lambda x: x + 1, "slow": lambda: threading.Event().wait(1)})
    executor(FORGER)
    return executor


def run(executor: LocalPythonExecutor, code: str) -> Execution:
    execution: Execution = outcome_of(lambda: executor.run(code))
    return execution


def goes_on(executor: LocalPythonExecutor) -> None:
    """At the latest in the second cell after it, and tools work again."""
    run(executor, "1")
    assert run(executor, "tool(41)").value == 42


VIOLATIONS = {
    "garbage": "raw(b'garbage!' * 100)",
    "a giant header": "raw(struct.pack('>II', 2**32 - 1, 0))",
    "a giant number of buffers": "raw(struct.pack('>II', 10, 2**32 - 1))",
    "a giant buffer": "raw(struct.pack('>IIQ', 10, 1, 2**63) + b'x' * 10)",
    "buffers too large together": "raw(struct.pack('>IIQQ', 10, 2, 2**19, 2**19 + 1) + b'x' * 10)",
    "no JSON": "say(b'{')",
    "an empty header": "say(b'')",
    "not UTF-8": "say(b'\\xff\\xfe{}')",
    "another JSON": "say([1])",
    "no type": "say({'id': 1})",
    "an unknown type": "say({'type': 'surprise'})",
    "a message of the host": "say({'type': 'run', 'id': 1, 'code': '1'})",
    "a field too many": "say({'type': 'display', 'bundle': None, 'more': 1})",
    "a field too few": "say({'type': 'call_tool', 'call': 1})",
    "a wrong type": "say({'type': 'call_tool', 'call': 'one', 'name': 'tool', 'arguments': None})",
    "a truth for a number": (
        "say({'type': 'call_tool', 'call': True, 'name': 'tool', 'arguments': None})"
    ),
    "deep JSON": (
        "say(b'{\"type\":\"display\",\"bundle\":' + b'[' * 100_000 + b']' * 100_000 + b'}')"
    ),
    "open brackets": "say(b'[' * 500_000)",
    "ready once more": "say({'type': 'ready', 'protocol': 1})",
    "broken in the middle": "say({'type': 'broken', 'message': 'no'})",
    "an answer to nothing": "say({'type': 'done', 'id': 999})",
    "an answer to what was answered": "say({'type': 'done', 'id': 1})",
    "a failure of nothing": (
        "say({'type': 'failed', 'id': 999, 'error': 'KeyError', 'message': ''})"
    ),
    "the code's end twice": "[say({'type': 'code_ended'}) for _ in range(2)]",
    "another cell's end": "say({'type': 'finished', 'id': 999})",
    "an end that was answered": "say({'type': 'finished', 'id': 2})",
    "two calls of one number": (
        "[say({'type': 'call_tool', 'call': 7, 'name': 'slow', 'arguments': ['tuple', ['tuple'],"
        " ['dict']], 'parallel': True}) for _ in range(2)]"
    ),
    "a pickle": "say({'type': 'display', 'bundle': ['pickle', 'gASVAA==']})",
    "a display that is none": "say({'type': 'display', 'bundle': 5})",
    "a display of numbers": "say({'type': 'display', 'bundle': ['dict', 1, 2]})",
    "a value with a buffer that is not there": "say({'type': 'display', 'bundle': ['bytes', 3]})",
    "arguments that are none": (
        "say({'type': 'call_tool', 'call': 7, 'name': 'tool', 'arguments': ['nonsense']})"
    ),
    "too many displays": (
        "[say({'type': 'display', 'bundle': ['dict', 'text/plain', 'x']}) for _ in range(300)]"
    ),
}


@pytest.mark.parametrize("code", VIOLATIONS.values(), ids=VIOLATIONS.keys())
def test_a_message_that_breaks_the_protocol_ends_the_sandbox_and_is_told(
    forger: LocalPythonExecutor, code: str
) -> None:
    execution = run(forger, f"print('before', flush=True)\n{code}\nimport time\ntime.sleep(1)")
    assert execution.error is not None and execution.error.type == "WorkerProtocolError", execution
    assert execution.fault == "crash"
    assert execution.logs == "before\n"
    goes_on(forger)
    assert run(forger, "frame").error.type == "NameError"  # a fresh sandbox


def test_code_that_says_it_has_ended_gains_the_time_of_displays_and_no_more(
    make_jailed: MakeExecutor,
) -> None:
    limits = Limits(cell_seconds=1.5, display_seconds=0.5, grace_seconds=0.2)
    executor = make_jailed(policy=Policy(language="off", limits=limits))
    executor(FORGER)
    execution = run(executor, "say({'type': 'code_ended'})\nwhile True: pass")
    assert execution.fault == "timeout"
    assert execution.usage.wall_seconds >= 1.9


WRONG_ENDS: dict[str, dict[str, Any]] = {
    "a fault there is not": {"fault": "bogus"},
    "a time before the beginning": {"wall": -1},
    "a time that no number holds": {"cpu": 10**400},
    "an error of numbers": {"error": [1, 2, 3, 4]},
    "an error too short": {"error": ["E", "m"]},
    "a violation of nothing": {"violations": [[]]},
    "a line that is text": {"error": ["E", "m", "t", "line"]},
    "a value that is none": {"value": ["nonsense"]},
    "a value with a missing buffer": {"value": ["bytes", 0]},
    "a reference into nothing": {"value": ["ref", 5]},
    "an array of too few bytes": {"value": ["array", "<f8", [1000], "C", True, "AAAA"]},
    "imports that are numbers": {"imports": [1]},
}


@pytest.mark.parametrize("fields", WRONG_ENDS.values(), ids=WRONG_ENDS.keys())
def test_a_forged_end_with_wrong_parts_is_a_broken_protocol(
    forger: LocalPythonExecutor, fields: dict[str, Any]
) -> None:
    # Which number this cell has is known only to the worker: all that it may be are tried, from the
    # one on that cannot be answered yet.
    execution = run(
        forger,
        f"for n in range(3, 9): say({{'type': 'finished', 'id': n, **{fields!r}}})\nimport"
        " time\ntime.sleep(1)",
    )
    assert execution.error is not None and execution.error.type == "WorkerProtocolError", execution
    goes_on(forger)


def test_a_forged_end_is_only_what_code_says_of_itself(forger: LocalPythonExecutor) -> None:
    """Code may lie about its own cell; what follows does not mistake the real end for its own."""
    run(forger, "for n in range(1, 9): say({'type': 'finished', 'id': n, 'value': 'forged'})")
    for _ in range(8):
        run(forger, "1")
    goes_on(forger)


@pytest.mark.parametrize(
    "code",
    [
        "raw(struct.pack('>II', 100, 0) + b'{')",
        "raw(struct.pack('>II', 100, 0)[:5])",
        "raw(struct.pack('>IIQ', 2, 1, 1000) + b'{}' + b'x' * 10)",
    ],
    ids=["half a header", "half a prefix", "half a buffer"],
)
def test_half_a_frame_holds_the_host_up_no_longer_than_the_cell_may_take(
    forger: LocalPythonExecutor, code: str
) -> None:
    execution = run(forger, f"{code}\n5")
    assert execution.fault in ("timeout", "crash")
    goes_on(forger)


@pytest.mark.parametrize(
    "code",
    [
        "os.close(3)",
        "os.dup2(os.open('/dev/null', os.O_RDWR), 3)",
        "os.closerange(0, 256)",
        "import socket; socket.socket(fileno=3).shutdown(2)",
    ],
)
def test_code_that_closes_the_wire_loses_its_sandbox_and_nothing_else(
    forger: LocalPythonExecutor, code: str
) -> None:
    execution = run(forger, f"{code}\n5")
    assert execution.fault in ("crash", "killed", "timeout")
    goes_on(forger)


@pytest.mark.parametrize("count", [3000])
@pytest.mark.extended
def test_a_sandbox_that_asks_and_never_reads_does_not_hold_the_host_up(
    forger: LocalPythonExecutor, count: int
) -> None:
    call = (
        "{'type': 'call_tool', 'call': n + 500, 'name': 'nope', 'arguments': ['tuple', ['tuple'],"
        " ['dict']], 'parallel': True}"
    )
    execution = run(forger, f"for n in range({count}): say({call})\nwhile True: pass")
    assert execution.fault in ("timeout", "crash")
    goes_on(forger)


def test_a_sandbox_that_asks_for_much_and_never_reads_does_not_hold_the_host_up(
    forger: LocalPythonExecutor,
) -> None:
    forger.send_tools({"much": lambda: b"x" * (8 << 20)})
    call = (
        "{'type': 'call_tool', 'call': n + 500, 'name': 'much', 'arguments': ['tuple', ['tuple'],"
        " ['dict']], 'parallel': n % 2 == 0}"
    )
    execution = run(forger, f"for n in range(4): say({call})\nwhile True: pass")
    assert execution.fault in ("timeout", "crash")
    goes_on(forger)


@pytest.mark.long
@pytest.mark.extended
def test_a_stopped_process_does_not_hold_the_host_up_between_cells(
    forger: LocalPythonExecutor,
) -> None:
    stop = "    time.sleep(0.1)\n    os.kill(me, signal.SIGSTOP)\n    os._exit(0)"
    run(forger, f"import time, signal\nme = os.getpid()\nif os.fork() == 0:\n{stop}\n1")
    time.sleep(0.4)

    def send() -> str:
        try:
            forger.send_variables({"x": b"x" * (8 << 20)})
        except SandboxFailed:
            return "failed"
        return "sent"

    assert run(forger, "1").fault in ("timeout", None)
    assert outcome_of(send) in ("failed", "sent")
    goes_on(forger)


def test_processes_left_behind_that_hold_the_wire_do_not_keep_the_dead_alive(
    forger: LocalPythonExecutor,
) -> None:
    execution = run(
        forger, "import time\nif os.fork() == 0:\n    time.sleep(30)\n    os._exit(0)\nos._exit(4)"
    )
    assert execution.fault == "crash"
    assert "exit code 4" in execution.error.message
    goes_on(forger)


def test_processes_left_behind_that_speak_for_the_worker_are_found_out(
    forger: LocalPythonExecutor,
) -> None:
    run(
        forger,
        "import time\nif os.fork() == 0:\n    time.sleep(0.05)\n    say({'type': 'done', 'id':"
        " 1})\n    os._exit(0)\n1",
    )
    time.sleep(0.2)
    goes_on(forger)


def test_two_processes_that_both_end_the_cell_are_found_out(forger: LocalPythonExecutor) -> None:
    run(forger, "os.fork()\n5")
    time.sleep(0.1)
    goes_on(forger)


def test_an_answer_that_comes_before_the_question_confuses_nothing_that_follows(
    forger: LocalPythonExecutor,
) -> None:
    """Code may lie about its own variables whenever it likes; the real answer must not be taken for
    that to a later question."""
    run(
        forger,
        "import threading\nthreading.Timer(0.05, lambda: say({'type': 'done', 'id': 5, 'value':"
        " 'forged'})).start()\nx = 'real'",
    )
    time.sleep(0.2)
    for _ in range(3):
        with contextlib.suppress(
            SandboxFailed, KeyError
        ):  # ended and told, and after that a fresh sandbox, which has no x
            assert forger.state["x"] in ("forged", "real")
    goes_on(forger)


def test_a_name_of_a_variable_is_only_text(forger: LocalPythonExecutor) -> None:
    run(
        forger,
        "globals()['not a name'] = 1\nglobals()[5] = 2\nclass S(str): pass\nglobals()[S('sub')] ="
        " 3\nNone",
    )
    names = [*forger.state]
    assert "not a name" in names and 5 not in names
    assert all(type(name) is str for name in names)


# The worker's own answer to the question for names, replaced from below: what it would have left
# out is said.
LIAR = """
import sys
frame = sys._getframe()
while type(frame.f_locals.get('self')).__name__ != 'Runner': frame = frame.f_back
runner = frame.f_locals['self']
runner._questions['list_variables'] = lambda message, buffers: ANSWER
del frame, runner
"""


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("['x', 5, None, b'y', ['z']]", ["x"]),
        ("'text'", []),
        ("None", []),
        ("{'x': 1}", []),
        ("7", []),
    ],
)
def test_names_that_a_worker_makes_up_are_text_or_are_left_out(
    forger: LocalPythonExecutor, answer: str, names: list[str]
) -> None:
    assert run(forger, LIAR.replace("ANSWER", answer)).ok
    assert [name for name in forger.state if name != "_print_outputs"] == names
    goes_on(forger)


def test_control_characters_and_terminals_in_errors_are_text(forger: LocalPythonExecutor) -> None:
    execution = run(
        forger,
        "class E(Exception): pass\nE.__name__ = E.__qualname__ = 'a\\x1b[31m'\nraise"
        " E('\\ud800\\x1b]0;t\\x07')",
    )
    assert type(execution.error.message) is str
    assert type(execution.error.type) is str
    goes_on(forger)
