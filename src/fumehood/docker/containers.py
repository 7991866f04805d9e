"""A container: the stream to its main process, its owner, and its end.

Labels say which process started a container. A container ends when its host process does. If one is
left all the same, because an engine hung, the next process of this machine that starts a container
removes it.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import hashlib
import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import fumehood
from fumehood.docker.engine import Engine, in_path, one_line
from fumehood.docker.hardening import Wanted, changes, configuration, merged, user_of
from fumehood.docker.images import ReadyImage
from fumehood.errors import ContainerFailed, DockerFailed, DockerUnavailable, ImageMissing
from fumehood.finalizer import Finalizer
from fumehood.policy import Policy

# Labels of our containers.
OURS = "fumehood"
MACHINE = "fumehood.machine"
PID = "fumehood.pid"
STARTED = "fumehood.started"
VERSION = "fumehood.version"
AT = "fumehood.at"

_END_SECONDS = 10.0
_DYING_SECONDS = 2.0
_PAUSES_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Before each further attempt to remove a container."""
_LIMITS = ("Memory", "MemorySwap", "PidsLimit")
_HEAD = 8
_STDOUT = 1
_OTHERS = (0, 2, 3)
"""Standard error, and what the engine itself says (3)."""
_KEPT = 4096


class Demultiplexer:
    """Takes the bytes of the stream and returns the container's standard output. The end of
    everything else is kept for error texts. The SDK's own reader trusts the lengths it is sent and
    blocks for them; this one holds nothing back but an incomplete head."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._is_output = False
        self._errors = b""

    @property
    def errors(self) -> str:
        """The last that the container wrote to its standard error. Untrusted."""
        return self._errors.decode(errors="replace")

    def feed(self, data: bytes) -> bytes:
        """The standard output in it. ContainerFailed if it is no such stream."""
        size = len(data)
        if (
            not self._left
            and not self._head
            and size > _HEAD
            and data[:4] == b"\1\0\0\0"
            and int.from_bytes(data[4:8], "big") == size - _HEAD
        ):
            return data[_HEAD:]  # one whole piece: nearly always
        out: list[bytes] = []
        at = 0
        while at < size:
            if not self._left:
                missing = _HEAD - len(self._head)
                self._head += data[at : at + missing]
                at += missing
                if len(self._head) < _HEAD:
                    break
                self._take_head()
                continue
            piece = data[at : at + self._left]
            at += len(piece)
            self._left -= len(piece)
            if self._is_output:
                out.append(piece)
            else:
                self._errors = (self._errors + piece)[-_KEPT:]
        return b"".join(out)

    def _take_head(self) -> None:
        head, self._head = self._head, b""
        if head[0] != _STDOUT and head[0] not in _OTHERS or head[1:4] != b"\0\0\0":
            raise ContainerFailed(
                f"the Docker engine sent {head!r} where a piece of output should begin; is the"
                " container's tty on?"
            )
        self._is_output = head[0] == _STDOUT
        self._left = int.from_bytes(head[4:], "big")


class Container:
    """A running container. `stream` is a plain socket to its main process's standard input; what is
    read from it goes through `output.feed`. It ends with the container; `why_gone` says why.

    It is killed and removed by `remove`, when it is no longer referenced, and at the end of this
    process.
    """

    def __init__(
        self,
        engine: Engine,
        id: str,  # noqa: A002
        name: str,
        stream: socket.socket,
        wanted: Wanted,
        limits: Mapping[str, int],
        warnings: tuple[str, ...],
    ) -> None:
        self.engine, self.id, self.name, self.stream = engine, id, name, stream
        self.output = Demultiplexer()
        self.wanted = wanted
        self.limits = {**limits}
        """Memory, MemorySwap and PidsLimit, in the engine's terms."""
        self.warnings = warnings
        """What the engine could not give: limits that its kernel does not keep, for instance."""
        self._remove = Finalizer(self, _end, engine, id, stream, os.getpid())

    @classmethod
    def start(
        cls,
        engine: Engine,
        image: ReadyImage,
        command: Sequence[str],
        *,
        policy: Policy,
        sandboxes: int = 1,
        cpus: float | None = None,
        runtime: str | None = None,
        platform: str | None = None,
        environment: Mapping[str, str] | None = None,
        run_kwargs: Mapping[str, Any] | None = None,
        stacklevel: int | None = 2,
    ) -> Container:
        """Start a container with room for that many sandboxes, and attach to it. ContainerFailed
        says why not; then there is none. `run_kwargs` are as of `hardening.changes`."""
        changed = changes(run_kwargs, stacklevel=None if stacklevel is None else stacklevel + 1)
        user = user_of(run_kwargs)
        wanted = Wanted(policy, sandboxes, cpus, runtime, image.volumes)
        wanted = wanted if user is None else replace(wanted, user=user)
        made = {
            **configuration(wanted),
            "Image": image.id,
            "Entrypoint": [*command],
            "Cmd": [],
            "Env": [f"{name}={value}" for name, value in (environment or {}).items()],
            "Labels": labels(),
        }
        made = merged(made, changed)
        name = made.pop("Name", None) or f"fumehood-{secrets.token_hex(4)}"
        query = {"name": name, **({} if platform is None else {"platform": platform})}
        id_, stream = name, None
        has_answered = False
        try:
            created = engine.ask("POST", "/containers/create", query, made)
            has_answered, id_ = True, created["Id"]
            stream = engine.attach(id_)
            engine.ask("POST", f"/containers/{id_}/start")
            sweep_once(engine)
            told = tuple(one_line(warning) for warning in created.get("Warnings") or ())
            limits = {limit: made["HostConfig"][limit] for limit in _LIMITS}
            return cls(engine, id_, name, stream, wanted, limits, told)
        except BaseException as error:
            refusal = error if isinstance(error, DockerFailed) else None
            if isinstance(error, DockerUnavailable):
                refusal = None
            if has_answered or refusal is None:
                # Without an answer the engine may create it only after this call.
                _end(engine, id_, stream, os.getpid(), is_perhaps_made=not has_answered)
            if refusal is not None:
                raise _why_not(engine, image, wanted, refusal) from None
            raise

    @property
    def is_removed(self) -> bool:
        """Whether `remove` was called."""
        return not self._remove.is_due

    def remove(self) -> None:
        """Kill it and remove it, with what it wrote. It never raises; a second call does
        nothing."""
        self._remove()

    def allow(self, sandboxes: int, *, packages: bool = False) -> None:
        """Make room for that many sandboxes, except in the size of their directories, which cannot
        change; and for packages, if asked. Limits that the caller set by `run_kwargs` stay."""
        before = configuration(self.wanted)["HostConfig"]
        grown = replace(self.wanted, sandboxes=sandboxes, packages=packages or self.wanted.packages)
        after = configuration(grown)["HostConfig"]
        changed = {limit: after[limit] for limit in _LIMITS if self.limits[limit] == before[limit]}
        if changed:
            self.engine.ask("POST", f"/containers/{self.id}/update", body=changed)
        self.limits |= changed
        self.wanted = grown

    def why_gone(self) -> str:
        """In one line, why its stream has ended. The engine may need a moment to know."""
        if self.is_removed:
            return "it was removed by the host"
        try:
            told = self._why()
        except DockerUnavailable as error:
            told = f"the engine is gone, and the container with it: {error}"
        except DockerFailed as error:
            told = f"the engine does not say why: {error}"
        last = one_line(self.output.errors)[-300:]
        return f"{told}; its last words: {last}" if last else told

    def _why(self) -> str:
        until = time.monotonic() + _DYING_SECONDS
        while True:
            try:
                state = self.engine.ask("GET", f"/containers/{self.id}/json")["State"]
            except DockerFailed as error:
                if error.status != 404:
                    raise
                state = {"Status": "removed"}
            happened = self._events()
            if "die" in happened or not state.get("Running") or time.monotonic() > until:
                return _in_words(state, happened, self.limits)
            time.sleep(0.05)

    def _events(self) -> dict[str, dict[str, str]]:
        """What happened to it lately, by kind: the state of a container that is removed is gone."""
        filters = {"type": ["container"], "container": [self.id], "event": ["die", "kill", "oom"]}
        query = {"since": 1, "until": int(time.time()) + 1, "filters": json.dumps(filters)}
        happened: dict[str, dict[str, str]] = {}
        for event in self.engine.lines("/events", query, seconds=_DYING_SECONDS):
            kind = str(event.get("Action") or event.get("status"))
            happened[kind] = (event.get("Actor") or {}).get("Attributes") or {}
            was_killed = happened.get("die", {}).get("exitCode") == "137"
            # The kill may be reported after the death.
            if "die" in happened and (not was_killed or "kill" in happened or "oom" in happened):
                break
        return happened


