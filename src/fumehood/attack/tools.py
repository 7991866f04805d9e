"""The host's functions that programs are given. Behind each is something that is not for them."""

from __future__ import annotations

import collections
import time
from collections.abc import Callable
from typing import Any

from fumehood.attack.loot import CANARY, is_dangerous
from fumehood.attack.outcomes import Outcome


class HostTrouble(Exception):
    """What the tool `fails` raises: an exception that drags objects of the host along, as real ones
    do."""


def host_tools(
    outcome: Outcome, danger_of: Callable[[Any], str | None] = is_dangerous
) -> dict[str, Callable[..., Any]]:
    """Tools that note in `outcome` what they are handed."""
    held = CANARY

    def loot(thing: Any) -> None:
        """Hand over what was obtained."""
        reason = danger_of(thing)
        if reason:
            outcome.loot.append(reason)
        # The closure holds the canary, as the closure of a real tool holds a client or a key.
        assert held is CANARY

    def fails(*, attached: Any = CANARY) -> None:
        """Fail with an error that has objects of the host attached."""
        try:
            raise LookupError(attached)
        except LookupError as first:
            trouble = HostTrouble("the tool failed", attached)
            trouble.obj = attached  # type: ignore[attr-defined]
            raise trouble from first

    def tallies() -> str:
        """Count with a class of the library, as host code does."""
        counted = collections.Counter({"canary": 1})
        counted["canary"] = CANARY  # type: ignore[assignment]
        return str(counted.most_common(1) is not None)

    return {"loot": loot, "fails": fails, "tallies": tallies}


def plain_tools(outcome: Outcome) -> dict[str, Callable[..., Any]]:
    """Tools for programs that judge themselves: they do ordinary things, and look closely at what
    they are called with."""

    def slow() -> None:
        """Take a while, as those that fetch something do."""
        time.sleep(0.3)

    def add(left: int, right: int) -> int:
        """The sum of two numbers."""
        _expect(int, left, right)
        return left + right

    def greet(name: str, times: int = 1) -> str:
        """A greeting, written so many times."""
        _expect(str, name)
        _expect(int, times)
        return f"hello {name}" * max(0, min(times, 3))

    def count(items: list[int]) -> int:
        """How many there are."""
        _expect(list, items)
        return len(items)

    def keys(record: dict[str, Any]) -> list[str]:
        """The names in a record."""
        _expect(dict, record)
        _expect(str, *record)
        return sorted(record)

    def _expect(kind: type, *given: Any) -> None:
        # Exactly: a subclass could bring methods of its own.
        for each in given:
            if type(each) is not kind:
                outcome.findings.append(
                    f"a tool that takes a {kind.__name__} was called with a {type(each).__name__}"
                )

    return {"slow": slow, "add": add, "greet": greet, "count": count, "keys": keys}
