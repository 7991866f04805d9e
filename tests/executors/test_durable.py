"""`save` and `load` over a real sandbox: a day's work goes on tomorrow, and a file that is not what
it should be does no harm."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fumehood import (
    Limits,
    LocalPythonExecutor,
    Policy,
    PolicyError,
    SavedState,
    StateFileError,
    WorkerProtocolError,
)
from fumehood.executors import durable

from .conftest import MakeExecutor

NUMPY = Policy(imports=("numpy",))


@pytest.fixture
def load() -> Iterator[Any]:
    """Loads executors, and closes them."""
    made: list[LocalPythonExecutor] = []

    def load(*args: Any, **options: Any) -> LocalPythonExecutor:
        executor = LocalPythonExecutor.load(*args, **options)
        made.append(executor)
        return executor

    yield load
    for executor in made:
        executor.close()


def _parts(path: Path) -> tuple[dict[str, Any], bytes]:
    _first, header, payload = path.read_bytes().split(b"\n", 2)
    return json.loads(header), payload


def _forge(path: Path, header: dict[str, Any], payload: bytes) -> Path:
    """A file with a checksum that is right, whatever is in it."""
    rest = json.dumps(header).encode() + b"\n" + payload
    path.write_bytes(b"fumehood state 3 %s\n" % hashlib.sha256(rest).hexdigest().encode() + rest)
    return path


def _hostile(stream: bytes, names: tuple[str, ...] = ()) -> bytes:
    text = json.dumps({"names": names, "sources": {}}).encode()
    return stream + text + struct.pack(">Q", len(text))


@pytest.fixture
def saved(jailed: LocalPythonExecutor, tmp_path: Path) -> Path:
    jailed("x = [1, 2]\ndef f(n): return n + len(x)\ng = (i for i in ())")
    path = tmp_path / "state"
    jailed.save(path)
    return path


# -- a day's work

MORNING = """
import json, math
from dataclasses import dataclass, field
from enum import Enum
# next
class Kind(Enum):
    RENT = 'rent'
    FOOD = 'food'

@dataclass
class Entry:
    kind: Kind
    amount: float
    tags: set = field(default_factory=set)
# next
class Book:
    def __init__(self):
        self.entries = []
        self.total = 0.0
    def add(self, entry):
        self.entries.append(entry)
        self.total += entry.amount
        return self
    def __iter__(self):
        yield from self.entries
# next
book = Book()
book.add(Entry(Kind.RENT, 900.0)).add(Entry(Kind.FOOD, 55.5, {'market'}))
last = book.entries[-1]
# next
def report(book, fmt=lambda e: f'{e.kind.value}={e.amount:.1f}'):
    return ', '.join(map(fmt, book))
# next
def audit():
    seen = []
    def check(entry):
        seen.append(entry.amount)
        return sum(seen)
    return check
