"""What the server tells whoever counts: one call per thing that happens. Metrics are made from this, and from nothing else."""

from __future__ import annotations


class Watcher:
    """Told what happens; does nothing with it. Calls come on the event loop, except `cell`, which may come from any thread."""

    def request(self, method: str, route: str, status: int, seconds: float, received: int, sent: int) -> None:
        """An answer has gone out. `route` is the path's template, never the path."""

    def cell(self, outcome: str, seconds: float) -> None:
        """A cell is over: "ok", "error", or the name of its fault."""

    def created(self, seconds: float) -> None:
        """A sandbox was made, in so many seconds."""

    def ended(self, why: str) -> None:
        """A sandbox is over: one of sandboxes.ENDS."""

    def refused(self, why: str) -> None:
        """A request was refused: a Refusal's code."""
