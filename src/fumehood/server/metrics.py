"""What a server counts, for Prometheus: requests, cells, sandboxes, what was refused, and what is
going on right now.

Every set of labels is a time series that somebody stores. So no label holds anything that a client
can choose: routes are those of the table, never the path that was asked for, and no label names a
key or a sandbox.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from fumehood.server.watching import Watcher

if TYPE_CHECKING:
    from fumehood.server.server import Server

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

SECONDS: Final = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
    300.0,
)
"""From a trivial cell, which takes a millisecond, to a cell that waits for people."""

OTHER: Final = "other"

METHODS: Final = frozenset(
    {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "WEBSOCKET"}
)


class Metrics(Watcher):
    """The counters of one server. All of it may be called from any thread."""

    def __init__(self, server: Server) -> None:
        # A registry of its own: two servers in one process must not count for each other.
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "fumehood_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "fumehood_request_seconds",
            "How long requests took, to the last byte.",
            ["route"],
            buckets=SECONDS,
            registry=registry,
        )
        self._received = Counter(
            "fumehood_received_bytes", "Bytes of request bodies.", registry=registry
        )
        self._sent = Counter("fumehood_sent_bytes", "Bytes of response bodies.", registry=registry)
        self._refused = Counter(
            "fumehood_refused", "Requests refused, by why.", ["why"], registry=registry
        )
        self._cells = Counter(
            "fumehood_cells",
            "Cells that are over, by how they ended.",
            ["outcome"],
            registry=registry,
        )
        self._cell_seconds = Histogram(
            "fumehood_cell_seconds", "How long cells ran.", buckets=SECONDS, registry=registry
        )
        self._calls = Counter(
            "fumehood_tool_calls",
            "Calls of a client's tools, by how they ended.",
            ["outcome"],
            registry=registry,
        )
        self._created_seconds = Histogram(
            "fumehood_sandbox_created_seconds",
            "How long it took to make a sandbox.",
            buckets=SECONDS,
            registry=registry,
        )
        self._created = Counter(
            "fumehood_sandboxes_created", "Sandboxes made, forks included.", registry=registry
        )
        self._ended = Counter(
            "fumehood_sandboxes_ended", "Sandboxes ended, by why.", ["why"], registry=registry
        )
        self._cut = Counter(
            "fumehood_cut_characters",
            "Characters of output that readers were too slow for.",
            registry=registry,
        )
        # Asked for when somebody reads the metrics, and costing nothing otherwise.
        self._gauge(
            "fumehood_sandboxes", "Sandboxes that are there.", lambda: len(server.sandboxes)
        )
        self._gauge(
            "fumehood_calls_running",
            "Calls of sandboxes that run: cells, files, snapshots.",
            lambda: server.threads.running,
        )
        self._gauge(
            "fumehood_calls_waiting",
            "Calls of sandboxes that wait for their turn.",
            lambda: server.sandboxes.waiting,
        )
        self._streams = Gauge(
            "fumehood_streams", "Event streams and WebSockets that are open.", registry=registry
        )
        # A lookup by labels costs more than counting, so what is counted once is kept.
        self._by_request: dict[tuple[str, str, int], Counter] = {}
        self._by_route: dict[str, Histogram] = {}
        self._by_outcome: dict[str, Counter] = {}

    def _gauge(self, name: str, what: str, value: Callable[[], float]) -> None:
        Gauge(name, what, registry=self._registry).set_function(value)

    def request(
        self, method: str, route: str, status: int, seconds: float, received: int = 0, sent: int = 0
    ) -> None:
        """A request was answered. `route` is the path as the table writes it, "" for one that is in
        no table."""
        key = method if method in METHODS else OTHER, route or OTHER, status
        counter = self._by_request.get(key)
        if counter is None:
            counter = self._by_request[key] = self._requests.labels(key[0], key[1], str(status))
            self._by_route.setdefault(key[1], self._seconds.labels(key[1]))
        counter.inc()
        self._by_route[key[1]].observe(seconds)
        if received:
            self._received.inc(received)
        if sent:
            self._sent.inc(sent)

    def refused(self, why: str) -> None:
        """A request was refused: `why` is the name of a refusal, one of the few that there are."""
        self._refused.labels(why).inc()

    def cell(self, outcome: str, seconds: float) -> None:
        """A cell is over: "ok", "error", or the name of its fault."""
        counter = self._by_outcome.get(outcome)
        if counter is None:
            counter = self._by_outcome[outcome] = self._cells.labels(outcome)
        counter.inc()
        self._cell_seconds.observe(seconds)

    def tool_call(self, outcome: str) -> None:
        """A call of a client's tool is over: `answered`, `raised`, `timeout`, `refused`,
        `dropped`."""
        self._calls.labels(outcome).inc()

    def created(self, seconds: float) -> None:
        self._created.inc()
        self._created_seconds.observe(seconds)

    def ended(self, why: str) -> None:
        """A sandbox has ended; `why` is one of sandboxes.ENDS."""
        self._ended.labels(why).inc()

    def cut(self, characters: int) -> None:
        """A reader was too slow for so much of what a cell printed."""
        self._cut.inc(characters)

    def stream_opened(self) -> None:
        self._streams.inc()

    def stream_closed(self) -> None:
        self._streams.dec()

    def text(self) -> bytes:
        """All of it, in Prometheus's text format."""
        return generate_latest(self._registry)
