"""Code in other languages than Python, run by programs of the sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.errors import PolicyError
from fumehood.executors.languages import LANGUAGES
from fumehood.validation import Pattern

POLICY = Policy(files=True, programs=True, limits=Limits(cell_seconds=20))
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(policy=POLICY) as executor:
        yield executor


def test_bash_keeps_its_state_and_shares_files(executor: LocalPythonExecutor) -> None:
    assert executor.run("x=4; mkdir -p d; cd d; echo $x > f", language="bash").ok
    done = executor.run("basename $PWD; cat f; echo no >&2; (exit $x)", language="bash")
    assert done.logs == "d\n4\nno\n"
    assert done.error is not None and "bash ended with exit code 4" in str(done.error)
    assert executor.run("open('d/f').read()").output == "4\n"


@needs_node
def test_node_keeps_its_state_and_prints_values(executor: LocalPythonExecutor) -> None:
    code = "const a = [1, 2]; let b = 'x'; function f(n) { return n * 2 }"
    assert executor.run(code, language="javascript").logs == ""
    assert executor.run("console.log(b); f(a[1])", language="javascript").logs == "x\n4\n"
    waits = "const r = await Promise.resolve(5); console.log(r)"
    assert executor.run(waits, language="javascript").logs == "5\n"
    broken = executor.run("throw new Error('broken')", language="javascript")
    assert not broken.ok and "broken" in broken.logs
    assert not executor.run("(", language="javascript").ok
    assert executor.run("f(21)", language="javascript").logs == "42\n"


@pytest.mark.parametrize("name", ["bash", pytest.param("javascript", marks=needs_node)])
def test_a_session_that_takes_too_long_ends_and_another_begins(name: str) -> None:
    endless = {"bash": "x=1; while :; do :; done", "javascript": "var x = 1; for (;;) {}"}[name]
    policy = Policy(files=True, programs=True, limits=Limits(cell_seconds=3))
    with LocalPythonExecutor(policy=policy) as executor:
        done = executor.run(endless, language=name)
        assert done.fault == "timeout" and done.error is not None
        shown = {"bash": "echo ${x-gone}", "javascript": "typeof x"}[name]
        assert executor.run(shown, language=name).logs in ("gone\n", "'undefined'\n")


@pytest.mark.parametrize("ends", ["exit 3", "process.exit(3)"])
def test_code_may_end_its_session(ends: str, executor: LocalPythonExecutor) -> None:
    name = "javascript" if "(" in ends else "bash"
    if shutil.which(LANGUAGES[name].program) is None:
        pytest.skip(f"{name} is not installed")
    assert not executor.run(ends, language=name).ok
    assert executor.run("1" if name == "javascript" else "echo 1", language=name).logs == "1\n"


_PRINTS = {
    "lua": "print(6*7)",
    "perl": 'print 6*7, "\\n"',
    "php": 'echo 6*7, "\\n";',
    "r": 'cat(6*7, "\\n", sep="")',
    "ruby": "puts 6*7",
    "typescript": "console.log(6*7 as number)",
}


@pytest.mark.parametrize("name", _PRINTS)
def test_a_language_runs_where_it_is_installed(name: str, executor: LocalPythonExecutor) -> None:
    program = LANGUAGES[name].program
    if executor.commands.run(["which", program]).exit_code:
        with pytest.raises(PolicyError, match=f"needs the program {program}"):
            executor.run(_PRINTS[name], language=name)
    else:
        assert executor.run(_PRINTS[name], language=name).logs == "42\n"


def test_what_cannot_run_is_an_error_at_once(executor: LocalPythonExecutor) -> None:
    with pytest.raises(PolicyError, match="one of bash, javascript"):
        executor.run("1", language="cobol")
    with pytest.raises(PolicyError, match="stdin"):
        executor.run("cat", language="bash", stdin="x")
    with LocalPythonExecutor() as plain, pytest.raises(PolicyError, match="programs=True"):
        plain.run("echo", language="bash")


def test_validators_check_what_each_call_prints() -> None:
    validators = [Pattern("code word", "xyzzy", action="redact")]
    with LocalPythonExecutor(policy=POLICY, validators=validators) as executor:
        logs = executor.run("x=1; echo say xyzzy", language="bash").logs
        assert logs.startswith("say ") and "xyzzy" not in logs
        assert executor.run("echo $x", language="bash").logs == "1\n"
