"""What a command line means: the tree that the parser makes and the shell walks.

Nobody changes it, and nobody compares or shows it: dataclasses that could be would cost every
zygote some milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field


class Misread(Exception):
    """A command line that is none, or asks for something this shell does not have. The text is one
    line for whoever wrote it."""


@dataclass(eq=False, repr=False, slots=True)
class Text:
    text: str
    quoted: bool = False
    """Quoted text is taken as it is: no pattern, no tilde, not left out when it is empty."""


@dataclass(eq=False, repr=False, slots=True)
class Variable:
    name: str
    quoted: bool = False
    operator: str = ""
    """One of OPERATORS, or "length"."""
    word: Word = ()


@dataclass(eq=False, repr=False, slots=True)
class Substitution:
    body: Sequence
    quoted: bool = False


@dataclass(eq=False, repr=False, slots=True)
class Arithmetic:
    word: Word
    quoted: bool = False


Part = Text | Variable | Substitution | Arithmetic
Word = tuple[Part, ...]


@dataclass(eq=False, repr=False, slots=True)
class Redirection:
    """The text of a here-document comes on later lines than the place where it is asked for, and so
    does its `target`."""

    descriptor: int
    kind: str
    """One of < > >> << <<< >&."""
    target: Word = ()


@dataclass(eq=False, repr=False, slots=True)
class Simple:
    assignments: tuple[tuple[str, Word], ...]
    words: tuple[Word, ...]


@dataclass(eq=False, repr=False, slots=True)
class Pipeline:
    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(eq=False, repr=False, slots=True)
class Sequence:
    """Pipelines, each with when it runs: always (";"), if the one before went well ("&&"), or if it
    did not ("||")."""

    items: tuple[tuple[str, Pipeline], ...]


@dataclass(eq=False, repr=False, slots=True)
class For:
    name: str
    words: tuple[Word, ...] | None
    """None stands for the arguments of the script."""
    body: Sequence


@dataclass(eq=False, repr=False, slots=True)
class If:
    branches: tuple[tuple[Sequence, Sequence], ...]
    otherwise: Sequence | None


@dataclass(eq=False, repr=False, slots=True)
class While:
    condition: Sequence
    body: Sequence
    until: bool = False


@dataclass(eq=False, repr=False, slots=True)
class Group:
    body: Sequence
    apart: bool
    """Whether it has a process of its own, and so changes nothing here: ( … ), not { … }."""


@dataclass(eq=False, repr=False, slots=True)
class Command:
    node: Simple | For | If | While | Group
    redirections: list[Redirection] = field(default_factory=list)