def _in_words(
    state: Mapping[str, Any], happened: Mapping[str, Mapping[str, str]], limits: Mapping[str, int]
) -> str:
    code = str(happened.get("die", {}).get("exitCode") or state.get("ExitCode", ""))
    if state.get("Running"):
        return "it is running, but the stream to it is broken"
    # Before memory: an earlier process may have run out of it, and the container outlived that.
    if "kill" in happened:
        number = happened["kill"].get("signal", "?")
        by = "docker stop, or the engine was restarted" if number == "15" else "docker kill"
        return f"it was killed from outside ({by}; signal {number})"
    if state.get("OOMKilled") or "oom" in happened and code == "137":
        return (
            f"it ran out of memory: all sandboxes in it may have {limits['Memory'] >> 20:,} MB"
            " together"
        )
    if "die" not in happened and state.get("Status") == "removed":
        return (
            "the engine does not know it any more: the engine was restarted, or the container was"
            " removed"
        )
    if code == "137":
        return "its main process was killed from outside"
    if code in ("126", "127"):
        return "the image has no python3 that can be started"
    return f"its main process ended with exit code {code or 'unknown'}"


def _why_not(
    engine: Engine, image: ReadyImage, wanted: Wanted, error: DockerFailed
) -> DockerFailed:
    """Why a container could not be started, with what to do where that is known."""
    told = str(error)
    if error.status == 404 and "image" in told.lower():
        return ImageMissing(f"the image {image.name} is not on the engine: {told}", status=404)
    if wanted.runtime is not None and "runtime" in told.lower() and error.status in (400, 404, 500):
        names = ", ".join(sorted((engine.ask("GET", "/info") or {}).get("Runtimes") or {}))
        if wanted.runtime not in names:
            told = (
                f"the engine has no runtime {wanted.runtime!r}, only {names}; install it there and"
                " name it in its daemon.json"
            )
    elif "docker-init" in told:
        told += "; install tini on the engine's machine (Debian, Ubuntu: apt-get install tini)"
    elif "no space left on device" in told.lower():
        told = "the engine's disk is full. Make room (fumehood docker prune, docker system df)"
    return ContainerFailed(f"the container could not be started: {told}", status=error.status)


