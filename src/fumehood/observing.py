"""Observers: whoever wants to know what happens, told without being able to do harm.

`observe(observer)` tells a function of every event of every executor and agent of this process;
`executor.observe` and `agent.observe` of theirs only. What goes to the standard `logging` besides
is logs.py's.

Each observer has a queue and a thread of its own: one that is slow or raises holds up nobody and
costs nobody an event. One that falls behind too far loses events of its own, the newest; one that
raises goes on being told. Both are counted, and reported once by a warning and through `logging`.

An observer with an attribute `is_prompt` that is true is called at once, in the thread where it
happens, before anything goes on: an audit log, which must have a line before the next thing is
done. It is expected to be quick.
"""

from __future__ import annotations

import atexit
import contextlib
import contextvars
import logging
import os
import queue
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Self

from fumehood import logs
from fumehood.errors import ObserverFailed
from fumehood.events import Event

Observer = Callable[[Event], object]

RUN: contextvars.ContextVar[str] = contextvars.ContextVar("fumehood-run-id", default="")
"""The run of an agent on whose behalf things happen here."""

_MOST_WAITING = 100_000
"""Events that may wait for one observer."""
_LEAVING_SECONDS = 5.0
"""How long the end of the program waits for observers that have not been told everything."""

_log = logging.getLogger("fumehood.observing")


_late: queue.SimpleQueue[tuple[tuple[Subscription, ...], Event]] = queue.SimpleQueue()
"""What happened where nothing may be waited for, in a finalizer: told before the next event, or at
the end."""


def _deliver_late() -> None:
    while True:
        try:
            subscriptions, event = _late.get_nowait()
        except queue.Empty:
            return
        for subscription in subscriptions:
            subscription.deliver(event)


def report(text: str, error: Exception | None = None) -> None:
    """Warn that an observer has failed."""
    _log.error("%s", text, exc_info=error)
    with contextlib.suppress(
        Exception
    ):  # a filter may turn warnings into errors, and this is not the place for one
        warnings.warn(text, ObserverFailed, stacklevel=3)


