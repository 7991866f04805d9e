"""`fumehood doctor` tells what isolates code here, and its attempts can fail: each gets through
where nothing stops it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from fumehood.cli import doctor, outside
from fumehood.cli.attempts import ATTEMPTS, Attempt, Outcome, judge, nothing, secret_is_out
from fumehood.cli.doctor import Findings
from fumehood.cli.outside import SECRET_VARIABLE, Outside
from fumehood.errors import SandboxFailed
from fumehood.jail.report import Mechanism
from fumehood.policy import Policy
from fumehood.results import ErrorInfo, Execution

HELD = Outcome("get out", True, "PermissionError: no")
NOT_HELD = Outcome("get out", False, "it got through")
IN_FORCE = Mechanism("seccomp", True, "an allow list", "sockets")
ABSENT = Mechanism(
    "mount namespace", False, "refused by this machine: Operation not permitted", "reading files"
)
NO_CGROUP = Mechanism("memory cgroup", False, "not ours to make", "many processes")


# -- on this machine


@pytest.mark.usefixtures("jail")
def test_every_attempt_is_held_on_this_machine(fumehood):
    done = fumehood("doctor", "--json", "--import", "numpy")
    found = json.loads(done.stdout)
    assert [attempt for attempt in found["attempts"] if not attempt["held"]] == []
    assert {attempt.name for attempt in ATTEMPTS} < {
        attempt["name"] for attempt in found["attempts"]
    }
    assert [(module["name"], module["held"]) for module in found["imports"]] == [
        ("import numpy", True)
    ]
    works = {each["name"]: each["held"] for each in found["capabilities"]}
    assert works.pop("memory limit of all processes together") is any(
        each["in_force"] for each in found["mechanisms"] if each["name"] == "memory cgroup"
    )
    assert works == {
        "files (--files)": True,
        "programs (--programs)": True,
        "rollback, snapshots, forks": True,
    }
    (programs,) = [each for each in found["capabilities"] if "programs" in each["name"]]
    assert "python3" in programs["stopped_by"] and "Landlock" in programs["stopped_by"]
    assert {"fumehood", "python", "kernel", "machine", "uid"} < set(found)
    assert found["unavailable"] is None
    assert done.returncode == (0 if found["complete"] else 1)
    assert done.stderr == ""


@pytest.mark.usefixtures("jail")
def test_into_a_pipe_the_tables_are_plain_text_and_the_last_line_says_it_all(fumehood_here):
    done = fumehood_here("doctor")
    assert "\x1b" not in done.stdout
    assert " seccomp " in done.stdout
    for attempt in ATTEMPTS:
        assert f" {attempt.name} " in done.stdout
    assert f"all {len(ATTEMPTS) + 1} attempts were held" in done.stdout
    assert SECRET_VARIABLE not in os.environ


@pytest.mark.usefixtures("jail")
def test_a_module_that_cannot_be_imported_in_the_jail_is_told(fumehood_here, monkeypatch):
    monkeypatch.setattr(doctor, "ATTEMPTS", ())
    monkeypatch.setattr(
        doctor,
        "try_import",
        lambda executor, name: Outcome(f"import {name}", False, "ImportError: no such library"),
    )
    done = fumehood_here("doctor", "--import", "numpy")
    assert done.returncode == 1
    assert "FAILS     import numpy  ImportError: no such library" in done.stdout


def test_without_a_jail_the_reason_and_what_to_do_are_told(fumehood_here, no_jail):
    done = fumehood_here("doctor")
    assert done.returncode == 1
    assert "there is no jail on this machine: this kernel is from another century" in done.stdout
    assert "advice: " in done.stdout
    found = json.loads(fumehood_here("doctor", "--json").stdout)
    assert (found["healthy"], found["complete"], found["mechanisms"]) == (False, False, [])
    assert found["unavailable"].startswith("this kernel")


# -- what is made of the findings


@pytest.mark.parametrize(
    ("findings", "healthy", "words"),
    [
        (
            Findings([IN_FORCE], [HELD]),
            True,
            "the hard boundary is complete; all 1 attempts were held",
        ),
        (Findings([IN_FORCE, NO_CGROUP], [HELD]), True, "the hard boundary is complete"),
        (
            Findings([IN_FORCE, ABSENT], [HELD]),
            False,
            "the hard boundary is NOT complete (absent: mount namespace)",
        ),
        (Findings([IN_FORCE], [HELD, NOT_HELD]), False, "1 of 2 attempts were NOT held"),
        (Findings([IN_FORCE], [HELD], [NOT_HELD]), False, "1 of 1 modules cannot be imported"),
        (
            Findings([IN_FORCE], [HELD], capabilities=[Outcome("programs", False, "one process")]),
            True,
            "not possible: programs",
        ),
        (Findings(unavailable="no kernel"), False, "there is no jail on this machine: no kernel"),
    ],
)
def test_only_a_whole_boundary_that_held_is_healthy(
    findings, healthy, words, monkeypatch, fumehood_here
):
    monkeypatch.setattr(doctor, "examine", lambda policy, outside: findings)
    done = fumehood_here("doctor")
    assert done.returncode == (0 if healthy else 1)
    assert words in done.stdout


def test_a_capability_is_shown_with_what_enforces_it_or_why_it_is_absent(monkeypatch):
    def refuse(name, policy, in_force):
        if "programs" in name:
            raise SandboxFailed("a sandbox is one process only")
        return True, "works"

    monkeypatch.setattr(doctor, "_use", refuse)
    shown = [*doctor.capabilities_of(Policy(), [IN_FORCE, ABSENT])]
    assert shown[1] == Outcome(
        "programs (--programs)",
        False,
        "a sandbox is one process only; absent: Landlock, mount namespace, user/pid/ipc namespaces",
    )
    text = doctor.as_text(Findings([IN_FORCE], [HELD], capabilities=shown))
    assert "  absent    programs (--programs)" in text and "  works     files (--files)" in text


def test_an_absent_mechanism_comes_with_advice():
    assert "Delegate=yes" in doctor.as_text(Findings([NO_CGROUP], [HELD]))
    assert "user.max_user_namespaces" in doctor.as_text(Findings([ABSENT], [HELD]))
    assert "advice" not in doctor.as_text(Findings([IN_FORCE], [HELD]))


def test_on_a_terminal_what_is_wrong_is_told_in_full(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    long = " ".join(f"word{number}" for number in range(40))
    doctor.show(
        Findings([IN_FORCE], [Outcome("first", True, long), Outcome("second", False, long)])
    )
    shown = capsys.readouterr().out
    assert shown.count("word39") == 1


# -- judging


def failure(kind, message=""):
    return Execution(error=ErrorInfo(kind, message, ""))


@pytest.fixture
def around():
    with Outside() as around:
        yield around


@pytest.mark.parametrize(
    ("execution", "held"),
    [
        (failure("PermissionError", "no"), True),
        (failure("NameError", "a mistake of ours"), False),
        (failure("WorkerProtocolError"), False),
        (Execution(), False),
        (Execution(value="anything"), False),
    ],
)
def test_only_what_the_jail_raises_counts_as_held(execution, held, around):
    assert judge(Attempt("try", "", ("PermissionError",), nothing), around, execution).held is held


@pytest.mark.parametrize("place", ["value", "logs", "error"])
def test_what_the_host_sees_counts_more_than_what_the_program_says(place, around):
    given = (
        {"error": ErrorInfo("PermissionError", around.secret, "")}
        if place == "error"
        else {place: f"-{around.secret}-"}
    )
    outcome = judge(
        Attempt("try", "", ("PermissionError",), secret_is_out), around, Execution(**given)
    )
    assert outcome == Outcome("try", False, "the secret came out")


# -- the attempts, where nothing stops them

PLAIN_PYTHON = """\
import ast, json, sys
code, variables = json.load(sys.stdin)
tree = ast.parse(code)
last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
try:
    exec(compile(tree, "<attempt>", "exec"), variables)
    value = eval(compile(ast.Expression(last.value), "<attempt>", "eval"), variables) if last else None
    told = [value if isinstance(value, str) else None, None, ""]
