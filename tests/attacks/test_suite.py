"""The suite survives what programs do to the process that holds their sandboxes, and can be left
off."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from fumehood.attack import suite
from fumehood.attack.asking import AskedHost
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import read
from fumehood.attack.outcomes import judged
from fumehood.attack.suite import SuiteFailed, run_all
from fumehood.attack.words import cells_of

INLINE = Configuration("inline")

# A host that answers some names, and does what others say.
_HOST = """
import os, time
from fumehood.attack.asking import HostNeverBegan
from fumehood.attack.host import answer_requests
from fumehood.attack.outcomes import Outcome
def run(name):
    if name == "exec/a_shell": os._exit(7)
    if name == "exec/spawned": time.sleep(1000)
    if name == "exec/a_program": raise ValueError("trouble")
    if name == "server/key_none": raise HostNeverBegan("no server")
    return Outcome(ending="held", value="held: no")
answer_requests(run)
"""


@pytest.fixture
def odd_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        suite, "ask_for", lambda configuration: AskedHost(["-c", _HOST], deadline=3)
    )


@pytest.mark.usefixtures("odd_host")
def test_a_host_that_ends_or_falls_silent_is_an_escape_and_the_others_go_on() -> None:
    chosen = [
        "exec/a_shell",
        "exec/spawned",
        "exec/a_program",
        "exec/the_bare_calls",
        "exec/a_script_in_the_lab",
    ]
    results = {result.program.name: result for result in run_all(Configuration(), chosen, hosts=1)}
    assert {name for name, result in results.items() if result.verdict == "escaped"} == set(
        chosen[:3]
    )
    assert "ended with 7" in results["exec/a_shell"].why
    assert "fell silent" in results["exec/spawned"].why
    assert "trouble" in results["exec/a_program"].why


@pytest.mark.usefixtures("odd_host")
def test_leaving_off_ends_the_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(
        run_all(Configuration(), ["exec/the_bare_calls", "exec/spawned"], hosts=1)
    ) as results:  # type: ignore[type-var]
        assert next(iter(results)).verdict == "contained"


@pytest.mark.usefixtures("odd_host")
def test_more_time_than_it_is_given_is_an_error() -> None:
    with pytest.raises(SuiteFailed, match=r"0 of \d+ programs were done in 0\.1 seconds"):
        list(run_all(Configuration(), ["exec/spawned"], hosts=1, seconds=0.1))


@pytest.mark.usefixtures("odd_host")
def test_a_server_that_cannot_be_had_is_no_escape() -> None:
    with pytest.raises(SuiteFailed, match="no server"):
        list(run_all(Configuration(), ["server/key_none"], hosts=1))


# A host whose zygotes do not limit CPU time between cells.
_UNTHROTTLED = """
from fumehood.attack.host import main
from fumehood.tunnel import launch
off = "from fumehood.worker import orphans\\norphans.REST_SHARE = 1000.0\\nmain()"
launch._ISOLATED = (*launch._ISOLATED[:-1], launch._BOOT.replace("main()", off))
main()
"""


def test_work_between_cells_goes_on_without_the_throttle() -> None:
    program, plain = read("time/work_between_cells"), Configuration(guarded=False)
    if why := plain.leaves_out(program):
        pytest.skip(why)
    with contextlib.closing(
        AskedHost(["-c", _UNTHROTTLED, json.dumps(plain.as_data())])
    ) as host:  # a busy machine may leave it too little CPU time the first times
        verdicts = (judged(program, host.run(program.name), plain) for _ in range(5))
        assert any(verdict == "escaped" and "CPU seconds" in why for verdict, why in verdicts)


def test_a_program_that_needs_no_forbidden_word_is_given_none() -> None:
    """Or the words would be what stops it."""
    first = cells_of(read("bombs/memory"), guarded=True)[0]
    assert "ctypes" not in first and "def judge" in first
    assert "import os\n" in cells_of(read("exec/a_shell"), guarded=True)[0]
    assert "import ctypes" in cells_of(read("kernel/bpf"), guarded=True)[0]


def test_what_a_machine_does_not_have_is_left_out_with_a_reason(tmp_path: Path) -> None:
    later = next(
        iter(
            name
            for name in ("names/type_alias_name", "positions/type_alias")
            if "python" in read(name).fields
        )
    )
    assert Configuration("docker").leaves_out(read(later))
    assert INLINE.leaves_out(read("bombs/memory")) == "inline isolation promises nothing about it"
    assert INLINE.leaves_out(read("names/lambda_parameter")) is None


def test_a_server_is_attacked_only_where_there_can_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    program = read("server/key_none")
    assert Configuration().leaves_out(program) is None
    for place in ("inline", "docker"):
        assert "whose sandboxes are jails on this machine" in (
            Configuration(place).leaves_out(program) or ""
        )
    monkeypatch.setattr("fumehood.attack.configurations.SERVER_NEEDS", ("no_such_module",))
    assert (
        Configuration().leaves_out(program)
        == "is about a server, which needs no_such_module: pip install 'fumehood[server]'"
    )
