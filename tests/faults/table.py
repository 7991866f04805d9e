"""Faults and places: what must come of each, and why. A row is a test (test_faults.py) and a line
of docs/security/faults.md (page.py)."""

from __future__ import annotations

from dataclasses import dataclass

VALUE = "value"
KILLED = "fault killed"
TIMEOUT = "fault timeout"
NO_ROOM = "NoRoom"
HUNG_UP = ("RemoteProtocolError", "ReadError", "ConnectError")


@dataclass(frozen=True)
class Row:
    fault: str
    """One of FAULTS (doings.py)."""
    place: str
    sees: tuple[str, ...]
    """What the caller may see: a value, a fault of the cell, or an exception by its type.
    Afterwards a cell and a new sandbox work."""
    reason: str

    @property
    def name(self) -> str:
        return f"{self.fault}: {self.place}"

    @property
    def is_extended(self) -> bool:
        """`make test` runs the short local rows, and one row for each way in which a place differs
        from a local jail."""
        if self.place == "local":
            return self.fault in _LONG
        return self.fault not in _EACH_TIME[self.place]


_LONG = (
    "template stopped",  # these two wait for another process, whose patience a test cannot shorten
    "runner that cannot be killed",
    "all asleep",  # these take seconds
    "zygote stopped for good",
    "supervisor stopped",
    "host stopped",
    "runner stopped",
)
"""Of the faults on this machine, those that only `make test-all` tries."""
_EACH_TIME: dict[str, tuple[str, ...]] = {
    "pool": ("ready sandboxes killed",),
    "inline": ("clock jumps",),
    "docker": ("zygote killed",),
    "e2b": (),
    "server": ("zygote killed",),
    "ray": (),
}


