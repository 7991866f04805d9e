"""A runner that somebody speaks with who is not the one who answers for it: what it takes from
them, and what not.

Whoever has the runner's wire can tell it to run anything, under any policy, and to unpickle
anything, which is to run it under none. A server that hands the wire to a client tells the runner
first what the client may have at most (`confine`), and that holds for good.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any

from fumehood.ceilings import bounded, check_imports
from fumehood.errors import PolicyError
from fumehood.policy import Policy


class Ceiling:
    """Without `confine` there is none, and everything is taken."""

    def __init__(self) -> None:
        self._policy: Policy | None = None

    def confine(self, policy: dict[str, Any]) -> None:
        """Take no more than this policy from here on. Who comes second is not heard."""
        if self._policy is None:
            self._policy = Policy.from_fields(policy)

    def held(self, policy: dict[str, Any]) -> dict[str, Any]:
        """A policy that was asked for, cut down to what there is. PolicyError for what there is
        not."""
        return (
            policy
            if self._policy is None
            else bounded(Policy.from_fields(policy), self._policy).as_fields()
        )

    def check_imports(self, names: Iterable[str]) -> None:
        if self._policy is not None:
            check_imports(names, self._policy)

    def unpickle(self, data: Any) -> Any:
        self.check_code("an object that is sent as a pickle")
        return pickle.loads(data)

    def check_code(self, what: str) -> None:
        """PolicyError for what would run past the rules of the language, where those are part of
        what holds."""
        if self._policy is not None and self._policy.language == "guarded":
            raise PolicyError(
                f"{what} runs past the rules of the language, which hold for this key; send plain"
                " values, or code"
            )
