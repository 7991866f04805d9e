"""What the programs aim at: things made for one program, which a host process watches from outside.

A program is given these variables:

    secret_path     a file that everybody may read; it holds a canary
    outside_dir     a directory that everybody may write to
    scratch_path    the path of a file in it that is not there
    tcp_port, tcp6_port, udp_port      listeners on the loopback interface
    unix_path, abstract_name           listeners for unix sockets
    victim_pid, victim_name, victim_address      a process of the host's user, and where in its
                                                 memory a canary is
    host_pid        the process that holds the executor
    neighbour_file  the name of a file in the /home/user of another sandbox (jailed runs only)

A canary is "CANARY-", a word and 128 random bits that no program is given, so a program that shows
one has been where it was.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import pty
import resource
import secrets
import signal
import socket
import tempfile
import termios
from pathlib import Path
from typing import Any

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_NAME, _PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 15, 1, 36

ENVIRONMENT_VARIABLE = "FUMEHOOD_ATTACK_CANARY"


def canary(word: str) -> str:
    return f"CANARY-{word}-{secrets.token_hex(16)}"


# As a program holds a password: a text that lives as long as the process.
HOST_MEMORY = canary("memory")


class Canaries:
    """One set, in `directory`. `tokens` are the texts that no program may come to know."""

    def __init__(self, directory: Path, mount_token: str | None = None) -> None:
        # Without a mount namespace of the host's own, others mount what they like meanwhile.
        self._has_own_mounts = mount_token is not None
        self.tokens = {
            HOST_MEMORY,
            *filter(None, [mount_token, os.environ.get(ENVIRONMENT_VARIABLE)]),
        }
        self._things = contextlib.ExitStack()
        self._room = Path(
            self._things.enter_context(tempfile.TemporaryDirectory(dir=directory, prefix="host-"))
        )
        self._room.chmod(0o755)
        self._secret = self._room / "secret"
        self._secret.write_text(self._token("file"), encoding="ascii")
        self._secret.chmod(0o644)
        self._outside = self._room / "outside"
        self._outside.mkdir()
        self._outside.chmod(0o777)
        self._open_listeners()
        self._open_terminal()
        # Inheritable, as a careless host's would be.
        for path in (self._secret, self._room):
            descriptor = os.open(path, os.O_RDONLY)
            os.set_inheritable(descriptor, True)
            self._things.callback(os.close, descriptor)
        self._start_victim()
        self._before = self._state()

    def _token(self, word: str) -> str:
        self.tokens.add(made := canary(word))
        return made

    @property
    def variables(self) -> dict[str, Any]:
        return {
            "secret_path": str(self._secret),
            "outside_dir": str(self._outside),
            "scratch_path": str(self._outside / "made"),
            **self._addresses,
            "victim_pid": self._victim,
            "victim_name": self._victim_name,
            "victim_address": self._victim_address,
            "host_pid": os.getpid(),
        }

    def _open_listeners(self) -> None:
        abstract = f"fumehood-attack-{secrets.token_hex(8)}"
        unix_path = str(self._room / "unix")
        places: list[tuple[str, socket.AddressFamily, socket.SocketKind, Any]] = [
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("tcp6", socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("unix", socket.AF_UNIX, socket.SOCK_STREAM, unix_path),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract),
            ("abstract datagram", socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + abstract),
        ]
        self._listeners: dict[str, socket.socket] = {}
        for name, family, kind, address in places:
            listener = self._things.enter_context(socket.socket(family, kind))
            try:
                listener.bind(address)
            except OSError:
                if family != socket.AF_INET6:  # some machines have none
                    raise
                continue
            if kind == socket.SOCK_STREAM:
                listener.listen()
            listener.setblocking(False)
            self._listeners[name] = listener
        Path(unix_path).chmod(0o777)
        self._addresses: dict[str, Any] = {"unix_path": unix_path, "abstract_name": abstract}
        for name in ("tcp", "tcp6", "udp"):
            self._addresses[f"{name}_port"] = (
                self._listeners[name].getsockname()[1] if name in self._listeners else 0
            )

    def _open_terminal(self) -> None:
        self._keyboard, self._terminal = pty.openpty()
        os.set_inheritable(self._terminal, True)
        self._things.callback(os.close, self._keyboard)
        self._things.callback(os.close, self._terminal)
        settings = termios.tcgetattr(self._terminal)
        settings[3] &= ~termios.ICANON  # so that one typed character can be read
        termios.tcsetattr(self._terminal, termios.TCSANOW, settings)

    def _start_victim(self) -> None:
        self._victim_name = f"victim{secrets.token_hex(4)}"
        memory = ctypes.create_string_buffer(self._token("victim").encode())
        self._victim_address = ctypes.addressof(memory)
        self._felt, felt = os.pipe()
        os.set_blocking(self._felt, False)
        self._things.callback(os.close, self._felt)
        self._victim = os.fork()
        if self._victim == 0:
            try:
                _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
                _LIBC.prctl(_PR_SET_NAME, self._victim_name.encode(), 0, 0, 0)
                everything = signal.valid_signals()
                signal.pthread_sigmask(signal.SIG_BLOCK, everything)
                os.write(felt, b"\0")
                while True:  # every signal that can be caught is told
                    os.write(felt, bytes([signal.sigwait(everything)]))
            finally:
                os._exit(1)
        os.close(felt)
        self._victim_memory = memory
        os.set_blocking(self._felt, True)
        os.read(self._felt, 1)
        os.set_blocking(self._felt, False)

    def _state(self) -> dict[str, object]:
        """What must be the same after an attack as before it."""
        victim = Path(f"/proc/{self._victim}")
        return {
            "the secret file": _whole(self._secret),
            "the directory outside": sorted(entry.name for entry in self._outside.iterdir()),
            "the canaries' room": sorted(entry.name for entry in self._room.iterdir()),
            "the host's name": os.uname().nodename,
            "the host's mounts": _mount_points() if self._has_own_mounts else [],
            "the host's limits": {
                name: resource.getrlimit(name)
                for name in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_DATA)
            },
            "the host's core pattern": Path("/proc/sys/kernel/core_pattern").read_bytes(),
            "the victim's limits": resource.prlimit(self._victim, resource.RLIMIT_NOFILE)
            if victim.exists()
            else None,
            "the victim's out-of-memory score": _text_of(victim / "oom_score_adj"),
            "the victim's cgroups": _text_of(victim / "cgroup"),
        }

    def findings(self) -> list[str]:
        """What an attack did to the canaries, in words."""
        found = []
        for name, listener in self._listeners.items():
            with contextlib.suppress(BlockingIOError):
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()[0].close()
                else:
                    listener.recv(1)
                found.append(f"the {name} listener was reached")
        with contextlib.suppress(BlockingIOError):
            found += [f"the victim felt signal {number}" for number in os.read(self._felt, 100)]
        state = _text_of(Path(f"/proc/{self._victim}/stat")).rpartition(") ")[2][:1]
        if state not in ("S", "R", "D"):
            found.append(f"the victim is in state {state or 'gone'}")
        if int.from_bytes(fcntl.ioctl(self._terminal, termios.FIONREAD, b"\0" * 4), "little"):
            found.append("the terminal was typed on")
        now = self._state()
        found += [f"changed: {what}" for what, was in self._before.items() if now[what] != was]
        return found

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._victim, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._victim, 0)
        self._things.close()


def adopt_orphans() -> None:
    """What daemonises below this process becomes its child, and so is found."""
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _whole(path: Path) -> tuple[bytes, int, int] | None:
    try:
        return path.read_bytes(), path.stat().st_mode, path.stat().st_ino
    except FileNotFoundError:
        return None


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


# Where engines mount the roots of containers. They come and go with those: a directory that is
# removed takes what is mounted on it along. The last are of engines that tests start.
_OF_CONTAINERS = ("/docker", "/containerd", "/netns", "/overlay2", "/fumehood-")


def _mount_points() -> list[str]:
    # Without the numbers and the peer groups, which other mounts of the same moment change.
    lines = [
        line.split()[3:6]
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    ]
    return sorted(
        " ".join(line) for line in lines if not any(part in line[1] for part in _OF_CONTAINERS)
    )
