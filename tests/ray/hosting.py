"""A node's host without a cluster around it: the same class, in a loop of its own, asked as an
actor is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import fumehood
from fumehood.ray.host import NodeHost


class Hosted:
    address = "127.0.0.1"

    def __init__(self) -> None:
        self.host = NodeHost(fumehood.__version__)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def call(self, method: str, *args: object, seconds: float) -> Any:
        return asyncio.run_coroutine_threadsafe(
            getattr(self.host, method)(*args), self._loop
        ).result(seconds)

    def close(self) -> None:
        for number in [*self.host._remotes]:
            self.call("end", number, seconds=30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()


@contextmanager
def hosted() -> Iterator[Hosted]:
    made = Hosted()
    try:
        yield made
    finally:
        made.close()
