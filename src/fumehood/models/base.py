"""Model: whatever answers a conversation. One method, so that a function can be a model."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from fumehood.models.messages import ChatMessage

OnText = Callable[[str], object]
"""Called with each piece of an answer as it arrives."""


class Cancelled(Exception):
    """Raised by a model whose caller no longer wants the answer."""


class Cancellation:
    """How a caller tells a call of a model, which runs in another thread, that its answer is no
    longer wanted."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._closers: list[Callable[[], object]] = []

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        return self._event.is_set()

    def cancel(self) -> None:
        """From any thread, any number of times."""
        with self._lock:
            self._event.set()
            closers, self._closers = self._closers, []
        for close in closers:
            with contextlib.suppress(
                Exception
            ):  # what is closed may have ended by itself at this moment
                close()

    def check(self) -> None:
        """Raise Cancelled if nobody wants the answer any more."""
        if self._event.is_set():
            raise Cancelled("the answer is no longer wanted")

    def sleep(self, seconds: float) -> None:
        """Wait, but not longer than the answer is wanted."""
        self._event.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def closing(self, close: Callable[[], object]) -> Iterator[None]:
        """While in this block, cancelling calls `close`, from the canceller's thread: it ends what
        the block waits for."""
        with self._lock:
            self.check()
            self._closers.append(close)
        try:
            yield
        finally:
            with self._lock, contextlib.suppress(ValueError):
                self._closers.remove(close)


class Model(ABC):
    """Answers a conversation.

    A subclass needs `generate` with `messages` alone; the other parameters are given to it if it
    takes them. A model that cannot stream leaves `on_text` out; one that cannot be cancelled leaves
    `cancel` out, and an answer no longer wanted is thrown away when it comes.
    """

    model_id: str = ""
    """What the model is called by whoever serves it."""

    @abstractmethod
    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        stop_sequences: Sequence[str] = (),
        on_text: OnText | None = None,
        cancel: Cancellation | None = None,
    ) -> ChatMessage:
        """The answer. `stop_sequences` are texts at which the model is to stop; none of them is
        part of the answer. Raises ModelError."""
