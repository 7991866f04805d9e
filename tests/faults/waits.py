"""Waits without a bound, found in the text of our own files, and the table of those that may be there: each says why it ends after all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "fumehood"
# Parts of the package that wait for something else than a sandbox, the kernel, an engine or a service.
ELSEWHERE = {
    "agent": "waits for a model, and for executors, which have bounds of their own",
    "attack": "programs that attack wait for what they like",
    "audit": "waits for threads of its own, which write files",
    "cli": "waits for whoever sits there",
    "language": "runs in a sandbox, for as long as the time limit of its cell",
    "models": "waits for a model, with time limits of the library that asks it",
    "tools": "waits for servers of tools, with time limits of its own",
    "worker/shell": "runs in a sandbox, for as long as the time limit of its command",
}
_WAITS = ("wait", "join", "result", "acquire", "communicate")
_RECEIVES = ("recv", "recv_into", "recvmsg", "recv_fds", "accept")
_NOW = ("MSG_DONTWAIT", "_NOW", "_AT_ONCE")


def unbounded() -> Iterator[tuple[str, str]]:
    """Every call that may wait for ever, as its file and its text."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(tuple(f"{part}/" for part in ELSEWHERE)):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _is_unbounded(node):
                    yield name, ast.unparse(node)


def _is_unbounded(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return False
    text = ast.unparse(call)
    if function.attr in _RECEIVES:
        return not any(word in text for word in _NOW)
    if function.attr in ("waitpid", "waitid"):
        return "WNOHANG" not in text and "WNOWAIT | " not in text
    if function.attr == "get":  # of a queue; a context's variable has another name
        owner = ast.unparse(function.value)
        return not call.args and not call.keywords and owner.islower()
    if function.attr == "poll":
        return not call.args and not text.startswith(("select.poll", "self._process", "self.process", "self._victim", "process"))
    if function.attr in _WAITS:
        first = call.args[0] if call.args else None
        is_none = isinstance(first, ast.Constant) and first.value is None
        return (not call.args and not call.keywords) or is_none
    return False


_POLLED = "only called when there is something to read"
_DONE = "it is done already"
_OWN_THREAD = "a thread of ours that has nothing else to do; what ends it is "
_HOST_BOUNDS = "the host has a bound for the answer (zygotes.py), and ends whoever does not give it"
_DIES = "a child that was killed, or that ends by itself after a few system calls; the host has a bound for all that waits for it"
_POOL = "whoever is at the pool's books, who never waits for anything, gives the answer"
_RESULTS = "whoever wants a result waits for it; items have limits of time, and those of lost nodes are run elsewhere or given up"
_ASKED = "the caller has asked for it without a limit of time"

# fmt: off
ALLOWED: dict[tuple[str, str], str] = {
    ("docker/relaying.py", "poll.poll()"): _OWN_THREAD + "the end of either side",
    ("docker/relaying.py", "encrypted.recv(_CHUNK)"): _POLLED,
    ("docker/relaying.py", "local.recv(_CHUNK)"): _POLLED,
    ("e2b/commands.py", "self._handle.wait()"): _OWN_THREAD + "the end of the line, or of the tunnel that looks at it",
    ("e2b/inputs.py", "self._done.wait()"): _OWN_THREAD + "the request's own limit of time",
    ("executors/branching.py", "socket.recv_fds(wire, _CHUNK, 1)"): _POLLED,
    ("executors/calls.py", "self._handed.acquire()"): _OWN_THREAD + "the program's end: it waits to be used again",
    ("executors/calls.py", "finished.result()"): _DONE,
    ("executors/clerks.py", "self._line.recv_into(room)"): _POLLED,
    ("executors/clerks.py", "self._line.recv(_CHUNK)"): _POLLED,
    ("executors/commands.py", "self._runner.wait()"): "a method of ours with a bound (zygotes.py)",
    ("executors/commands.py", "self._changed.wait()"): _ASKED,
    ("executors/connection.py", "socket.recv_fds(self._wire, _CHUNK, 1)"): _POLLED,
    ("executors/inline.py", "thread.join()"): "code that runs inline cannot be ended, as its report says",
    ("executors/jailed.py", "dead.wait()"): "a method of ours with a bound (zygotes.py)",
    ("executors/leases.py", "waiter.wait(None)"): _POOL,
    ("executors/pool.py", "waiter.wait(None)"): _POOL,
    ("executors/stock.py", "waiter.wait(None)"): _POOL,
    ("executors/waiters.py", "self._lock.acquire()"): "a new lock, which nobody has",
    ("executors/worker.py", "runner.wait()"): "a method of ours with a bound (zygotes.py)",
    ("executors/zygotes.py", "self.wait()"): "a method of ours with a bound",
    ("executors/zygotes.py", "socket.recv_fds(self._control, 1 << 16, 4)"): "only called when there is an answer, or nobody to give one",
    ("fleet/runs.py", "changed.wait()"): _RESULTS,
    ("fleet/runs.py", "self._changed.wait()"): _RESULTS,
    ("fleet/workshop.py", "self._todo.wait()"): _OWN_THREAD + "the end of the workshop: it waits for the next item",
    ("jail/contained.py", "os.waitid(os.P_PID, pid, options)"): "what is asked for is always WNOHANG",
    ("jail/contained.py", "socket.recv_fds(asked, _MOST, 8)"): "whoever has the other end is who it lives for",
    ("jail/contained.py", "of.recv(_ANSWER.size)"): "the socket has a limit of time",
    ("jail/template.py", "template.recv(8)"): "the socket has a limit of time (copies.py)",
    ("observing.py", "waiting.get()"): _OWN_THREAD + "the program's end: it waits for the next event",
    ("packages/installers.py", "process.wait()"): "its output has ended, or it was killed; whoever waits may interrupt it",
    ("ray/host.py", "come.wait()"): "within a wait that has a bound",
    ("ray/host.py", "far.process.poll()"): "a look at a process, which waits for nothing",
    ("ray/host.py", "greeted.result()"): _DONE,
    ("ray/host.py", "self.process.wait()"): "it was killed",
    ("ray/sdk.py", "line.recv(9)"): "the socket has a limit of time",
    ("ray/ways.py", "stream.recv(size - len(said))"): "the socket has a limit of time",
    ("server/access_log.py", "self._batches.get()"): _OWN_THREAD + "the server's end: it waits for the next line",
    ("server/brokers.py", "socket.recv_fds(self._control, 1 << 16, 1)"): _OWN_THREAD + "the end of the client's line",
    ("server/e2b/processes.py", "self.command.wait()"): _ASKED + ", and the sandbox has one",
    ("server/e2b/shell_lines.py", "command.wait()"): _ASKED + ", and the sandbox has one",
    ("server/e2b/streams.py", "self._event.wait()"): "in a request, which ends with its connection",
    ("server/far_ends.py", "self._over.wait()"): "in a request, which ends with its connection or its sandbox",
    ("server/far_ends.py", "self._far_end.stream.recv(_PIECE)"): "in a request, which ends with its connection or its sandbox",
    (
        "server/operations/running.py",
        "call.sandbox.executor.command(body.line, cwd=body.cwd, environment=body.environment, **options).wait()",
    ): "the options have a limit of time",
    ("server/streaming.py", "writing.result()"): _DONE,
    ("server/threads.py", "self._jobs.get()"): _OWN_THREAD + "the server's end: it waits for the next job",
    ("server/websocket.py", "websocket.accept()"): "answers a request that is there",
    ("server/websocket.py", "task.result()"): _DONE,
    ("worker/branching.py", "socket.recv_fds(standby, 1, 1)"): "a base waits until it is needed, and ends with its runner's host",
    ("worker/copies.py", "os.waitpid(first, 0)"): _HOST_BOUNDS,
    ("worker/copies.py", "self._template.recv(1 << 16)"): _HOST_BOUNDS,
    ("worker/guardian.py", "control.recv(1 << 20)"): "the host has sent it already, or is dead",
    ("worker/guardian.py", "os.waitpid(child, 0)"): _DIES,
    ("worker/guardian.py", "os.waitpid(fork.start(try_entering), 0)"): _DIES,
    ("worker/guardian.py", "os.waitpid(fork.start(try_leaving), 0)"): _DIES,
    ("worker/guardian.py", "os.waitpid(fork.start(try_starting), 0)"): _DIES,
    ("worker/guardian.py", "os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)"): "it lives as long as its zygote does",
    ("worker/guardian.py", "poll.poll()"): "it lives as long as its host and its zygote do",
    ("worker/households.py", "os.waitpid(first, 0)"): _HOST_BOUNDS,
    ("worker/households.py", "self._line.recv(1 << 16)"): _HOST_BOUNDS,
    ("worker/line.py", "self._socket.recv_into(room)"): "a runner waits for its host, and ends with it",
    ("worker/line.py", "self._socket.recvmsg(_CHUNK, _ATTACHED)"): "a runner waits for its host, and ends with it",
    ("worker/zygote.py", "os.waitpid(dead.si_pid, 0)"): "it was seen dead",
    ("worker/zygote.py", "poll.poll()"): "a zygote waits for its host, and ends with it",
    ("worker/zygote.py", "socket.recv_fds(self._control, 1 << 16, 1)"): _POLLED,
}
# fmt: on

# Where something is compared with the wall clock: dates that somebody else has given, none of them the end of a wait.
COMPARED: dict[tuple[str, str], str] = {
    ("docker/inventory.py", "each.created < time.time() - _BUILDING_SECONDS"): "the age of an image, as the engine dates it",
    ("server/e2b/control.py", "sandbox.expires - time.time() < seconds"): "a span, by two looks at the clock in the same moment",
    ("server/e2b/doors.py", "int(expiration) < time.time()"): "a date that was signed",
    ("worker/shell/listing.py", "-60 < time.time() - moment < _HALF_A_YEAR"): "how the date of a file is shown",
}
