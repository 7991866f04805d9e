"""Waits without a bound, found in the text of our own files, and the table of those that may be
there: each says why it ends after all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "fumehood"
# Parts of the package that wait for something else than a sandbox, the kernel, an engine or a
# service.
ELSEWHERE = {
    "agent": "waits for a model, and for executors, which have bounds of their own",
    "attack": "programs that attack wait for what they like",
    "audit": "waits for threads of its own, which write files",
    "cli": "waits for whoever sits there",
    "language": "runs in a sandbox, for as long as the time limit of its cell",
    "models": "waits for a model, with time limits of the library that asks it",
    "tools": "waits for servers of tools, with time limits of its own",
}
_WAITS = ("wait", "join", "result", "acquire", "communicate")
_RECEIVES = (
    "recv",
    "recv_into",
    "recvmsg",
    "recv_fds",
    "accept",
    "sock_recv",
    "sock_accept",
    "sock_connect",
)
_SENDS = ("sendall", "sock_sendall")
"""To whoever does not read."""
_NOW = ("MSG_DONTWAIT", "_NOW", "_AT_ONCE")
_PROGRAMS = (
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
)
_DIALS = ("create_connection", "urlopen")


def unbounded() -> Iterator[tuple[str, str]]:
    """Every call that may wait for ever, as its file and its text."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(tuple(f"{part}/" for part in ELSEWHERE)):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _is_unbounded(node):
                    yield name, ast.unparse(node)
                elif isinstance(node, ast.Await) and ast.unparse(node.value).partition("(")[
                    0
                ].endswith(".remote"):
                    yield name, ast.unparse(node)  # what an actor of Ray's answers