# fmt: off
ROWS = (
    Row("host killed", "local", ("gone",), "the supervisor sees the host end, and the kernel ends the namespaces"),
    Row("host killed", "pool", ("gone",), "the sandboxes that are ready are below the same supervisor"),
    Row("host killed", "docker", ("gone",), "a container ends with the line to it"),
    Row("host killed", "e2b", ("gone",), "a service ends a sandbox whose time nobody renews"),
    Row("host killed", "server", ("gone",), "a server is a host like any other; the next clears its directory"),
    Row("host killed", "ray", ("gone",), "Ray ends the actors of a driver that is gone, and with each its remote end"),
    Row("zygote killed", "local", (KILLED,), "the zygote is the first process of the namespaces; a new one is started for the next cell"),
    Row("zygote killed", "pool", (KILLED,), "what is ready dies with it and is not lent"),
    Row("zygote killed", "docker", (KILLED,), "the supervisor in there ends what the zygote leaves"),
    Row("zygote killed", "e2b", (KILLED,), "as on this machine, at the other end of the line"),
    Row("zygote killed", "ray", (KILLED,), "as on this machine, at the other end of the line"),
    Row("zygote killed", "server", (KILLED,), "a client is told as a caller is"),
    Row("zygote killed between cells", "local", ("SandboxFailed", KILLED), "nobody waits for a process that is dead"),
    Row("supervisor killed", "local", (KILLED,), "the kernel ends the zygote with it; the next supervisor removes its cgroup"),
    Row("supervisor killed", "pool", (KILLED,), "as without a pool"),
    Row("supervisor killed", "docker", (KILLED,), "its zygote ends with it"),
    Row("supervisor killed", "ray", (KILLED,), "its zygote ends with it; the next is on the same node"),
    Row("supervisor killed", "server", (KILLED,), "as in any host"),
    Row("template killed", "local", (VALUE,), "runners live on; the zygote makes another template for the next"),
    Row("remote end killed", "docker", (KILLED, "ContainerFailed"), "a container ends with its first process"),
    Row("remote end killed", "e2b", (KILLED, "E2BSandboxGone"), "the rest there ends with it"),
    Row("remote end killed", "ray", (KILLED,), "the actor starts another for the next cell"),
    Row("actor killed", "ray", (KILLED,), "remote ends end with the actor; the node is the last to be asked for the next sandbox"),
    Row("node killed", "ray", (KILLED,), "the next cell begins anew on another node, where everything goes on"),
    Row("node silent", "ray", (TIMEOUT,), "one that does not obey counts as gone, and the next cell is on another node"),
    Row("init killed", "local", (KILLED,), "it is the first process of the sandbox's own namespace"),
    Row("init killed", "pool", (KILLED,), "a pool lends no dead sandbox"),
    Row("init killed", "docker", (KILLED,), "who is below it is ended by the zygote"),
    Row("init killed", "e2b", (KILLED,), "as on this machine"),
    Row("init killed", "ray", (KILLED,), "as on this machine"),
    Row("runner killed", "local", (KILLED,), "the cell is undone, and its base goes on"),
    Row("runner killed", "pool", (KILLED,), "the same"),
    Row("runner killed", "docker", (KILLED,), "the same"),
    Row("runner killed", "e2b", (KILLED,), "the same"),
    Row("runner killed", "ray", (KILLED,), "the same"),
    Row("runners killed", "server", (KILLED,), "the same for every tenant"),
    Row("ready sandboxes killed", "pool", (VALUE,), "what is lent was looked at first, and what is dead is replaced"),
    Row("lab full", "local", (VALUE,), "the code gets an OSError, and can remove what it wrote"),
    Row("lab full", "pool", (VALUE,), "the same"),
    Row("lab full", "docker", (VALUE,), "the same"),
    Row("lab full", "ray", (VALUE,), "the same"),
    Row("lab full", "server", (VALUE,), "the same"),
    Row("temporary files full", "local", (VALUE,), "nothing is written there"),
    Row("temporary files full", "pool", (VALUE,), "nothing is written there"),
    Row("temporary files full", "inline", (VALUE,), "nothing is written there"),
    Row("temporary files full", "docker", (VALUE,), "an image that is built already needs none"),
    Row("temporary files full", "e2b", (VALUE,), "what is sent there is made in memory"),
    Row("temporary files full", "ray", (VALUE,), "nothing is written there"),
    Row("temporary files read-only", "local", (VALUE,), "nothing is written there"),
    Row("temporary files read-only", "inline", (VALUE,), "nothing is written there"),
    Row("temporary files read-only", "docker", (VALUE,), "an image that is built already needs none"),
    Row("temporary files read-only", "e2b", (VALUE,), "what is sent there is made in memory"),
    Row("temporary files read-only", "ray", (VALUE,), "nothing is written there"),
    Row("out of descriptors", "local", (NO_ROOM,), "what is there goes on, and what would need more says so"),
    Row("out of descriptors", "pool", (NO_ROOM, VALUE), "one may be ready; who needs another is told why there is none"),
    Row("out of descriptors", "inline", (VALUE,), "nothing is opened"),
    Row("out of descriptors", "docker", ("DockerUnavailable", NO_ROOM), "the engine cannot be asked, or no line to it be made"),
    Row("out of descriptors", "e2b", ("E2BUnavailable", NO_ROOM), "the service cannot be asked, or no line to it be made; it ends a sandbox that was half made when its time ends"),
    Row("server out of descriptors", "server", ("HTTP 503",), "a client is told, and is served when there is room again"),
    Row("out of processes", "local", (NO_ROOM,), "none can be started; those that are there go on"),
    Row("out of threads", "local", (NO_ROOM,), "a tool that cannot be run ends the cell"),
    Row("out of memory", "local", ("MemoryError",), "the host has too little; the sandbox that holds the rest of the message is ended"),
    Row("out of memory", "pool", ("MemoryError",), "the same"),
    Row("out of memory", "docker", ("MemoryError", "ContainerFailed", KILLED), "the same, or the tunnel has none"),
    Row("clock jumps", "local", (VALUE,), "no wait goes by the wall clock"),
    Row("clock jumps", "pool", (VALUE,), "no wait goes by the wall clock"),
    Row("clock jumps", "inline", (VALUE,), "no wait goes by the wall clock"),
    Row("clock jumps", "docker", (VALUE,), "no wait goes by the wall clock"),
    Row("clock jumps", "e2b", (VALUE,), "no wait goes by the wall clock"),
    Row("clock jumps", "ray", (VALUE,), "no wait goes by the wall clock"),
    Row("clock jumps", "server", (VALUE,), "nor does the end of a sandbox"),
    Row("host stopped", "local", (VALUE,), "what has come meanwhile is looked at before the time is"),
    Row("host stopped", "pool", (VALUE,), "the same"),
    Row("host stopped", "docker", (VALUE,), "the same"),
    Row("host stopped", "e2b", (VALUE,), "the same"),
    Row("host stopped", "ray", (VALUE,), "the same; Ray keeps a driver that is silent for a while"),
    Row("host stopped", "server", (VALUE,), "the same"),
    Row("all asleep", "local", (VALUE,), "time in which nothing runs is short of the cell's"),
    Row("all asleep", "pool", (VALUE,), "the same"),
    Row("all asleep", "inline", (VALUE,), "the same"),
    Row("all asleep", "docker", (VALUE,), "the line holds"),
    Row("all asleep", "e2b", (VALUE,), "the line holds"),
    Row("all asleep", "ray", (VALUE,), "the line holds"),
    Row("all asleep", "server", (VALUE,), "the client's line holds"),
    Row("zygote stopped for good", "local", (VALUE,), "one that does not answer for a minute is ended, and another is started"),
    Row("zygote stopped for good", "pool", (VALUE, KILLED), "the same; what was ready or lent is ended with it"),
    Row("zygote stopped for a while", "local", (VALUE,), "who waits gets the sandbox late"),
    Row("template stopped", "local", (VALUE,), "after twenty seconds the zygote makes another; sandboxes that are there go on"),
    Row("supervisor stopped", "local", (VALUE,), "it is let go on when the end has come, to end in good order"),
    Row("init stopped", "local", (VALUE,), "it has nothing to do but to be there, and can be killed"),
    Row("init stopped", "docker", (VALUE, KILLED), "the same"),
    Row("init stopped", "ray", (VALUE, KILLED), "the same"),
    Row("runner stopped", "local", (TIMEOUT,), "a process that does not obey is killed after the grace"),
    Row("runner stopped", "pool", (TIMEOUT,), "the same"),
    Row("runner stopped", "docker", (TIMEOUT,), "the same"),
    Row("runner stopped", "e2b", (TIMEOUT,), "the same"),
    Row("runner stopped", "ray", (TIMEOUT,), "the same"),
    Row("runner that cannot be killed", "local", (TIMEOUT,), "what does not die is left behind, and a new sandbox is started"),
    Row("line cut", "docker", (KILLED, "ContainerFailed"), "a container ends with the line to it"),
    Row("line cut", "e2b", (KILLED, "E2BSandboxGone"), "the sandbox may still be there, but nobody can say what it does"),
    Row("line to a node cut", "ray", (KILLED,), "the remote end ends with its line, and the actor starts another"),
    Row("line silent", "docker", (TIMEOUT,), "one that does not obey counts as gone, and another is started"),
    Row("line silent", "e2b", (TIMEOUT,), "the same"),
    Row("container paused", "docker", (TIMEOUT,), "the same"),
    Row("client hangs up", "server", HUNG_UP, "the client's own error; its sandbox is as it was"),
)
# fmt: on
