"""Remote ends that a server has for clients: sandboxes as good as any, and no more than the key's
policy allows."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Limits, Policy, PolicyError, SandboxFailed
from fumehood.e2b import zip_app
from fumehood.server import remote_ends
from fumehood.server.remote_ends import RemoteCommand, RemoteEnd
from fumehood.tunnel.frames import Frame, Kind, Sort, as_lines

from .remote_clients import Count, client

CEILING = Policy(imports=("numpy",), limits=Limits(memory_bytes=128 << 20))


@pytest.fixture(scope="module")
def shared():
    with client(CEILING) as made:
        yield made


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


# -- what can be had


def test_sandboxes_and_forks_are_counted_until_they_are_over():
    with client(
        CEILING
    ) as one:  # that nobody has used: what others closed is counted until the remote end knows
        worker = one.worker()
        worker.run("x = 1")
        forks = worker.fork(2)
        assert forks[1].run("x").value == 1
        until(lambda: one.count.now == 3)
        for other in forks:
            other.close()
        worker.close()
        until(lambda: one.count.now == 0)


def test_the_report_says_what_the_key_may_have(shared):
    worker = shared.worker()
    assert (
        "policy of the server's key: at most 128 MB and 64 processes for each sandbox; imports:"
        " numpy" in worker.report()
    )
    worker.close()


# -- what cannot


@pytest.mark.parametrize(
    ("policy", "match"),
    [
        (Policy(imports=("socket",)), "'socket': this key's policy authorizes numpy"),
        (Policy(imports=("*",)), r"'\*'"),
        (Policy(files=True), "files=True is more"),
    ],
    ids=["imports", "everything", "files"],
)
def test_a_policy_beyond_the_keys_is_refused(shared, policy, match):
    with pytest.raises(PolicyError, match=match):
        shared.worker(policy)


def test_a_client_does_not_get_more_memory_than_the_key_has(shared):
    worker = shared.worker(Policy(limits=Limits(memory_bytes=8 << 30)))
    assert worker.run("len(bytearray(64 << 20))").value == 64 << 20
    assert worker.run("len(bytearray(256 << 20))").error.type == "MemoryError"
    worker.close()


def test_what_the_key_may_import_is_not_what_the_client_asked_for(shared):
    worker = shared.worker(Policy())
    assert "numpy" in str(worker.run("import numpy").error)
    worker.close()
    worker = shared.worker(Policy(imports=("numpy",)))
    assert worker.run("import numpy\nint(numpy.arange(3).sum())").value == 3
    worker.close()


def test_one_sandbox_too_many_is_refused_in_the_words_of_the_quota():
    with client(CEILING, most=1) as own:
        worker = own.worker()
        with pytest.raises(SandboxFailed, match="this key may have 1 sandboxes at once"):
            own.worker()
        with pytest.raises(SandboxFailed):
            worker.fork(1)
        assert worker.run("1 + 1").value == 2
        worker.close()


def test_packages_are_not_taken_from_clients(shared):
    worker = shared.worker()
    with pytest.raises(SandboxFailed, match="this server takes no packages from its clients"):
        worker.install(["humanize"])
    worker.close()


# -- its end


def test_all_that_a_client_has_ends_with_its_remote_end():
    with client(CEILING) as own:
        workers = [own.worker() for _ in range(3)]
        handles = [os.dup(worker._runner.sandbox.init) for worker in workers]
        until(lambda: own.count.now == 3)
        own.command.kill()
        until(lambda: own.count.now == 0)
        assert own.command.wait().exit_code == 137
        for handle in handles:
            os.close(handle)
        assert workers[0].run("1").error.type == "E2BSandboxGone"


def test_another_version_of_ours_is_told_so():
    line = zip_app.command("/tmp/fumehood-0123456789abcdef.pyz", Policy().as_fields())
    command = remote_ends.command(None, None, line)  # type: ignore[arg-type]  # it does not get that far
    assert command is not None
    ((stream, text),) = [*command]
    assert (
        stream == "stderr" and b"another (01234567); install the same version on both sides" in text
    )
    assert command.wait().exit_code == 126


# -- clients who send anything


def ended_by(*pieces: bytes) -> RemoteCommand:
    """What becomes of a remote end that is sent this, and then nothing more."""
    count = Count()
    command = RemoteCommand(RemoteEnd(CEILING, count.take, count.give))
    reading = threading.Thread(target=lambda: [*command], daemon=True)
    reading.start()
    for piece in pieces:
        command.send_stdin(piece)
    command.close_stdin()
    reading.join(60)
    assert not reading.is_alive() and command.is_over
    until(lambda: count.now == 0)
    return command


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=300), max_size=5))
def test_any_text_ends_only_itself(pieces):
    ended_by(*pieces)


DESCRIPTORS = st.lists(st.tuples(st.sampled_from(Sort), st.integers(0, 40)), max_size=3).map(tuple)


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(
            Frame, st.sampled_from(Kind), st.integers(0, 8), st.binary(max_size=40), DESCRIPTORS
        ),
        max_size=6,
    )
)
def test_any_frames_end_only_themselves(frames):
    ended_by(*(as_lines(frame.packed()) for frame in frames))


@pytest.mark.parametrize(
    "question",
    [
        b"{}",
        b"[]",
        b"1",
        b'{"do": "start"}',
        b'{"do": "start", "policy": 1}',
        b'{"do": "start", "policy": {"imports": 1}}',
        b'{"do": "time", "channel": "x"}',
        b'{"do": "time", "channel": 99999999999999999999}',
        b'{"do": "format the disk"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_question_that_is_none_is_not_answered(question):
    ended_by(as_lines(Frame(Kind.ASK, 1, question).packed()))


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_descriptors_without_end_are_not_held():
    """A client may say that it sends descriptors: each is one here."""
    frames = (
        Frame(Kind.DATA, 2, b"x", tuple((Sort.STREAM, 2 * (8 * i + j) + 2) for j in range(8)))
        for i in range(1000)
    )
    before = descriptors()
    ended_by(*(as_lines(frame.packed()) for frame in frames))
    until(lambda: descriptors() < before + 20)
