"""The clerk: a process that has the files of one lab in hand for the host, whatever the sandbox's
code does meanwhile. It runs no code of anybody's, and is none of the sandbox's processes: nobody in
there sees it.

Before it looks at the first file it has given up all else: its root is the lab where it may choose
one, Landlock leaves it the lab alone, it is the user that code is, and it has no capabilities. It
takes messages from the host and answers each, until the host closes the line.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fumehood.jail import filesystem, kernel, landlock, privileges
from fumehood.jail.namespaces import Spaces
from fumehood.jail.script import Script, lowest_free
from fumehood.wire import messages
from fumehood.wire.values import Decoder, Encoder
from fumehood.worker import trees, watching
from fumehood.worker.lab import Lab
from fumehood.worker.line import Line

NAME = "fumehood-clerk"
_PAUSE_MILLISECONDS = 250


@dataclass(frozen=True, slots=True)
class Desk:
    """What a clerk is to work on."""

    labs: str
    """Where the sandbox's labs are, as whoever is in its mount namespace calls it."""
    place: int
    spaces: Spaces | None
    uid: int
    gid: int
    rules: landlock.Rules | None
    file_bytes: int


def serve(host: socket.socket, desk: Desk) -> None:
    """Be a clerk."""
    kernel.set_process_name(NAME)
    line = Line()
    try:
        lab = Lab(_close_off(host, desk))
        line.attach(host.detach())
        _Clerk(line, lab).serve()
    except OSError as error:
        line.attach(host.detach())
        line.send(
            messages.Broken(
                message=f"the files of the sandbox cannot be reached: {error.strerror or error}"
            )
        )


def _close_off(host: socket.socket, desk: Desk) -> int:
    """Give up everything but the lab and the line; gives the lab's descriptor."""
    trees.KEPT[:] = [
        os.open("/proc/self/fd", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    ]  # its own, which is in no other namespace
    if desk.spaces is not None:
        kernel.setns(desk.spaces.mount, kernel.CLONE_NEWNS)
    lab = os.open(filesystem.lab_of(desk.place, desk.labs), trees.DIRECTORY | os.O_NOFOLLOW)
    os.fchdir(lab)
    if desk.spaces is not None:
        os.chroot(".")
    root = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    _keep_only({0, 1, 2, host.fileno(), root, *trees.KEPT})
    script = Script(lowest_free())
    script.become(desk.uid, desk.gid)
    for kind, most in (
        (resource.RLIMIT_FSIZE, desk.file_bytes),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        script.limit(kind, most)
    privileges.promise_no_new(script)
    if desk.rules is not None:
        desk.rules.restrict(script, readable=(), writable=(), devices=(), own=(root,))
    privileges.drop_capabilities(script)
    script.run()
    kernel.die_with_parent(9)  # the kernel forgets it when the user changes, so not before
    return root


def _keep_only(kept: set[int]) -> None:
    """Close all other descriptors: among them are those of other sandboxes, and the line by which
    the zygote is told what to do."""
    first = 0
    for descriptor in sorted(kept):
        if first < descriptor:  # else Python closes other things than none
            os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


class _Clerk:
    def __init__(self, line: Line, lab: Lab) -> None:
        self._line, self._lab = line, lab
        self._encoder, self._decoder = Encoder(), Decoder()
        self._handlers: dict[str, Callable[[Any, list[Any]], Any]] = {
            "write_file": lambda m, buffers: lab.write(
                m.path, self._decoder.decode(m.content, buffers), m.at
            ),
            "read_file": lambda m, _: lab.read(m.path, m.most, m.at),
            "list_files": lambda m, _: lab.listing(m.most),
            "look_at": lambda m, _: lab.look(m.path),
            "list_entries": lambda m, _: lab.entries(m.path, m.depth, m.most),
            "make_directory": lambda m, _: lab.make_directory(m.path),
            "rename_file": lambda m, _: lab.rename(m.path, m.to),
            "remove_file": lambda m, _: lab.remove(m.path),
        }

    def serve(self) -> None:
        while (received := self._line.receive(looks=False)) is not None:
            message, buffers = received
            try:
                if message.type == "watch_files":
                    self._watch(message)
                    return
                value, encoded = self._encoder.encode(
                    self._handlers[message.type](message, buffers)
                )
                self._line.send(messages.Done(id=message.id, value=value), encoded)
            except (OSError, ValueError) as error:
                self._line.send(
                    messages.Failed(id=message.id, error=type(error).__name__, message=_told(error))
                )

    def _watch(self, message: messages.WatchFiles) -> None:
        """Tell what happens until the host has heard enough. If it does not listen, what is not
        told yet waits in the kernel, which forgets it when there is too much, and says so."""
        watcher = watching.watch(self._lab, message.path, recursive=message.recursive)
        self._line.send(messages.Done(id=message.id))
        poll = select.poll()
        for descriptor in (self._line.fileno(), watcher.descriptor):
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        while True:
            ready = dict(poll.poll(_PAUSE_MILLISECONDS if watcher.descriptor < 0 else None))
            if self._line.fileno() in ready:
                return
            told = watcher.happened()
            if told:
                node, buffers = self._encoder.encode(told)
                with contextlib.suppress(ConnectionError):  # seen next
                    self._line.send(messages.FilesChanged(happened=node), buffers)


def _told(error: OSError | ValueError) -> str:
    """As Python says it, but for the number."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.strerror}: {os.fsdecode(error.filename)!r}"
    return str(error)
