"""A node's end, without a driver: items are taken, run, and given back when asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from fumehood import JailUnavailable, Policy
from fumehood.fleet.parcels import pack_item
from fumehood.fleet.workshop import Done, Workshop


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    made = Workshop(Policy(), 2)
    try:
        made.rehearse()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")
    yield made
    made.close()


def parcel(code: str, **variables: object) -> bytes:
    return pack_item([code], variables, 60.0)


def all_of(workshop: Workshop, number: int) -> dict[int, Done]:
    found: dict[int, Done] = {}
    while len(found) < number:
        found |= {done.number: done for done in workshop.exchange([], 0.0, 1)}
    return found


def test_no_more_run_at_once_than_was_said_last(workshop: Workshop) -> None:
    waits = parcel("import time\nwhile True: time.sleep(0.01)")
    asking = threading.Thread(
        target=lambda: workshop.exchange([(n, waits) for n in range(500, 503)], 0.0, 1, 1)
    )
    asking.start()
    while not workshop._running:
        asking.join(0.01)
    with workshop._lock:
        assert (len(workshop._running), len(workshop._waiting)) == (1, 2), (
            "the other slot is left free"
        )
    workshop.exchange([], 0.0, 1)
    asking.join()
    while len(workshop._running) < 2:
        threading.Event().wait(0.01)
    assert len(workshop._waiting) == 1
    workshop.drop(range(500, 503))


def test_bytes_that_are_no_item_are_refused_and_said(workshop: Workshop) -> None:
    found = workshop.exchange([(400, b"no parcel")], 0.0, 1) or list(all_of(workshop, 1).values())
    assert [(done.number, done.parcel) for done in found] == [(400, b"")]
    assert "WorkerProtocolError" in found[0].refusal
