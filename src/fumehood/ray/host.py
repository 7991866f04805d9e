"""What stands for fumehood on a node of a Ray cluster: one actor for each, whatever number of
sandboxes there is.

It starts remote ends (worker/remote.py), one for each driver, and has no part in what is said: a
direct line is theirs from the moment that it is proved, and by calls it forwards bytes that it does
not look into. It runs no code of anybody's. It ends with the driver's job, or when its node does,
and remote ends end with it; and each with its line.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import itertools
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from importlib import import_module
from typing import Any

import fumehood
from fumehood.ray.ways import GREETING_SECONDS, SIZE, keep_alive, proof
from fumehood.tunnel import launch

_MOST_CALLERS = 16
"""Who may be at that port in that time. Most likely it is the driver alone."""
_MOST_AT_ONCE = 1 << 20
_SILENCE_SECONDS = 60.0
"""The driver asks for bytes much more often than this, if there is one."""
_END_SECONDS = 2.0
_MOST_OVER = 16
_BOOT = """import sys
sys.path[:0] = [sys.argv[1]]
from fumehood.worker import memory
memory.gather()
from fumehood.worker.remote import main
main()
"""


class NodeHost:
    """The actor. `version` is the driver's: both ends of a line must be of one."""

    def __init__(self, version: str) -> None:
        if version != fumehood.__version__:
            raise RuntimeError(
                f"the node has fumehood {fumehood.__version__}, and the driver {version}; install"
                " the same on every machine"
            )
        self._numbers = itertools.count(1)
        self._remotes: dict[int, RemoteProcess] = {}
        self._parts: dict[str, Any] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def about(self) -> dict[str, Any]:
        """Says that it is there, and who it is."""
        return {
            "pid": os.getpid(),
            "version": fumehood.__version__,
            "python": list(sys.version_info[:3]),
        }

    # -- lines

    async def listen(self, address: str, secret: bytes, first: str) -> tuple[int, int]:
        """Have a remote end with a direct line to whoever comes soon and knows a secret. Gives its
        number and the port to come to."""
        self._forget()
        listening = socket.create_server((address, 0), backlog=_MOST_CALLERS)
        listening.setblocking(False)
        number = next(self._numbers)
        task = asyncio.get_running_loop().create_task(
            self._await_driver(number, listening, secret, first)
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return number, listening.getsockname()[1]

    async def _await_driver(
        self, number: int, listening: socket.socket, secret: bytes, first: str
    ) -> None:
        loop = asyncio.get_running_loop()
        greeted: asyncio.Future[socket.socket] = loop.create_future()
        callers: list[asyncio.Task[None]] = []

        async def accept() -> None:
            for _ in range(_MOST_CALLERS):
                caller, _address = await loop.sock_accept(listening)
                callers.append(loop.create_task(_greet(caller, secret, greeted)))

        callers.append(loop.create_task(accept()))
        try:
            await asyncio.wait({greeted}, timeout=GREETING_SECONDS)
            if greeted.done():
                with greeted.result() as line:
                    self._remotes[number] = RemoteProcess(line, first)
        finally:
            greeted.cancel()
            listening.close()
            for caller in callers:
                caller.cancel()

    async def open(self, first: str) -> int:
        """Have a remote end with a line by calls; gives its number."""
        self._forget()
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        with theirs:
            self._remotes[number] = RemoteProcess(theirs, first, ours)
        return number

    async def feed(self, number: int, data: bytes) -> None:
        """Bytes for a remote end. To be called again when it has returned: calls may overtake each
        other."""
        remote = self._remotes.get(number)
        if remote is None or remote.line is None:
            raise ConnectionResetError("the remote end is gone")
        await asyncio.get_running_loop().sock_sendall(remote.line, data)

    async def read(self, number: int, seconds: float) -> bytes | None:
        """What a remote end has said, nothing if it is silent for so long, None if it is over."""
        remote = self._remotes.get(number)
        if remote is None or remote.line is None:
            return None
        remote.asked = time.monotonic()
        try:
            for waits in (True, False):
                with contextlib.suppress(BlockingIOError):
                    return remote.line.recv(_MOST_AT_ONCE) or None
                if waits and not await _is_readable(remote.line, seconds):
                    break
        except OSError:
            return None
        return b""

    async def end(self, number: int) -> None:
        """Have a remote end ended whose line is, if it has not ended by itself."""
        remote = self._remotes.get(number)
        if remote is not None:
            if remote.line is not None:
                with contextlib.suppress(OSError):
                    remote.line.shutdown(socket.SHUT_RDWR)
            await remote.over(_END_SECONDS)
            remote.end()
        self._forget()

    async def how_ended(self, number: int) -> int | None:
        """The exit code of a remote end whose line has broken, or minus its signal. None if it runs
        or is not known."""
        remote = self._remotes.get(number)
        return None if remote is None else await remote.over(_END_SECONDS)

    def _forget(self) -> None:
        """Those whose driver is not heard of any more, and those that are over, but for the last,
        of which somebody may still ask."""
        for number, remote in [*self._remotes.items()]:
            if remote.process.poll() is not None:
                if number <= max(self._remotes) - _MOST_OVER:
                    del self._remotes[number]
            elif remote.line is not None and time.monotonic() - remote.asked > _SILENCE_SECONDS:
                remote.end()

    # -- what others bring

    async def ask(self, part: str, method: str, *args: Any) -> Any:
        """Call an `async` method of a part of this host that another package brings:
        "package.module:Class", made when it is first asked and kept. So there is one actor on a
        node, whoever uses it."""
        if part not in self._parts:
            module, _colon, name = part.partition(":")
            self._parts[part] = getattr(import_module(module), name)()
        return await getattr(self._parts[part], method)(*args)


async def _greet(
    caller: socket.socket, secret: bytes, greeted: asyncio.Future[socket.socket]
) -> None:
    loop = asyncio.get_running_loop()
    caller.setblocking(False)
    try:
        driver, own = await _exactly(caller, SIZE), secrets.token_bytes(SIZE)
        await loop.sock_sendall(caller, own + proof(secret, b"node", driver, own))
        said = await _exactly(caller, SIZE)
        is_driver = hmac.compare_digest(said, proof(secret, b"driver", driver, own))
        if is_driver and not greeted.done():
            greeted.set_result(caller)
            return
    except (OSError, EOFError):
        pass
    except BaseException:
        caller.close()
        raise
    caller.close()


async def _is_readable(line: socket.socket, seconds: float) -> bool:
    """Waits so long for something to read. Nothing is read here: a wait that is given up must not
    take bytes with it."""
    loop = asyncio.get_running_loop()
    come = asyncio.Event()
    loop.add_reader(line, come.set)
    try:
        await asyncio.wait_for(come.wait(), seconds)
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(line)
    return True


async def _exactly(line: socket.socket, size: int) -> bytes:
    said = b""
    while len(said) < size:
        more = await asyncio.get_running_loop().sock_recv(line, size - len(said))
        if not more:
            raise EOFError
        said += more
    return said


class RemoteProcess:
    """A remote end, a child of this process. `theirs` becomes its standard streams; `line`, if any,
    is the other side of it."""

    def __init__(
        self, theirs: socket.socket, first: str, line: socket.socket | None = None
    ) -> None:
        if line is not None:
            line.setblocking(False)
        self.line = line
        self.asked = time.monotonic()
        if theirs.family != socket.AF_UNIX:
            keep_alive(theirs)
        path = [directory for directory in sys.path if directory.startswith("/")]
        options = json.dumps({"policy": json.loads(first), "starter": os.getpid(), "path": path})
        self.process = subprocess.Popen(
            [sys.executable, "-s", "-P", "-c", _BOOT, launch.PACKAGES, options],
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            stderr=None if os.environ.get("FUMEHOOD_DEBUG") else subprocess.DEVNULL,
            env=launch.environment(),
            cwd="/",
            start_new_session=True,
        )

    async def over(self, seconds: float) -> int | None:
        """How it ended, if it does so soon. Its line may be seen to end before it does."""
        until = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < until:
            await asyncio.sleep(0.01)
        return self.process.returncode

    def end(self) -> None:
        """It ends by itself with its line, and all that it has started with it; and is waited for
        when it is. Not for ever: what the kernel does not let die must not keep others of the node
        waiting."""
        if self.line is not None:
            self.line.close()
        self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_SECONDS)
