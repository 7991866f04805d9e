"""A container from its start to its end, however it ends."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from fumehood.docker.containers import Container
from fumehood.errors import ContainerFailed, DangerousContainer
from fumehood.policy import Policy

ECHO = (
    "import sys\nwhile data := sys.stdin.buffer.read1(65536): sys.stdout.buffer.write(data);"
    " sys.stdout.buffer.flush()"
)
SLEEP = "import time; time.sleep(600)"
PATIENCE_SECONDS = 60


def eventually(what):
    """Waits for something that an engine does by itself. Nothing is measured by it."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not what():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.02)


def wait_for_end(container):
    while data := container.stream.recv(1 << 16):
        container.output.feed(data)


# -- the stream


def test_what_is_sent_reaches_the_main_process_and_what_it_prints_comes_back(start):
    container = start(ECHO)
    sent = os.urandom(5 << 20)
    threading.Thread(target=container.stream.sendall, args=(sent,), daemon=True).start()
    came = bytearray()
    while len(came) < len(sent):
        came += container.output.feed(container.stream.recv(1 << 16))
    assert came == sent


def test_what_goes_to_standard_error_is_kept_for_later(start, output):
    container = start("import sys; print('out'); print('went wrong', file=sys.stderr); sys.exit(3)")
    assert output(container) == "out\n"
    assert (
        container.why_gone()
        == "its main process ended with exit code 3; its last words: went wrong"
    )


# -- ends


def test_a_container_that_is_killed_from_outside_is_told(engine, start):
    container = start(SLEEP)
    engine.ask("POST", f"/containers/{container.id}/kill")
    wait_for_end(container)
    assert container.why_gone() == "it was killed from outside (docker kill; signal 9)"


def test_a_container_that_runs_out_of_memory_is_told(engine, start):
    container = start(
        "data = []\nwhile True: data.append(b'x' * (1 << 20))", run_kwargs={"mem_limit": "64m"}
    )
    if any("memory" in warning.lower() for warning in container.warnings):
        pytest.skip(f"the engine limits no memory: {container.warnings}")
    wait_for_end(container)
    assert (
        container.why_gone() == "it ran out of memory: all sandboxes in it may have 64 MB together"
    )


@pytest.mark.long
def test_a_line_that_is_broken_is_not_taken_for_an_end(start):
    container = start(SLEEP)
    assert container.why_gone() == "it is running, but the stream to it is broken"


def test_an_image_without_the_program_is_told(start):
    container = start(["/no/such/python3"])
    wait_for_end(container)
    assert container.why_gone().startswith("the image has no python3 that can be started")


def test_a_container_that_nobody_has_any_more_is_removed(engine, image, is_there):
    container = Container.start(engine, image, ["python3", "-c", SLEEP], policy=Policy())
    id = container.id
    del container
    gc.collect()
    eventually(lambda: not is_there(id))


# -- the host's end

HOST = """import os, sys, time
from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine
from fumehood.docker.images import find
from fumehood.policy import Policy
engine = Engine()
container = Container.start(engine, find(engine, sys.argv[1]), ["python3", "-c", sys.argv[2]], policy=Policy())
print(container.id, flush=True)
{then}
"""
UNTIL_THE_END = "import sys; sys.stdin.read()"


def host(image, then, program=SLEEP):
    process = subprocess.Popen(
        [sys.executable, "-c", HOST.format(then=then), image.id, program],
        stdout=subprocess.PIPE,
        text=True,
    )
    return process, process.stdout.readline().strip()


def test_a_host_that_ends_takes_its_containers_along(image, is_there):
    process, id = host(image, "")
    assert process.wait(PATIENCE_SECONDS) == 0
    assert id and not is_there(id)


def test_a_host_that_is_killed_ends_the_line_and_so_its_containers(image, is_there):
    process, id = host(image, "time.sleep(600)", UNTIL_THE_END)
    assert is_there(id)
    process.kill()
    process.wait()
    eventually(lambda: not is_there(id))


def test_a_process_that_was_forked_from_the_host_leaves_containers_alone(image, is_there):
    then = (
        "pid = os.fork()\nif not pid: sys.exit(0)\nos.waitpid(pid, 0)\nprint('forked',"
        " flush=True)\nsys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", HOST.format(then=then), image.id, SLEEP],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    id = process.stdout.readline().strip()
    assert process.stdout.readline() == "forked\n"
    assert is_there(id)
    process.communicate()
    assert not is_there(id)


def test_a_container_whose_worker_does_not_notice_is_swept_by_the_next_host(
    engine, image, is_there
):
    process, id = host(image, "time.sleep(600)", SLEEP)
    assert is_there(id)
    process.send_signal(signal.SIGKILL)
    process.wait()
    other, _id = host(
        image,
        "from fumehood.docker import containers as owners; owners.sweep(engine)",
    )
    assert other.wait(PATIENCE_SECONDS) == 0
    # Any process that starts a container sweeps; this one may be waiting for another's.
    eventually(lambda: not is_there(id))


# -- what cannot be started


def test_a_runtime_that_the_engine_has_not_is_told(engine, start):
    with pytest.raises(
        ContainerFailed,
        match=(
            r"the container could not be started: the engine has no runtime 'no-such-runtime', only"
            r" .*runc"
        ),
    ):
        start("", runtime="no-such-runtime")


def test_a_name_that_is_taken_is_told_and_the_other_lives_on(start, is_there):
    first = start(SLEEP, run_kwargs={"name": f"fumehood-test-{os.getpid()}-{time.time_ns()}"})
    with pytest.raises(ContainerFailed, match="is already in use"):
        start(SLEEP, run_kwargs={"name": first.name})
    assert is_there(first.id)


@pytest.mark.extended
def test_what_cannot_be_started_leaves_no_container(engine, start):
    name = f"fumehood-test-{os.getpid()}-{time.time_ns()}"
    with (
        pytest.warns(DangerousContainer, match="devices"),
        pytest.raises(ContainerFailed, match=r"the container could not be started: .*nothing"),
    ):
        start(SLEEP, run_kwargs={"name": name, "devices": ["/dev/nothing:/dev/nothing:rwm"]})
    assert (
        engine.ask("GET", "/containers/json", {"all": 1, "filters": f'{{"name":["{name}"]}}'}) == []
    )


# -- room


def test_a_container_can_be_given_more_room(engine, start):
    container = start(SLEEP)
    before = engine.ask("GET", f"/containers/{container.id}/json")["HostConfig"]
    container.allow(5)
    after = engine.ask("GET", f"/containers/{container.id}/json")["HostConfig"]
    assert (
        after["Memory"] == after["MemorySwap"] == container.wanted.memory_bytes > before["Memory"]
    )
    assert after["PidsLimit"] == container.wanted.tasks > before["PidsLimit"]


def test_more_room_is_not_more_than_the_caller_allows(engine, start):
    container = start(SLEEP, run_kwargs={"mem_limit": "1g"})
    container.allow(5)
    after = engine.ask("GET", f"/containers/{container.id}/json")["HostConfig"]
    assert (after["Memory"], after["MemorySwap"], after["PidsLimit"]) == (
        1 << 30,
        1 << 30,
        container.wanted.tasks,
    )
