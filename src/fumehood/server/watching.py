"""What the server tells whoever counts: one call per thing that happens. Metrics are made from
this, and from nothing else."""

from __future__ import annotations


class Watcher:
    """Told what happens; does nothing with it. Calls come on the event loop, except `cell`, which
    may come from any thread."""

    def request(
        self, method: str, route: str, status: int, seconds: float, received: int, sent: int
    ) -> None:
        """An answer has gone out. `route` is the path's template, never the path."""

    def cell(self, outcome: str, seconds: float) -> None:
        """A cell is over: "ok", "error", or the name of its fault."""

    def created(self, seconds: float) -> None:
        """A sandbox was made, in so many seconds."""

    def ended(self, why: str) -> None:
        """A sandbox is over: one of sandboxes.ENDS."""

    def refused(self, why: str) -> None:
        """A request was refused: a Refusal's code."""

    def tool_call(self, outcome: str) -> None:
        """A call of a client's tool is over: "answered", "raised", "timeout", "refused" or
        "dropped"."""

    def cut(self, characters: int) -> None:
        """So much of what a cell printed was left out, because its reader was too slow."""

    def stream_opened(self) -> None:
        """An event stream, or a WebSocket, began."""

    def stream_closed(self) -> None:
        """It is over."""

    def text(self) -> bytes:
        """All that was counted, in Prometheus's text format."""
        return b""