check = audit(); check(last)
""".split("# next\n")
AFTERNOON = """
report(book)
# next
last.amount = 60.0
[e.amount for e in book]
# next
book.add(Entry(Kind.FOOD, 4.5)).total
# next
check(book.entries[0]), check(last)
# next
{e.kind for e in book} == {Kind.RENT, Kind.FOOD}, Kind('rent') is book.entries[0].kind
# next
json.dumps({e.kind.value: math.floor(e.amount) for e in book})
# next
1 / (book.total - book.total)
""".split("# next\n")


def test_work_goes_on_as_if_it_had_never_been_saved(
    make_jailed: MakeExecutor, load: Any, tmp_path: Path
) -> None:
    one, other = make_jailed(), make_jailed()
    for cell in MORNING:
        one(cell), other(cell)
    outcome = one.save(tmp_path / "book")
    assert outcome.not_saved == {}
    loaded = load(tmp_path / "book")
    for cell in AFTERNOON:
        expected, found = other.run(cell), loaded.run(cell)
        assert (found.value, found.logs, str(found.error)) == (
            expected.value,
            expected.logs,
            str(expected.error),
        )


def test_what_was_saved_and_what_was_not_is_told_and_can_be_read_again(
    saved: Path, jailed: LocalPythonExecutor
) -> None:
    outcome = jailed.save(saved)
    assert outcome.saved == ("x", "f")
    assert list(outcome.not_saved) == ["g"] and "generator" in outcome.not_saved["g"]
    assert outcome.bytes == saved.stat().st_size
    assert SavedState.read(saved) == outcome
    assert outcome.kinds == {"x": "list", "f": "function"}
    assert outcome.policy["imports"] == []
    assert dataclasses.is_dataclass(outcome)
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.path = "other"  # type: ignore[misc]


# -- whose policy


def test_a_file_widens_no_policy_and_the_refusal_says_what_to_pass(
    make_jailed: MakeExecutor, load: Any, tmp_path: Path
) -> None:
    pytest.importorskip("numpy")
    make_jailed(policy=NUMPY)
    executor = make_jailed(policy=NUMPY)
    executor("import numpy as np\na = np.zeros(3)")
    executor.save(tmp_path / "state")
    with pytest.raises(PolicyError) as refusal:
        load(tmp_path / "state")
    assert "does not authorize: numpy; pass policy=Policy(imports=['numpy'])" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_header_that_hides_what_is_needed_authorizes_nothing(
    make_jailed: MakeExecutor, load: Any, tmp_path: Path
) -> None:
    pytest.importorskip("numpy")
    executor = make_jailed(policy=NUMPY)
    executor("import numpy as np\na = np.zeros(3)")
    executor.save(tmp_path / "state")
    header, payload = _parts(tmp_path / "state")
    loaded = load(_forge(tmp_path / "forged", {**header, "modules": []}, payload))
    assert loaded.policy == Policy()
    assert loaded.run("import numpy").fault == "refused"


def test_inline_neither_saves_nor_loads(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="needs the jail"):
        LocalPythonExecutor(isolation="inline").save(tmp_path / "state")
    with pytest.raises(PolicyError, match="needs the jail"):
        LocalPythonExecutor.load(saved, isolation="inline")
    assert not (tmp_path / "state.tmp").exists()


# -- files that are not what they should be


@pytest.fixture
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError("an executor was made")

    monkeypatch.setattr(LocalPythonExecutor, "__init__", refuse)


def _refused(path: Path, **options: Any) -> str:
    with pytest.raises(StateFileError) as refusal:
        LocalPythonExecutor.load(path, **options)
    text = str(refusal.value)
    assert "\n" not in text and text
    return text


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "state"
    with LocalPythonExecutor() as executor:
        executor("x = [1, 2]\ndef f(n): return n + len(x)")
        executor.save(path)
    return path.read_bytes()


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
@pytest.mark.usefixtures("nothing_starts")
def test_a_flipped_bit_anywhere_is_noticed_before_anything_starts(
    good: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    position = data.draw(st.integers(0, len(good) - 1))
    bit = data.draw(st.integers(0, 7))
    bad = bytearray(good)
    bad[position] ^= 1 << bit
    (tmp_path / "bad").write_bytes(bad)
    _refused(tmp_path / "bad")


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
@pytest.mark.usefixtures("nothing_starts")
def test_a_file_cut_off_anywhere_is_noticed_before_anything_starts(
    good: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    (tmp_path / "bad").write_bytes(good[: data.draw(st.integers(0, len(good) - 1))])
    _refused(tmp_path / "bad")


NOT_STATES = {
    "empty": (b"", "is not a file of saved variables"),
    "another kind": (b"\x89PNG\r\n\x1a\n" + b"x" * 100, "is not a file of saved variables"),
    "newer": (b"fumehood state 4 " + b"0" * 64 + b"\n12345", "newer fumehood"),
    "older": (b"fumehood state 2 5 " + b"0" * 64 + b"\n12345", "an older fumehood"),
    "version zero": (b"fumehood state 0 " + b"0" * 64 + b"\n12345", "first line"),
    "a first line without end": (b"fumehood state 3 " + b"0" * 10_000, "first line"),
    "another content": (b"fumehood state 3 " + b"0" * 64 + b"\n12345", "not what was written"),
}


@pytest.mark.parametrize(("content", "why"), NOT_STATES.values(), ids=NOT_STATES)
@pytest.mark.usefixtures("nothing_starts")
def test_a_file_that_is_no_state_is_refused_in_one_line(
    tmp_path: Path, content: bytes, why: str
) -> None:
    (tmp_path / "bad").write_bytes(content)
    assert why in _refused(tmp_path / "bad")
    with pytest.raises(StateFileError):
        SavedState.read(tmp_path / "bad")


@pytest.mark.usefixtures("nothing_starts")
@pytest.mark.parametrize(
    "changes",
    [
        {"saved": []},
        {"saved": {"x": 1}},
        {"python": 3},
        {"modules": "os"},
        {"policy": None},
        {"not_saved": None},
        {"python": "\x1b[2J"},
    ],
)
def test_a_header_of_other_types_is_refused(
    good: bytes, tmp_path: Path, changes: dict[str, Any]
) -> None:
    (tmp_path / "good").write_bytes(good)
    header, payload = _parts(tmp_path / "good")
    assert "header that cannot be read" in _refused(
        _forge(tmp_path / "bad", {**header, **changes}, payload)
    )


@pytest.mark.usefixtures("nothing_starts")
def test_what_is_not_a_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in _refused(tmp_path / "pipe")
    with pytest.raises(FileNotFoundError):
        LocalPythonExecutor.load(tmp_path / "nowhere")


@pytest.mark.usefixtures("nothing_starts")
def test_variables_larger_than_a_frame_are_refused_before_they_are_read(
    good: bytes, tmp_path: Path
) -> None:
    (tmp_path / "good").write_bytes(good)
    header, payload = _parts(tmp_path / "good")
    path = _forge(tmp_path / "big", header, payload + bytes(100_000))
    assert "limits.frame_bytes is 65,536" in _refused(path, limits=Limits(frame_bytes=1 << 16))


def test_text_of_a_stranger_cannot_command_a_terminal(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(good)
    header, payload = _parts(tmp_path / "good")
    path = _forge(
        tmp_path / "bad",
        {**header, "not_saved": {"\x1b[2J": "a\nb\x07"}, "saved": {"\x1b]0;x": "\r"}},
        payload,
    )
    state = SavedState.read(path)
    assert all(
        text.isprintable()
        for text in (
            *state.saved,
            *state.not_saved,
            *state.not_saved.values(),
            *state.kinds.values(),
        )
    )


# -- payloads that mean harm

HOSTILE = {
    "os.system": b"cos\nsystem\n(S'touch /home/user/harm'\ntR.",
    "posix.system": b"cposix\nsystem\n(S'touch /home/user/harm'\ntR.",
    "eval of an escape": b"cbuiltins\neval\n(S'().__class__.__base__.__subclasses__()'\ntR.",
    "the real builtins": b"cbuiltins\n__loader__\n.",
    "a huge allocation": b"\x80\x05cbuiltins\nbytearray\n(\x8a\x06\x00\x00\x00\x00\x00\x10tR.",
    "a huge length": b"\x80\x05\x8e" + struct.pack("<Q", 1 << 40) + b".",
    "deep nesting": b"\x80\x05" + b"]" * 200_000 + b"a" * 199_999 + b".",
    "deep nesting that is hashed": (
        b"\x80\x05)" + b"\x85" * 200_000 + b"\x8c\x01x}(" + b"N" * 2 + b"u."
    ),
    "a stop of the process": b"\x80\x05cbuiltins\nSystemExit\n)R.",
    "garbage": bytes(range(256)) * 10,
}


@pytest.mark.parametrize("stream", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_payload_is_an_error_and_nothing_else(
    good: bytes, tmp_path: Path, stream: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[LocalPythonExecutor] = []
    close = LocalPythonExecutor.close
    monkeypatch.setattr(
        LocalPythonExecutor, "close", lambda self: (closed.append(self), close(self))[1]
    )
    (tmp_path / "good").write_bytes(good)
    header, _payload = _parts(tmp_path / "good")
    path = _forge(tmp_path / "bad", header, _hostile(stream))
    with pytest.raises((StateFileError, PolicyError)) as refusal:
        LocalPythonExecutor.load(path, limits=Limits(memory_bytes=256 << 20))
    assert "\n" not in str(refusal.value)
    assert len(closed) == 1


@pytest.mark.long
def test_a_payload_that_never_comes_to_an_end_is_ended(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(good)
    header, _payload = _parts(tmp_path / "good")
    endless = b"\x80\x05cbuiltins\nsum\n(citertools\nrepeat\n(K\x01tRtR."
    bad = _forge(tmp_path / "bad", header, _hostile(endless))
    assert "did not answer" in _refused(bad, limits=Limits(answer_seconds=3))


@pytest.mark.parametrize(
    "answer",
    ["5", "{}", "{**real, 'payload': 'x'}", "{**real, 'saved': {'x': 5}}", "{**real, 'more': 1}"],
)
def test_a_sandbox_that_lies_about_its_state_is_not_believed(
    make_jailed: MakeExecutor, tmp_path: Path, answer: str
) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor(
        "import fumehood.worker.state as state\nreal = {'payload': b'', 'saved': {}, 'not_saved': {},"
        " 'modules': []}"
    )
    executor(f"state.save = lambda session: {answer}")
    with pytest.raises(WorkerProtocolError):
        executor.save(tmp_path / "state")
    assert not [*tmp_path.iterdir()]


def test_a_state_of_another_minor_version_of_python_is_refused(
    good: bytes, tmp_path: Path, load: Any
) -> None:
    (tmp_path / "good").write_bytes(good)
    header, payload = _parts(tmp_path / "good")
    other = _forge(tmp_path / "other", {**header, "python": "3.9.1"}, payload)
    assert "was written by Python 3.9.1" in _refused(other)
    assert "written by Python" not in _refused(
        _forge(tmp_path / "bad", header, _hostile(b"garbage"))
    )
    patch = ".".join(header["python"].split(".")[:2]) + ".99"
    assert (
        load(_forge(tmp_path / "works", {**header, "python": patch}, payload))("f(1)").output == 3
    )


# -- writing


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_failure_while_writing_leaves_what_was_there(
    saved: Path, jailed: LocalPythonExecutor, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before = saved.read_bytes()

    def fail(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if step == "fsync":
        monkeypatch.setattr(durable.os, "fsync", fail)
    elif step == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    else:
        real = os.fdopen

        class Full:
            def __init__(self, descriptor: int, mode: str) -> None:
                self.file = real(descriptor, mode)

            def __enter__(self) -> Full:
                return self

            def __exit__(self, *exc: object) -> None:
                self.file.close()

            write = fail

        monkeypatch.setattr(durable.os, "fdopen", Full)
    jailed("x = 'changed'")
    with pytest.raises(OSError, match="No space left"):
        jailed.save(saved)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert [*saved.parent.iterdir()] == [saved]