class Subscription:
    """One observer's subscription. `close()`, or the end of a `with` block, delivers the events so
    far and ends it."""

    def __init__(self, observer: Observer) -> None:
        if not callable(observer):
            raise TypeError(
                f"an observer is a function that takes an event, not {type(observer).__name__}"
            )
        self.observer = observer
        self.failures = 0
        """How often the observer has raised."""
        self.lost = 0
        """How many events were dropped because the observer was too slow."""
        self.error: Exception | None = None
        """What it raised last."""
        self.sources: list[Subscribers] = []
        self._prompt = bool(getattr(observer, "is_prompt", False))
        self.deliver: Callable[[Event], None] = self._call if self._prompt else self._queue
        """Call the observer, from any thread. Never raises what the observer raises."""
        # A queue that an exception from elsewhere, a KeyboardInterrupt for one, cannot leave
        # locked.
        self._waiting: queue.SimpleQueue[Event | threading.Event | None] = queue.SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def _queue(self, event: Event) -> None:
        if self._closed:
            return
        if self._waiting.qsize() >= _MOST_WAITING:
            self.lost += 1
            if self.lost == 1:
                report(
                    f"{self._name} is too slow: {_MOST_WAITING:,} events wait for it, and it is"
                    " told no more until it has caught up"
                )
            return
        self._waiting.put(event)
        if self._thread is None:
            self._start()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(
                    target=self._serve, args=(self._waiting,), name="fumehood-observer", daemon=True
                )
                thread.start()
                self._thread = thread

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all events so far are delivered. False if that takes longer."""
        if self._prompt or self._thread is None or self._thread is threading.current_thread():
            return True
        told = threading.Event()
        self._waiting.put(told)
        return told.wait(timeout)

    def close(self, timeout: float | None = _LEAVING_SECONDS) -> None:
        """Deliver the events so far, for at most `timeout` seconds, and none after them."""
        sources, self.sources = self.sources, []
        for source in sources:
            source.leave(self)
        self.flush(timeout)
        self._closed = True
        self._waiting.put(None)
        if self.failures > 1 or self.lost:
            _log.warning(
                "%s raised %d times and lost %d events", self._name, self.failures, self.lost
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def _name(self) -> str:
        return (
            "the observer"
            f" {getattr(self.observer, '__qualname__', None) or type(self.observer).__name__}"
        )

    def _serve(self, waiting: queue.SimpleQueue[Event | threading.Event | None]) -> None:
        while (item := waiting.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
            elif not self._closed:
                self._call(item)

    def _call(self, event: Event) -> None:
        try:
            self.observer(event)
        except Exception as error:
            self.failures += 1
            self.error = error
            if self.failures == 1:
                report(f"{self._name} failed: {type(error).__name__}: {error}", error)

    def begin_anew(self) -> None:
        """After a fork: the thread is gone, and the other process delivers what waited."""
        self._waiting = queue.SimpleQueue()
        self._starting = threading.Lock()
        self._thread = None


class Subscribers:
    """The subscriptions to one source of events. `is_empty` is cheap, so that no event is made
    without a subscriber."""

    def __init__(self, first: Callable[[], Event | None] = lambda: None) -> None:
        """`first` makes the event that a new subscriber gets first, if there is one."""
        self._lock = threading.Lock()
        self._first = first
        self.members: tuple[Subscription, ...] = ()
        _all.add(self)

    def join(self, subscription: Subscription) -> None:
        """Add a subscription. One with several sources gets events in the order in which they
        happen."""
        if subscription in self.members:
            return
        first = self._first()
        if first is not None:
            subscription.deliver(first)
        with self._lock:
            self.members = (*self.members, subscription)
        subscription.sources.append(self)

    def leave(self, subscription: Subscription) -> None:
        with self._lock:
            self.members = tuple(other for other in self.members if other is not subscription)

    @property
    def is_empty(self) -> bool:
        return not (self.members or EVERYBODY.members or logs.is_on())

    def emit_late(self, event: Event) -> None:
        """From a finalizer, which may run anywhere, even within an observer: queue the event, and
        wait for nothing."""
        _late.put(((*self.members, *EVERYBODY.members), event))

    def emit(self, event: Event) -> None:
        if not _late.empty():
            _deliver_late()
        if logs.is_on():
            logs.log(event)
        own = self.members
        for subscription in own:
            subscription.deliver(event)
        for subscription in EVERYBODY.members:
            if not own or all(
                other.observer is not subscription.observer for other in own
            ):  # once for each observer
                subscription.deliver(event)

    def begin_anew(self) -> None:
        self._lock = threading.Lock()
        for subscription in self.members:
            subscription.begin_anew()


_all: weakref.WeakSet[Subscribers] = weakref.WeakSet()
EVERYBODY = Subscribers()
"""Subscribers to all events of this process."""


def observe(observer: Observer) -> Subscription:
    """Tell an observer of every event of every executor and agent of this process, those that are
    there already included."""
    subscription = Subscription(observer)
    for subscribers in [*_all]:
        first = subscribers._first()
        if first is not None and all(
            other.observer is not observer for other in subscribers.members
        ):
            subscription.deliver(first)
    EVERYBODY.join(subscription)
    return subscription


# -- contexts around operations

ContextFactory = Callable[[Event], contextlib.AbstractContextManager[object]]

_contexts: tuple[ContextFactory, ...] = ()


def add_context(make: ContextFactory) -> Callable[[], None]:
    """Enter a context manager around each operation that an event begins: AgentRunStarted around a
    run, ModelCalled around a model call, ToolCalled around a tool call. It is entered in the thread
    and context of the operation, so that a trace's span is current there. The event that ends the
    operation is emitted inside. Returns a function that undoes this. Exceptions of the context
    manager are reported and suppressed."""
    global _contexts
    _contexts = (*_contexts, make)

    def undo() -> None:
        global _contexts
        _contexts = tuple(other for other in _contexts if other is not make)

    return undo


def has_contexts() -> bool:
    return bool(_contexts)


@contextlib.contextmanager
def in_contexts(event: Event) -> Iterator[None]:
    """Enter the contexts around the operation that an event begins. They do not see its
    exceptions."""
    entered: list[contextlib.AbstractContextManager[object]] = []
    for make in _contexts:
        try:
            context = make(event)
            context.__enter__()
        except Exception as error:
            _context_failed(make, error)
        else:
            entered.append(context)
    try:
        yield
    finally:
        for context in reversed(entered):
            try:
                context.__exit__(None, None, None)
            except Exception as error:
                _context_failed(context, error)


def _context_failed(who: object, error: Exception) -> None:
    report(
        f"a context, {getattr(who, '__qualname__', None) or type(who).__name__}, failed:"
        f" {type(error).__name__}: {error}",
        error,
    )


# -- what executors and agents are given


def as_observers(given: Any) -> tuple[Observer, ...]:
    """One observer, or several, as they are given to an executor or an agent."""
    if given is None:
        return ()
    observers = (
        tuple(given)
        if isinstance(given, (list, tuple, set, frozenset)) and not callable(given)
        else (given,)
    )
    for observer in observers:
        if not callable(observer):
            raise TypeError(
                "audit takes an observer: an AuditLog, or a function that takes an event; not"
                f" {observer!r:.100}"
            )
    return observers


def _subscriptions() -> set[Subscription]:
    return {subscription for subscribers in [*_all] for subscription in subscribers.members}


def _finish() -> None:
    """At the end of the program: what has happened is told, if that does not take too long."""
    _deliver_late()
    until = time.monotonic() + _LEAVING_SECONDS
    for subscription in _subscriptions():
        subscription.flush(max(0.0, until - time.monotonic()))


def _begin_anew() -> None:
    for subscribers in [*_all]:
        subscribers.begin_anew()


atexit.register(_finish)
os.register_at_fork(after_in_child=_begin_anew)