def _is_unbounded(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return False
    text, name, owner = ast.unparse(call), function.attr, ast.unparse(function.value)
    if name in _RECEIVES:
        return not any(
            isinstance(part, (ast.Name, ast.Attribute)) and _last(part) in _NOW
            for part in ast.walk(call)
        )
    if name in _SENDS:
        return True
    if name in ("waitpid", "waitid"):
        return "WNOHANG" not in text and "WNOWAIT | " not in text
    if name == "get":  # of a queue; a context's variable has another name
        return not call.args and not call.keywords and owner.islower()
    if name == "poll":
        return not call.args and not text.startswith(
            ("select.poll", "self._process", "self.process", "self._victim", "process")
        )
    if name in ("flock", "lockf"):
        return "LOCK_NB" not in text or " if " in text
    if name == "select":
        return len(call.args) == (3 if owner == "select" else 0) and not call.keywords
    if (owner, name) == ("asyncio", "gather"):
        return True
    if (owner, name) == ("asyncio", "wait") or name == "wait_for":
        return _bound(call, 1, "timeout") is None
    if f"{owner}.{name}" in _PROGRAMS:
        return _bound(call, 99, "timeout") is None
    if name in _DIALS:
        return _bound(call, 1, "timeout") is None
    if name in _WAITS:
        first = call.args[0] if call.args else None
        is_none = isinstance(first, ast.Constant) and first.value is None
        return (not call.args and not call.keywords) or is_none
    return False


def _last(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _bound(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """What is given as a limit of time, by its place or by its name; None if nothing is, or
    None."""
    given = (
        call.args[place]
        if len(call.args) > place
        else next((word.value for word in call.keywords if word.arg == name), None)
    )
    return None if isinstance(given, ast.Constant) and given.value is None else given


_POLLED = "only called when there is something to read"
_DONE = "it is done already"
_OWN_THREAD = "a thread of ours that has nothing else to do; what ends it is "
_HOST_BOUNDS = (
    "the host has a bound for the answer (supervisor.py), and ends whoever does not give it"
)
_DIES = (
    "a child that was killed, or that ends by itself after a few system calls; the host has a bound"
    " for all that waits for it"
)
_RESULTS = (
    "whoever wants a result waits for it; items have limits of time, and those of lost nodes are"
    " run elsewhere or given up"
)
_ASKED = "the caller has asked for it without a limit of time"
_TIMED = "the socket has a limit of time"
_CANCELLED = "what is waited for was cancelled, or has a bound of its own"
_BEGUN = "within GREETING_SECONDS, after which it is cancelled"
_LOCKED = "whoever has the lock is at the same work, and loses it with the end of its process"

# fmt: off
ALLOWED: dict[tuple[str, str], str] = {
    ("docker/images.py", "fcntl.flock(file, fcntl.LOCK_EX)"): _LOCKED,
    ("docker/engine.py", "poll.poll()"): _OWN_THREAD + "the end of either side",
    ("e2b/sandboxes.py", "self._handle.wait()"): _OWN_THREAD + "the end of the line, or of the tunnel that looks at it",
    ("executors/snapshots.py", "standby.recv(messages.CHECKPOINT_HEAD.size)"): _POLLED,
    ("executors/cell.py", "self._work.get()"): _OWN_THREAD + "the program's end: it waits to be used again",
    ("executors/cell.py", "finished.result()"): _DONE,
    ("executors/files.py", "self._line.recv_into(room)"): _POLLED,
    ("executors/files.py", "self._line.recv(_CHUNK)"): _POLLED,
    ("executors/files.py", "self._line.sendall(piece)"): _TIMED,
    ("executors/commands.py", "self._runner.wait()"): "a method of ours with a bound (supervisor.py)",
    ("executors/commands.py", "command._changed.wait_for(lambda: command.pid or not command.is_running)"): "a start has a limit of time, and ends with the command server",
    ("executors/commands.py", "self._command.wait()"): "it has ended",
    ("executors/commands.py", "idle.poll()"): _OWN_THREAD + "a command, or the end of the command server",
    ("executors/commands.py", "self._thread.join()"): "the command server was killed, which ends its thread",
    ("executors/commands.py", "started.wait()"): _ASKED,
    ("executors/languages.py", "started.wait()"): "it has ended",
    ("integrations/deepagents.py", "started.wait()"): _ASKED,
    ("executors/executor.py", "asyncio.wait([run])"): "the cell was told to stop, and is killed after its grace",
    ("executors/inline.py", "done.result()"): "code that runs inline cannot be ended, as its report says",
    ("executors/session.py", "dead.wait()"): "a method of ours with a bound (supervisor.py)",
    ("executors/session.py", "runner.wait()"): "a method of ours with a bound (supervisor.py)",
    ("executors/pool.py", "given.result()"): _DONE,
    ("executors/pool.py", "running.popleft().result()"): "a cell has a limit of time, and a checkout the caller's",
    ("executors/supervisor.py", "self.wait()"): "a method of ours with a bound",
    ("executors/supervisor.py", "socket.recv_fds(self._control, 1 << 16, 4)"): "only called when there is an answer, or nobody to give one",
    ("fleet/engine.py", "asyncio.gather(*closing, return_exceptions=True)"): "within a wait that has a bound",
    ("fleet/ray_links.py", "asyncio.gather(*self._opening.values(), return_exceptions=True)"): _CANCELLED,
    ("fleet/ray_links.py", "await self._host.ask.remote(self.part, method, self._fleet, *args)"): "whoever asks has a bound",
    ("fleet/runs.py", "changed.wait()"): _RESULTS,
    ("fleet/runs.py", "self._changed.wait()"): _RESULTS,
    ("fleet/workshop.py", "self._todo.wait()"): _OWN_THREAD + "the end of the workshop: it waits for the next item",
    ("jail/spawn.py", "socket.recv_fds(requests, _MOST_BYTES, _MOST_DESCRIPTORS)"): "it ends with the process at the other end",
    ("jail/spawn.py", "template.recv(_REPLY.size)"): _TIMED,
    ("observing.py", "waiting.get()"): _OWN_THREAD + "the program's end: it waits for the next event",
    ("packages/installers.py", "process.wait()"): "its output has ended, or it was killed; whoever waits may interrupt it",
    (
        "packages/store.py",
        "fcntl.flock(self._descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB))",
    ): _LOCKED,
    ("ray/host.py", "asyncio.get_running_loop().sock_recv(line, size - len(said))"): _BEGUN,
    ("ray/host.py", "asyncio.get_running_loop().sock_sendall(remote.line, data)"): "a driver that waits too long for it has the line ended",
    ("ray/host.py", "come.wait()"): "within a wait that has a bound",
    ("ray/host.py", "remote.line.recv(_MOST_AT_ONCE)"): "it does not block",
    ("ray/host.py", "remote.process.poll()"): "a look at a process, which waits for nothing",
    ("ray/host.py", "greeted.result()"): _DONE,
    ("ray/host.py", "loop.sock_accept(listening)"): _BEGUN,
    ("ray/host.py", "loop.sock_sendall(caller, own + proof(secret, b'node', driver, own))"): _BEGUN,
    ("ray/sdk.py", "line.recv(9)"): _TIMED,
    ("ray/sdk.py", "line.sendall(_PREFACE)"): _TIMED,
    ("ray/ways.py", "stream.recv(size - len(said))"): _TIMED,
    ("ray/ways.py", "stream.sendall(own)"): _TIMED,
    ("ray/ways.py", "stream.sendall(proof(secret, b'driver', own, node))"): _TIMED,
    ("tunnel/pump.py", "self._ours.recv(_MOST_AT_ONCE)"): _OWN_THREAD + "the end of the line",
    ("tunnel/pump.py", "self._ours.sendall(data)"): _OWN_THREAD + "the end of the line; the tunnel reads all that comes",
    ("server/access_log.py", "self._batches.get()"): _OWN_THREAD + "the server's end: it waits for the next line",
    ("server/brokers.py", "socket.recv_fds(self._control, 1 << 16, 1)"): _OWN_THREAD + "the end of the client's line",
    ("server/brokers.py", "line.sendall(self._confine)"): "a new socket has room for it",
    ("server/e2b/processes.py", "self.command.wait()"): _ASKED + ", and the sandbox has one",
    ("server/e2b/streams.py", "self._event.wait()"): "in a request, which ends with its connection",
    ("server/remote_ends.py", "self._over.wait()"): "in a request, which ends with its connection or its sandbox",
    ("server/remote_ends.py", "self._remote_end.stream.recv(_PIECE)"): "in a request, which ends with its connection or its sandbox",
    ("server/remote_ends.py", "remote_end.stream.sendall(decoded)"): "in a request, which ends with its connection or its sandbox",
    ("server/leftovers.py", "fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))"): _LOCKED,
    ("server/sandboxes.py", "asyncio.gather(*(self._end(key, other, executor.close) for executor, other in zip(made, held, strict=True)))"): "an executor's end has bounds of its own",
    (
        "server/sandboxes.py",
        "asyncio.gather(*ending, *(self._end(other.key, other.held, other.snapshot.discard) for other in kept), return_exceptions=True)",
    ): "an executor's end has bounds of its own",
    ("server/server.py", "asyncio.gather(self._warming, reaping, return_exceptions=True)"): _CANCELLED,
    ("server/streaming.py", "asyncio.gather(writing, leaving, return_exceptions=True)"): _CANCELLED,
    ("server/streaming.py", "asyncio.wait([writing, leaving], return_when=asyncio.FIRST_COMPLETED)"): "until the client leaves",
    ("server/streaming.py", "writing.result()"): _DONE,
    ("server/threads.py", "self._jobs.get()"): _OWN_THREAD + "the server's end: it waits for the next job",
    ("server/websocket.py", "websocket.accept()"): "answers a request that is there",
    (
        "server/websocket.py",
        "asyncio.gather(*(run.stop() for run in self._runs.values() if not run.goes_on), return_exceptions=True)",
    ): "a run that was told to stop does, or is killed",
    ("server/websocket.py", "asyncio.gather(*both, return_exceptions=True)"): _CANCELLED,
    ("server/websocket.py", "asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)"): "until the client leaves, or the sandbox is over",
    ("server/websocket.py", "task.result()"): _DONE,
    ("worker/checkpoint.py", "socket.recv_fds(standby, 1, 1)"): "a base waits until it is needed, and ends with its runner's host",
    ("worker/commands.py", "os.waitpid(relay, 0)"): "it has ended, or was killed",
    ("worker/commands.py", "os.waitpid(running.pid, 0)"): "it was seen dead",
    ("worker/commands.py", "poll.poll()"): "a relay ends when its terminal or its host does",
    ("worker/start.py", "os.waitpid(first, 0)"): _HOST_BOUNDS,
    ("worker/preload.py", "ours.recv(1 << 16)"): "its other end is in this process, and has sent or is closed",
    ("worker/preload.py", "ours.sendall(b''.join(map(bytes, host.send(messages.Run(id=time, code=code)))))"): "a short message to a socket of this process",
    ("worker/start.py", "self._socket.recv(1 << 16)"): _HOST_BOUNDS,
    ("worker/supervisor.py", "control.recv(1 << 20)"): "the host has sent it already, or is dead",
    ("worker/supervisor.py", "os.waitpid(child, 0)"): _DIES,
    ("worker/supervisor.py", "os.waitpid(fork.start(run), 0)"): _DIES,
    ("worker/supervisor.py", "os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)"): "it lives as long as its zygote does",
    ("worker/supervisor.py", "poll.poll()"): "it lives as long as its host and its zygote do",
    ("worker/line.py", "self._socket.recv_into(room)"): "a runner waits for its host, and ends with it",
    ("worker/line.py", "self._socket.recvmsg(_CHUNK, _ATTACHED, socket.MSG_CMSG_CLOEXEC)"): "a runner waits for its host, and ends with it",
    ("worker/line.py", "self._socket.sendall(piece)"): "a runner waits for its host, and ends with it",
    ("worker/zygote.py", "socket.recv_fds(self._control, 1 << 16, 1)"): _POLLED,
}
# fmt: on

# Where something is compared with the wall clock: dates that somebody else has given, none of them
# the end of a wait.
COMPARED: dict[tuple[str, str], str] = {
    (
        "docker/inventory.py",
        "each.created < time.time() - _BUILDING_SECONDS",
    ): "the age of an image, as the engine dates it",
    (
        "server/e2b/control.py",
        "sandbox.expires - time.time() < seconds",
    ): "a span, by two looks at the clock in the same moment",
    ("server/e2b/doors.py", "int(expiration) < time.time()"): "a date that was signed",
}