except BaseException as error:
    told = [None, type(error).__name__, str(error)]
print("\\n" + json.dumps(told), flush=True)
"""

# What an ordinary user, or a container, may not do either.
PRIVILEGED = {
    "trace another process",
    "become root",
    "make namespaces of its own",
    "mount a file system",
    "bypass the filter (io_uring)",
}


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)
def test_an_attempt_gets_through_where_nothing_stops_it(attempt, tmp_path, monkeypatch, around):
    monkeypatch.setattr(outside, "_PATIENCE_SECONDS", 0)
    done = subprocess.run(
        [sys.executable, "-c", PLAIN_PYTHON],
        input=json.dumps([attempt.code, around.variables()]),
        stdout=(told := tmp_path / "told").open(
            "w"
        ),  # not a pipe, which the survivor would hold open
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0
    value, kind, message = json.loads(told.read_text().splitlines()[-1])
    try:
        outcome = judge(
            attempt,
            around,
            Execution(value=value, error=ErrorInfo(kind, message, "") if kind else None),
        )
    finally:
        for pid in around.survivors():
            os.kill(pid, signal.SIGKILL)
    if attempt.name in PRIVILEGED and kind in ("PermissionError", "OSError"):
        pytest.skip(f"this machine refuses it to everybody: {message}")
    assert not outcome.held, outcome
    assert "another reason" not in outcome.stopped_by, outcome


def test_what_was_put_up_is_gone_afterwards():
    with Outside() as around:
        directory, victim = around.directory, around.victim
        assert around.canary.read_text() == around.secret
        assert around.secret not in repr(around.variables())
    assert not directory.exists()
    assert SECRET_VARIABLE not in os.environ
    with pytest.raises(ProcessLookupError):
        os.kill(victim, 0)
