"""A container, and the stream to its main process."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fumehood.docker import asking, owners
from fumehood.docker.engine import Engine, one_line
from fumehood.docker.hardening import Wanted, configuration, merged
from fumehood.docker.images import ReadyImage
from fumehood.dropping import Farewell
from fumehood.errors import ContainerFailed, DockerFailed, DockerUnavailable, ImageMissing
from fumehood.policy import Policy

_HEAD = 8
_STDOUT = 1
_OTHERS = (0, 2, 3)
"""What the container did not write to its standard output: errors, and what the engine itself has
to say (3)."""
_KEPT = 4096


class Demultiplexer:
    """Bytes of the stream in, the container's standard output out; the end of everything else is
    kept for error texts."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._is_output = False
        self._errors = b""

    @property
    def errors(self) -> str:
        """The last that the container wrote to its standard error. It was written by whoever runs
        in there."""
        return self._errors.decode(errors="replace")

    def feed(self, data: bytes) -> bytes:
        """What of it is standard output; nothing is held back but an incomplete head.
        ContainerFailed if it is no such stream."""
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


_END_SECONDS = 10.0
_DYING_SECONDS = 2.0
_LIMITS = ("Memory", "MemorySwap", "PidsLimit")


class Container:
    """A running container. `stream` is a plain socket: what is sent goes to the main process's
    standard input, what comes goes through `output.feed`, which gives its standard output. Whoever
    reads it finds its end when the container is gone; `why_gone` says why it is.

    It is killed and removed by `remove`, when nobody has it any more, and at the end of this
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
        self.engine = engine
        self.id = id
        self.name = name
        self.stream = stream
        self.output = Demultiplexer()
        self.wanted = wanted
        self.limits = {**limits}
        """Memory, MemorySwap and PidsLimit, in the engine's terms."""
        self.warnings = warnings
        """What the engine could not give: limits that its kernel does not keep, for instance."""
        self._remove = Farewell(self, _end, engine, id, stream, os.getpid())

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
        says why not; then there is none.

        `run_kwargs` are options in the terms of the `docker` package; some are refused with
        PolicyError, some warn.
        """
        changes = asking.changes(
            run_kwargs, stacklevel=None if stacklevel is None else stacklevel + 1
        )
        user = asking.user_of(run_kwargs)
        wanted = Wanted(policy, sandboxes, cpus, runtime, image.volumes)
        wanted = wanted if user is None else replace(wanted, user=user)
        made = {
            **configuration(wanted),
            "Image": image.id,
            "Entrypoint": [*command],
            "Cmd": [],
            "Env": [f"{name}={value}" for name, value in (environment or {}).items()],
            "Labels": owners.labels(),
        }
        made = merged(made, changes)
        name = made.pop("Name", None) or f"fumehood-{secrets.token_hex(4)}"
        query = {"name": name, **({} if platform is None else {"platform": platform})}
        try:
            created = engine.ask("POST", "/containers/create", query, made)
        except BaseException as error:
            if isinstance(error, DockerUnavailable) or not isinstance(error, DockerFailed):
                owners.remove_if_made(engine, name, seconds=_END_SECONDS)
            if isinstance(error, DockerFailed):
                raise _why_not(engine, image, wanted, error) from None
            raise
        id_ = created["Id"]
        stream = None
        try:
            stream = engine.upgrade(
                f"/containers/{id_}/attach", {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            )
            engine.ask("POST", f"/containers/{id_}/start")
            owners.sweep_once(engine)
            told = tuple(one_line(warning) for warning in created.get("Warnings") or ())
            limits = {limit: made["HostConfig"][limit] for limit in _LIMITS}
            return cls(engine, id_, name, stream, wanted, limits, told)
        except BaseException as error:
            _end(engine, id_, stream, os.getpid())
            if isinstance(error, DockerFailed) and not isinstance(error, DockerUnavailable):
                raise _why_not(engine, image, wanted, error) from None
            raise

    @property
    def is_removed(self) -> bool:
        """Whether `remove` was called."""
        return not self._remove.is_due

    def remove(self) -> None:
        """Kill it and remove it, with what it wrote. As often as one likes, from anywhere; takes a
        moment, and never raises."""
        self._remove()

    def allow(self, sandboxes: int, *, packages: bool = False) -> None:
        """Have room for that many sandboxes from now on, but for the size of labs, which stays what
        it was; and for packages, if asked. What the caller has set by `run_kwargs` stays too."""
        before = configuration(self.wanted)["HostConfig"]
        grown = replace(self.wanted, sandboxes=sandboxes, packages=packages or self.wanted.packages)
        after = configuration(grown)["HostConfig"]
        changed = {limit: after[limit] for limit in _LIMITS if self.limits[limit] == before[limit]}
        if changed:
            self.engine.ask("POST", f"/containers/{self.id}/update", body=changed)
        self.limits |= changed
        self.wanted = grown

    # -- why it is gone

    def why_gone(self) -> str:
        """In one line, what became of a container whose stream has ended. It may take a moment to
        be known."""
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
        """What happened to it lately, by kind. The engine keeps the last few hundred events, and
        forgets them when it is restarted."""
        filters = f'{{"type":["container"],"container":["{self.id}"],"event":["die","kill","oom"]}}'
        now = int(time.time())
        happened: dict[str, dict[str, str]] = {}
        for event in self.engine.lines(
            "/events", {"since": 1, "until": now + 1, "filters": filters}, seconds=_DYING_SECONDS
        ):
            kind = str(event.get("Action") or event.get("status"))
            happened[kind] = (event.get("Actor") or {}).get("Attributes") or {}
            killed = happened.get("die", {}).get("exitCode") == "137"
            # Who killed it may be told after that it died.
            if "die" in happened and (not killed or "kill" in happened or "oom" in happened):
                break
        return happened


def _in_words(
    state: Mapping[str, Any], happened: Mapping[str, Mapping[str, str]], limits: Mapping[str, int]
) -> str:
    code = (
        str(happened["die"].get("exitCode", ""))
        if "die" in happened
        else str(state.get("ExitCode", ""))
    )
    if state.get("Running"):
        return "it is running, but the line to it is broken"
    if (
        "kill" in happened
        # before memory: that may have been short some time ago, for processes that the container has  # noqa: E501
        # outlived
    ):
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
            "the engine knows nothing of it any more: the engine was restarted, or somebody removed"
            " the container"
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
    if isinstance(error, DockerUnavailable):
        return error
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


def _end(engine: Engine, id: str, stream: socket.socket | None, pid: int) -> None:  # noqa: A002
    """What is left to do when nobody has a container any more. A process that was forked from its
    owner leaves it alone."""
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()
    if os.getpid() != pid:
        return
    owners.remove_somehow(engine, id, seconds=_END_SECONDS)
