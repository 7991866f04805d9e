"""Every program of the corpus, three times: plain Python gives up something forbidden, fumehood does not, inline or in the jail."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor
from fumehood.wire.values import RemoteObject

from ..executors.conftest import skip_where_there_is_no_jail
from .attempt import Outcome, host_tools
from .attempt_server import SECRET_VARIABLE, AttemptServer
from .corpus import LAYERS, Program, names, read
from .loot import CANARY_TEXT, SECRET_TEXT, is_dangerous

EVERY_PROGRAM = names()

# A view shows its name and nothing else; a real module tells where it comes from as well.
_VIEW = re.compile(r"<module '[\w.]+'>")

# Programs that wait on purpose wait for all of it.
JAILED_SECONDS = 2


@pytest.fixture(scope="module")
def server() -> Iterator[AttemptServer]:
    server = AttemptServer()
    yield server
    server.close()


def _readable_here(name: str) -> Program:
    program = read(name)
    if not program.runs_on(sys.version_info[:2]):
        pytest.skip(f"is about Python {program.fields['python']}")
    for module in program.imports:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    return program


@pytest.mark.parametrize("name", [name for name in EVERY_PROGRAM if read(name).has_control])
def test_plain_python_lets_the_program_have_its_loot(name: str, server: AttemptServer) -> None:
    """Without this a program with a typing error would pass for an escape that was stopped."""
    _readable_here(name)
    outcome = server.attempt(name, "plain")
    assert outcome.loot, f"{name} obtained nothing even in plain Python ({outcome.error or 'no error'})"


@pytest.mark.parametrize("name", [name for name in EVERY_PROGRAM if "limit" in read(name).fields])
def test_what_inline_isolation_does_not_stop_is_in_its_report(name: str, server: AttemptServer) -> None:
    """If this fails because the program got nothing: fumehood stops it now, so take `limit` out of its header."""
    program = _readable_here(name)
    outcome = server.attempt(name, "guarded")
    assert outcome.loot or outcome.host_changes
    with LocalPythonExecutor(isolation="inline") as executor:
        assert program.fields["limit"] in " ".join(executor.report().split())


@pytest.mark.parametrize("name", [name for name in EVERY_PROGRAM if "limit" not in read(name).fields])
def test_fumehood_keeps_the_loot_from_the_program(name: str, server: AttemptServer) -> None:
    program = _readable_here(name)
    outcome = server.attempt(name, "guarded")
    assert not outcome.loot, f"{name} escaped with {outcome.loot}"
    assert not outcome.host_changes, f"{name} changed the host: {outcome.host_changes}"
    if program.layer == "check":
        assert "refused" in outcome.faults, f"{name} was not refused before it ran: {outcome}"
        assert outcome.violations, f"{name} was refused without saying where"
    if "refuses" in program.fields:
        assert program.fields["refuses"] in {violation["name"] for violation in outcome.violations}
    for violation in outcome.violations:
        assert violation["line"] >= 1
        assert violation["reason"], violation["text"]


@pytest.fixture(scope="module")
def hideout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A place of the host that everybody may read and write, with a secret in it; another is in the environment."""
    place = tmp_path_factory.mktemp("hideout")
    (place / "secret.txt").write_text(f"{SECRET_TEXT}\n", encoding="utf-8")
    (place / "writable").mkdir()
    for path in (place, place / "secret.txt", place / "writable"):
        path.chmod(0o777)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SECRET_VARIABLE, SECRET_TEXT)
        yield place


@pytest.mark.parametrize("name", EVERY_PROGRAM)
def test_the_jail_keeps_the_loot_from_the_program_too(name: str, hideout: Path) -> None:
    program = _readable_here(name)
    try:
        outcome, texts = _in_the_jail(program, hideout)
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    for secret in (SECRET_TEXT, CANARY_TEXT):
        assert not any(secret in text for text in texts), f"{name} learned a secret"
    assert not any((hideout / "writable").iterdir()), f"{name} wrote a file of the host"
    if "limit" in program.fields:
        return  # the language does not hold it; what it got hold of is inside the jail, with it
    assert not outcome.loot, f"{name} escaped with {outcome.loot}"
    if program.layer == "check":
        assert "refused" in outcome.faults, f"{name} was not refused before it ran: {outcome}"


def _in_the_jail(program: Program, hideout: Path) -> tuple[Outcome, list[str]]:
    """What a program handed over, judged by what the host can see of it, and every text that came out."""
    outcome = Outcome()
    texts: list[str] = []

    def loot(thing: Any) -> None:
        """Hand over what was obtained."""
        texts.append(_text_of(thing))
        reason = _danger_of(thing)
        if reason:
            outcome.loot.append(reason)

    given = {"secret_path": str(hideout / "secret.txt"), "scratch_path": str(hideout / "writable" / "made")}
    for session in program.sessions:
        with LocalPythonExecutor(program.imports, timeout_seconds=JAILED_SECONDS) as executor:
            executor.send_tools({**host_tools(outcome), "loot": loot})
            executor.send_variables(given)
            for cell in session:
                execution = executor.run(cell)
                outcome.faults += [execution.fault] if execution.fault else []
                texts += [
                    execution.logs,
                    _text_of(execution.value),
                    str(execution.error),
                    execution.error.traceback if execution.error else "",
                ]
                reason = _danger_of(execution.value)
                if reason:
                    outcome.loot.append(f"the value of a cell: {reason}")
    return outcome, texts


def _text_of(thing: Any) -> str:
    try:
        return repr(thing)
    except ValueError:
        return ""  # a number with more digits than Python likes to write


def _danger_of(thing: Any) -> str | None:
    """An object that stayed inside is known by its type and its repr, whatever it is part of."""
    if type(thing) is RemoteObject and _VIEW.fullmatch(thing.text):
        return None
    if type(thing) is RemoteObject:
        return f"a {thing.type_name}" if thing.type_name in ("code", "frame") else is_dangerous(thing.text)
    if type(thing) in (list, tuple, set, frozenset):
        return next(filter(None, map(_danger_of, thing)), None)
    if type(thing) is dict:
        return next(filter(None, map(_danger_of, [*thing, *thing.values()])), None)
    return is_dangerous(thing)


def test_the_corpus_is_large_and_every_layer_has_programs() -> None:
    layers = Counter(read(name).layer for name in EVERY_PROGRAM)
    assert len(EVERY_PROGRAM) >= 130
    assert layers.keys() == LAYERS.keys()


def test_no_two_programs_are_the_same() -> None:
    sources = Counter(read(name).sessions for name in EVERY_PROGRAM)
    aims = Counter(read(name).aim for name in EVERY_PROGRAM)
    assert [source for source, times in sources.items() if times > 1] == []
    assert [aim for aim, times in aims.items() if times > 1] == []


def test_a_program_without_control_says_why() -> None:
    for name in EVERY_PROGRAM:
        control = read(name).fields.get("control")
        assert control is None or control.startswith("none (") and control.endswith(")"), f"{name}: {control}"