# -- owners


def labels() -> dict[str, str]:
    """The labels of a container that this process starts."""
    return {
        OURS: "1",
        MACHINE: machine(),
        PID: str(os.getpid()),
        STARTED: _started(os.getpid()) or "",
        VERSION: fumehood.__version__,
        AT: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


@functools.cache
def machine() -> str:
    """Identifies this machine since its start, and the pid namespace: where process ids mean the
    same."""
    known = []
    for path in ("/etc/machine-id", "/proc/sys/kernel/random/boot_id"):
        with contextlib.suppress(OSError):
            known.append(Path(path).read_text().strip())
    with contextlib.suppress(OSError):
        known.append(os.readlink("/proc/self/ns/pid"))  # noqa: PTH115
    return hashlib.sha256("\0".join(["fumehood", *known]).encode()).hexdigest()[:16]


def is_gone(labels: Mapping[str, str]) -> bool | None:
    """Whether the process that started a container is gone. None if that is not known here."""
    if (
        labels.get(MACHINE) != machine()
        or not labels.get(PID, "").isdecimal()
        or not labels.get(STARTED)
    ):
        return None
    return _started(int(labels[PID])) != labels[STARTED]


def _started(pid: int) -> str | None:
    """The start time of a process in kernel ticks: a later process of the same id has another."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    fields = stat.rpartition(b")")[2].split()  # the name before it may hold anything
    return None if fields[0] in (b"Z", b"X") else fields[19].decode()


def remove(engine: Engine, container: str, *, seconds: float = 30.0) -> bool:
    """Kill a container and remove it with its volumes. False if it was gone already."""
    try:
        engine.ask(
            "DELETE", f"/containers/{in_path(container)}", {"force": 1, "v": 1}, seconds=seconds
        )
    except DockerFailed as error:
        if error.status == 404 or error.status == 409 and "already in progress" in str(error):
            return False
        raise
    return True


def _end(
    engine: Engine,
    container: str,
    stream: socket.socket | None,
    pid: int,
    *,
    is_perhaps_made: bool = False,
) -> None:
    """Remove a container without an error. A process that was forked from the owner leaves it
    alone. What a busy or restarting engine does not do is tried again in the background; what is
    left when this process ends is left to the next one's sweep."""
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()
    if os.getpid() != pid:
        return
    try:
        if remove(engine, container, seconds=_END_SECONDS) or not is_perhaps_made:
            return
    except (DockerFailed, OSError, ValueError):
        pass
    with contextlib.suppress(RuntimeError):  # no thread starts while the interpreter ends
        threading.Thread(
            target=_remove_later,
            args=(engine, container, is_perhaps_made),
            name="fumehood-remove",
            daemon=True,
        ).start()


def _remove_later(engine: Engine, container: str, is_perhaps_made: bool) -> None:
    for pause in _PAUSES_SECONDS:
        time.sleep(pause)
        with contextlib.suppress(DockerFailed, OSError, ValueError):
            if remove(engine, container) or not is_perhaps_made:
                return


def sweep(engine: Engine) -> int:
    """Remove the containers of this machine whose processes are gone; returns how many."""
    filters = json.dumps({"label": [f"{MACHINE}={machine()}"]})
    removed = 0
    for found in engine.ask("GET", "/containers/json", {"all": 1, "filters": filters}):
        if is_gone(found.get("Labels") or {}):
            with contextlib.suppress(DockerFailed):
                removed += remove(engine, found["Id"])
    return removed


_swept: set[tuple[int, str]] = set()


def sweep_once(engine: Engine) -> None:
    """The same in the background, once per process and engine, without an error."""
    key = os.getpid(), engine.address
    if key in _swept:
        return
    _swept.add(key)

    def sweep_quietly() -> None:
        with contextlib.suppress(DockerFailed, OSError, ValueError):
            sweep(engine)

    threading.Thread(target=sweep_quietly, name="fumehood-sweep", daemon=True).start()
