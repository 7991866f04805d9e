"""Sandboxes as E2B's own SDK makes, lists, connects to, pauses, forks, keeps and ends them."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from e2b import (
    AuthenticationException,
    RateLimitException,
    SandboxException,
    SandboxNotFoundException,
    SandboxNotRunningException,
    SandboxQuery,
    SandboxState,
    ServiceBusyException,
    TimeoutException,
)
from e2b_code_interpreter import Sandbox

from .service import Service, until


@pytest.fixture
def mine() -> str:
    """A mark that sandboxes of one test are found by."""
    return uuid.uuid4().hex


@pytest.fixture
def made(service: Service) -> Iterator[Sandbox]:
    sandbox = Sandbox.create(**service.options())
    yield sandbox
    sandbox.kill()


def _all(paginator: Any) -> list[Any]:
    found = []
    while paginator.has_next:
        found += paginator.next_items()
    return found


def test_a_sandbox_tells_of_itself(service: Service, mine: str) -> None:
    with Sandbox.create(
        timeout=120,
        metadata={"mine": mine, "ü": "ö"},
        allow_internet_access=False,
        **service.options(),
    ) as sandbox:
        info = sandbox.get_info()
        assert (info.sandbox_id, info.state, info.metadata) == (
            sandbox.sandbox_id,
            SandboxState.RUNNING,
            {"mine": mine, "ü": "ö"},
        )
        assert (
            datetime.timedelta(seconds=100)
            < info.end_at - info.started_at
            <= datetime.timedelta(seconds=121)
        )
        assert (
            info.cpu_count >= 1
            and info.memory_mb == 1024
            and info.lifecycle == {"on_timeout": "kill", "auto_resume": False}
        )
        assert info.allow_internet_access is False
        assert sandbox.is_running()
        sandbox.set_timeout(1000)
        assert sandbox.get_info().end_at > info.end_at
    assert not sandbox.is_running()


def test_sandboxes_are_listed_by_what_they_are_and_page_by_page(
    service: Service, mine: str
) -> None:
    options = service.options()
    made = [
        Sandbox.create(metadata={"mine": mine, "number": str(number)}, **options)
        for number in range(3)
    ]
    try:
        ids = [sandbox.sandbox_id for sandbox in made]
        query = SandboxQuery(metadata={"mine": mine})
        assert [info.sandbox_id for info in _all(Sandbox.list(query, **options))] == ids[::-1]
        assert [
            info.sandbox_id for info in _all(Sandbox.list(query, order="asc", **options))
        ] == ids
        pages = Sandbox.list(query, limit=2, order="asc", **options)
        first = [info.sandbox_id for info in pages.next_items()]
        made[0].kill()  # what is gone between two pages moves nothing from one to the other
        assert (first, [info.sandbox_id for info in pages.next_items()], pages.has_next) == (
            ids[:2],
            ids[2:],
            False,
        )
        made[1].pause()
        paused = SandboxQuery(metadata={"mine": mine}, state=[SandboxState.PAUSED])
        assert [info.sandbox_id for info in _all(Sandbox.list(paused, **options))] == [ids[1]]
        later = SandboxQuery(
            metadata={"mine": mine},
            started_after=datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1),
        )
        assert _all(Sandbox.list(later, **options)) == []
        assert (
            _all(Sandbox.list(SandboxQuery(metadata={"mine": mine}, template="guarded"), **options))
            == []
        )
        assert (
            _all(Sandbox.list(SandboxQuery(metadata={"mine": mine, "number": "9"}), **options))
            == []
        )
    finally:
        for sandbox in made:
            sandbox.kill()


def test_another_client_connects_to_the_same_sandbox(made: Sandbox, service: Service) -> None:
    made.run_code("shared = 'yes'")
    before = made.get_info().end_at
    other = Sandbox.connect(made.sandbox_id, timeout=1, **service.options())
    assert other.run_code("shared").text == "yes"
    assert (
        abs((other.get_info().end_at - before).total_seconds()) < 1
    )  # a shorter timeout shortens nothing
    Sandbox.connect(made.sandbox_id, timeout=80_000, **service.options())
    assert other.get_info().end_at > before


def test_killing_ends_a_sandbox_once(service: Service) -> None:
    sandbox = Sandbox.create(**service.options())
    assert sandbox.kill() is True and sandbox.kill() is False
    assert Sandbox.kill(sandbox.sandbox_id, **service.options()) is False
    assert not sandbox.is_running()
    gone: list[tuple[Any, type[Exception]]] = [
        (lambda: sandbox.run_code("1"), TimeoutException),
        (lambda: sandbox.files.read("x"), SandboxNotRunningException),
        (lambda: sandbox.files.list("/home/user"), SandboxNotRunningException),
        (lambda: sandbox.commands.run("true"), SandboxNotRunningException),
        (lambda: sandbox.commands.list(), SandboxNotRunningException),
        (lambda: sandbox.create_code_context(), TimeoutException),
        (lambda: sandbox.get_info(), SandboxNotFoundException),
        (lambda: sandbox.set_timeout(5), SandboxNotFoundException),
        (lambda: sandbox.pause(), SandboxNotFoundException),
        (lambda: sandbox.get_metrics(), SandboxNotFoundException),
        (lambda: sandbox.create_snapshot(), SandboxNotFoundException),
        (lambda: sandbox.fork(), SandboxNotFoundException),
        (lambda: sandbox.connect(), SandboxNotFoundException),
    ]
    for call, kind in gone:
        with pytest.raises(kind):
            call()


def test_a_sandbox_ends_when_its_time_is_over(service: Service) -> None:
    sandbox = Sandbox.create(timeout=600, **service.options())
    sandbox.set_timeout(0)
    until(lambda: not sandbox.is_running())


def test_a_paused_sandbox_keeps_its_variables_and_answers_when_it_is_connected_to(
    made: Sandbox, service: Service
) -> None:
    made.run_code("kept = 'through the pause'")
    assert made.pause() is True and made.pause() is False
    assert made.get_info().state is SandboxState.PAUSED and not made.is_running()
    with pytest.raises(
        TimeoutException, match="is paused and was not found running; connecting to it resumes it"
    ):
        made.run_code("kept")
    with pytest.raises(SandboxNotRunningException):
        made.files.exists("x")
    again = Sandbox.connect(made.sandbox_id, **service.options())
    assert again.run_code("kept").text == "through the pause"
    assert made.connect().is_running()


def test_a_busy_sandbox_is_not_paused_and_the_sdk_is_told_to_try_again(made: Sandbox) -> None:
    running = made.commands.run("sleep 60", background=True)
    with pytest.raises(ServiceBusyException, match="something runs in this sandbox"):
        made.pause()
    running.kill()
    until(lambda: not made.commands.list())
    assert made.pause()


def test_a_sandbox_may_be_paused_when_its_time_is_over_and_wake_when_it_is_used(
    service: Service,
) -> None:
    lifecycle: Any = {"on_timeout": "pause", "auto_resume": True}
    with Sandbox.create(timeout=300, lifecycle=lifecycle, **service.options()) as sandbox:
        assert sandbox.get_info().lifecycle == lifecycle
        sandbox.run_code("kept = 5")
        sandbox.set_timeout(0)
        until(lambda: sandbox.get_info().state is SandboxState.PAUSED)
        assert sandbox.run_code("kept").text == "5"
        assert sandbox.get_info().state is SandboxState.RUNNING


def test_forks_begin_where_the_sandbox_is_and_go_their_own_ways(made: Sandbox) -> None:
    made.run_code("x = 1")
    made.files.write("file", "before")
    forks = made.fork(count=2)
    try:
        assert all(isinstance(fork, Sandbox) for fork in forks)
        forks[0].run_code("x = 2")
        forks[0].files.write("file", "changed")
        assert [sandbox.run_code("x").text for sandbox in (made, *forks)] == ["1", "2", "1"]
        assert [sandbox.files.read("file") for sandbox in (made, *forks)] == [
            "before",
            "changed",
            "before",
        ]
        assert len({sandbox.sandbox_id for sandbox in (made, *forks)}) == 3
    finally:
        for fork in forks:
            fork.kill()


def test_snapshots_outlive_their_sandbox_and_new_ones_begin_as_they_are(
    service: Service, mine: str
) -> None:
    options = service.options()
    with Sandbox.create(**options) as sandbox:
        sandbox.run_code("x = 'kept'")
        snapshot = sandbox.create_snapshot(name=mine)
        sandbox.run_code("x = 'later'")
        assert snapshot.names == [mine]
        assert [found.snapshot_id for found in _all(sandbox.list_snapshots())] == [
            snapshot.snapshot_id
        ]
    assert [found.snapshot_id for found in _all(Sandbox.list_snapshots(name=mine, **options))] == [
        snapshot.snapshot_id
    ]
    for template in (snapshot.snapshot_id, mine):
        with Sandbox.create(template, **options) as again:
            assert again.run_code("x").text == "kept"
    assert Sandbox.delete_snapshot(snapshot.snapshot_id, **options) is True
    assert Sandbox.delete_snapshot(snapshot.snapshot_id, **options) is False
    with pytest.raises(SandboxException, match="there is no template"):
        Sandbox.create(snapshot.snapshot_id, **options)


def test_metrics_say_what_is_used_of_what_there_is(made: Sandbox) -> None:
    made.files.write("weight", bytes(100_000))
    made.run_code("sum(range(100_000))")
    (row,) = made.get_metrics()
    assert (
        row.disk_total > row.disk_used >= 100_000
        and row.mem_total >= row.mem_used > 0
        and row.cpu_count >= 1
        and row.cpu_used_pct >= 0
    )


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a template that is not there": (
        {"template": "no-such-template"},
        "there is no template 'no-such-template'",
    ),
    "a gateway": (
        {"mcp": {"exa": {}}, "template": "base"},
        "mcp: sandboxes of this server reach no network",
    ),
    "a volume": ({"volume_mounts": {"/data": "volume"}}, "there are no volumes here"),
    "hosts that may be reached": (
        {"network": {"allow_out": ["example.org"]}},
        "network.allowOut: sandboxes of this server reach no network",
    ),
    "a pause of files alone": (
        {"lifecycle": {"on_timeout": {"action": "pause", "mode": "filesystem"}}},
        "keeps its memory",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_there_is_not_is_refused_in_one_line(service: Service, what: str) -> None:
    wanted, text = REFUSED[what]
    with pytest.raises(SandboxException) as caught:
        Sandbox.create(**wanted, **service.options())
    assert text in str(caught.value) and "\n" not in str(caught.value)


def test_the_network_can_be_forbidden_and_not_allowed(made: Sandbox) -> None:
    made.update_network({"deny_out": ["0.0.0.0/0"]})
    made.update_network({"allow_internet_access": False})
    with pytest.raises(SandboxException, match="reach no network"):
        made.update_network({"allow_internet_access": True})


def test_pauses_and_snapshots_of_files_alone_are_refused(made: Sandbox) -> None:
    with pytest.raises(SandboxException, match="there is none of files alone"):
        made.pause(mode="filesystem")
    with pytest.raises(SandboxException, match="there is none of files alone"):
        made.create_snapshot(mode="filesystem")
    made.pause()
    with pytest.raises(SandboxException, match="no disk to reboot from"):
        made.connect(on_resume="reboot")


def test_a_key_that_is_not_known_is_an_authentication_error(service: Service) -> None:
    with pytest.raises(AuthenticationException, match="that key is not known here"):
        Sandbox.create(**service.options("nobody's key"))


def test_one_sandbox_too_many_is_a_rate_limit(service: Service) -> None:
    options = service.options("small")
    with (
        Sandbox.create(**options),
        pytest.raises(RateLimitException, match="this key may have 1 sandboxes at once"),
    ):
        Sandbox.create(**options)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("limit=0", 400),
        ("limit=x", 400),
        ("limit=101", 400),
        ("order=up", 400),
        ("state=odd", 400),
        ("nextToken=%FF", 400),
        ("startedAfter=then", 400),
    ],
)
def test_a_list_that_cannot_be_is_refused(service: Service, query: str, status: int) -> None:
    answer = httpx.get(
        f"{service.served.url}/v2/sandboxes?{query}",
        headers={"X-API-Key": service.options()["api_key"]},
        timeout=60,
    )
    assert (
        answer.status_code == status
        and answer.json()["code"] == status
        and answer.json()["message"]
    )


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"timeout": "soon"}',
        b'{"timeout": -1}',
        b'{"metadata": {"a": 1}}',
        b"\xff",
        b"[" * 10_000,
    ],
)
def test_a_body_that_cannot_be_read_is_refused(service: Service, body: bytes) -> None:
    headers = {"X-API-Key": service.options()["api_key"], "content-type": "application/json"}
    answer = httpx.post(
        f"{service.served.url}/v2/sandboxes", content=body, headers=headers, timeout=60
    )
    assert answer.status_code == 400 and "cannot be read" in answer.json()["message"]
