"""Asynchronous functions as models: run on an event loop of their own, as connections that they
keep belong to one loop."""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from fumehood.models.base import Cancellation

if TYPE_CHECKING:
    import asyncio

_loops: weakref.WeakKeyDictionary[Any, asyncio.AbstractEventLoop] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def completed(result: Any, owner: object, cancel: Cancellation) -> Any:
    """The result; if it has to be awaited, what comes of that, on the loop of its owner. Raises
    Cancelled as soon as that is asked for."""
    if not inspect.isawaitable(result):
        return result
    import asyncio
    from concurrent.futures import CancelledError

    # The loop runs it in the context of whoever asked.
    future = asyncio.run_coroutine_threadsafe(_outcome(result), _loop_of(owner))
    try:
        with cancel.closing(future.cancel):
            return future.result()
    except CancelledError:
        cancel.check()
        raise RuntimeError("it was cancelled from within") from None
    finally:
        future.cancel()  # if whoever waited was interrupted; else it is done


async def _outcome(awaitable: Awaitable[Any]) -> Any:
    try:
        return await awaitable
    except (SystemExit, KeyboardInterrupt) as error:
        # These end a loop, and whoever waits for it would wait for ever.
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def _loop_of(owner: object) -> asyncio.AbstractEventLoop:
    """The loop for an owner, in a thread that ends when the owner is gone."""
    import asyncio

    with _lock:
        loop = _loops.get(owner)
        if loop is None:
            loop = _loops[owner] = asyncio.new_event_loop()
            threading.Thread(
                target=_serve, args=(loop,), name="fumehood model loop", daemon=True
            ).start()
            weakref.finalize(owner, loop.call_soon_threadsafe, loop.stop).atexit = False
        return loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
