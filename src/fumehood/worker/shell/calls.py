"""What a command is given when it is called: its arguments, its three streams, the shell it was
called by."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fumehood.worker.shell.places import Places

if TYPE_CHECKING:
    from fumehood.worker.shell.run import Shell

CHUNK = 1 << 16


class Usage(Exception):
    """A command was called in a way that it does not know. The text is one line for whoever did."""


def encoded(text: str) -> bytes:
    """Text as bytes. A name that is no UTF-8 comes back as the bytes it was."""
    return text.encode("utf-8", "surrogateescape")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


class Out:
    """Standard output, written in large pieces: when there is enough, when somebody is waited for,
    and at the end."""

    def __init__(self, descriptor: int = 1) -> None:
        self._descriptor = descriptor
        self._pieces: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        self._pieces.append(data)
        self._size += len(data)
        if self._size >= CHUNK:
            self.flush()

    def line(self, text: str) -> None:
        self.write(encoded(text) + b"\n")

    def flush(self) -> None:
        data, self._pieces, self._size = memoryview(b"".join(self._pieces)), [], 0
        while data:
            data = data[os.write(self._descriptor, data) :]


@dataclass(eq=False, repr=False, slots=True)
class Call:
    name: str
    arguments: list[str]
    shell: Shell
    out: Out = field(default_factory=Out)
    status: int = 0

    @property
    def places(self) -> Places:
        return self.shell.places

    def say(self, what: str) -> None:
        """Tell of a trouble, and that there was one."""
        self.out.flush()
        self.shell.complain(f"{self.name}: {what}")
        self.status = self.status or 1

    @contextlib.contextmanager
    def telling(self, what: str) -> Iterator[None]:
        """What goes wrong with one file is said, and the next is gone on with."""
        try:
            yield
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            self.say(f"{what}: {reason(error)}")

    # -- input

    @contextlib.contextmanager
    def reading(self, name: str) -> Iterator[int]:
        """A descriptor on a file; "-" is standard input."""
        if name == "-":
            yield 0
            return
        descriptor = self.places.open(name)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def pieces(self, descriptor: int) -> Iterator[bytes]:
        """Everything from a descriptor. What was written is on its way before anybody is waited
        for."""
        while True:
            self.out.flush()
            data = os.read(descriptor, CHUNK)
            if not data:
                return
            yield data

    def lines(self, descriptor: int) -> Iterator[bytes]:
        """Lines with their ends; the last may have none."""
        rest: list[bytes] = []
        for data in self.pieces(descriptor):
            *whole, last = data.split(b"\n")
            for line in whole:
                rest.append(line + b"\n")
                yield b"".join(rest)
                rest.clear()
            if last:
                rest.append(last)
        if rest:
            yield b"".join(rest)

    def files(self, names: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Names and descriptors, one after the other, those that can be opened; standard input if
        none is named."""
        for name in names or ["-"]:
            with self.telling(name), self.reading(name) as descriptor:
                yield name, descriptor

    def all_lines(self, names: Sequence[str]) -> Iterator[bytes]:
        for _name, descriptor in self.files(names):
            yield from self.lines(descriptor)


def reason(error: BaseException) -> str:
    """What went wrong, without the name of the file, which whoever tells of it has."""
    return (
        error.strerror or type(error).__name__
        if isinstance(error, OSError)
        else str(error) or type(error).__name__
    )


# -- options


class Options:
    """Options of a call, and what is left of its arguments. `flags` are letters without a value,
    `values` letters with one, `long` other names for letters; or for names of their own, which end
    with "=" if there is a value, and with "?" if there may be. Usage for anything else."""

    def __init__(
        self,
        arguments: Sequence[str],
        flags: str = "",
        values: str = "",
        long: dict[str, str] | None = None,
        *,
        mixed: bool = True,
    ) -> None:
        self._given: dict[str, list[str]] = {}
        self.operands: list[str] = []
        waiting = list(arguments)
        while waiting:
            argument = waiting.pop(0)
            if argument == "--":
                self.operands += waiting
                break
            if argument.startswith("--"):
                name, has_value, value = argument[2:].partition("=")
                letter = (long or {}).get(name, "")
                takes = letter.endswith("=") or letter in values
                if not letter or has_value and not takes and not letter.endswith("?"):
                    raise Usage(f"option {argument} is not known here")
                if takes and not has_value:
                    value = self._next(waiting, argument)
                self._given.setdefault(letter.rstrip("=?"), []).append(value)
            elif argument.startswith("-") and len(argument) > 1:
                self._letters(argument, waiting, flags, values)
            else:
                self.operands.append(argument)
                if not mixed:
                    self.operands += waiting
                    break

    def _letters(self, argument: str, waiting: list[str], flags: str, values: str) -> None:
        for place, letter in enumerate(argument[1:], 1):
            if letter in values:
                self._given.setdefault(letter, []).append(
                    argument[place + 1 :] or self._next(waiting, f"-{letter}")
                )
                return
            if letter not in flags:
                raise Usage(f"option -{letter} is not known here")
            self._given.setdefault(letter, []).append("")

    def _next(self, waiting: list[str], option: str) -> str:
        if not waiting:
            raise Usage(f"option {option} needs a value")
        return waiting.pop(0)

    def __contains__(self, letter: str) -> bool:
        return letter in self._given

    def get(self, letter: str, otherwise: str = "") -> str:
        """The last value given."""
        return self._given[letter][-1] if letter in self._given else otherwise

    def all(self, letter: str) -> list[str]:
        return self._given.get(letter, [])

    def number(self, letter: str, otherwise: int) -> int:
        return (
            whole_number(self._given[letter][-1], f"-{letter}")
            if letter in self._given
            else otherwise
        )


def whole_number(text: str, of: str) -> int:
    digits = text.removeprefix("-").removeprefix("+")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        raise Usage(f"{of}: {text[:40]!r} is no whole number")
    return int(text)


Function = Callable[[Call], int | None]


@dataclass(eq=False, repr=False, slots=True)
class Row:
    """One command: its name, what it does, and how it is called, for `help`."""

    name: str
    function: Function
    summary: str
