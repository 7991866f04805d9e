"""Programs that were made up, run beside the host's secrets: no program that the rules accept may
get hold of any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from random import Random

from fumehood.policy import Policy

from ..engine import Found
from . import words
from .breeding import bred
from .grammar import Growing
from .running import POLICY, Host, try_all
from .writing import Writer, assembled, imports_for

_AT_ONCE = 24


def made_up(random: Random) -> str | None:
    """A program, by one of three ways."""
    match random.choice(("written", "written", "bred", "bred", "grown")):
        case "written":
            return Writer(random, random.choice((0.0, 0.02, 0.05))).program()
        case "bred":
            return bred(random)
    grown = Growing(random, random.choice((0.0, 0.0, 0.02))).source()
    if grown is None:
        return None
    return (
        assembled(grown.split("\n\n"))
        if random.random() < 0.5
        else f"{imports_for(grown)}{words.OWN_THINGS}\n{grown}"
    )


def written(random: Random) -> str | None:
    return Writer(random, 0.02).program()


class Escapes:
    """A case is a few programs that share a process."""

    name = "escapes"
    about = "no accepted program gets hold of anything of the host's"
    cases_in_tests = 8

    def __init__(
        self,
        policy: Policy = POLICY,
        prepare: Callable[[Host], None] | None = None,
        make: Callable[[Random], str | None] = made_up,
    ) -> None:
        self._policy = policy
        self._prepare = prepare
        self._make = make

    @cached_property
    def _own(self) -> Host:
        return Host(borrowed=False, policy=self._policy)

    @cached_property
    def _borrowed(self) -> Host:
        return Host(borrowed=True, policy=self._policy)

    def with_rules(self, prepare: Callable[[Host], None]) -> Escapes:
        """The same, with rules taken away by `prepare`."""
        weakened = Escapes(self._policy, prepare, written)
        weakened.__dict__.update(_own=self._own, _borrowed=self._own)
        return weakened

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        host = self._borrowed if random.random() < 0.2 else self._own
        made = [self._make(random) for _ in range(_AT_ONCE)]
        programs = [(text,) for text in made if text is not None]
        tally["programs"] += len(programs)
        for place, found in try_all(host, programs, tally, self._prepare):
            raise Found("; ".join(found), programs[place][0])
