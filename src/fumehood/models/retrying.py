"""What goes wrong between us and a model's server, what is worth another try, and how long to wait
before it.

The table says it for every kind of failure; `Retries` only keeps count and time. A failure that a
library reports is brought to one of these kinds in `failures.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from fumehood.models.base import Cancellation

T = TypeVar("T")


class Kind(NamedTuple):
    """A row: a kind of failure, whether the same question may be answered a moment later, and
    why."""

    name: str
    again: bool
    says: str
    """How the failure is called in an error."""
    reason: str
    do: str = ""
    """What whoever reads the error can do about it, where that does not go without saying."""


STATUSES = {
    int(kind.name): kind
    for kind in (
        Kind("400", False, "does not accept the question", "the same question is refused again"),
        Kind(
            "401",
            False,
            "does not accept the key",
            "the same key is refused again",
            "api_key takes another",
        ),
        Kind("402", False, "asks for payment", "somebody has to pay first"),
        Kind(
            "403",
            False,
            "does not allow this",
            "what is not allowed now is not allowed in a second",
        ),
        Kind(
            "404",
            False,
            "does not know this model or address",
            "a wrong name stays wrong",
            "see model_id and base_url",
        ),
        Kind(
            "405",
            False,
            "takes no questions at this address",
            "a wrong address stays wrong",
            "see base_url: most end in /v1",
        ),
        Kind("408", True, "waited too long for us", "the request was lost on its way"),
        Kind(
            "409",
            True,
            "is busy with something that excludes this",
            "servers say so of a lock that is soon free again",
        ),
        Kind(
            "413",
            False,
            "finds the question too long",
            "the same question is as long as before",
            "ask with less",
        ),
        Kind(
            "415",
            False,
            "does not take this kind of question",
            "the same question is refused again",
        ),
        Kind(
            "422", False, "does not understand the question", "the same question is refused again"
        ),
        Kind("425", True, "finds this too early", "it says that later is better"),
        Kind(
            "429",
            True,
            "is asked too often",
            "there is room again later",
            "requests_per_minute asks less often",
        ),
        Kind("501", False, "cannot do this", "it will not learn it in a second"),
        Kind(
            "505", False, "does not speak this version of HTTP", "it will not learn it in a second"
        ),
    )
}
"""HTTP statuses with a meaning of their own."""

SERVER_FAILED = Kind("5xx", True, "failed", "servers restart, and gateways find another one")
REFUSED = Kind("4xx", False, "refused", "what no row speaks of is not asked again and again")

KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "unreachable",
            True,
            "cannot be reached",
            "a server that restarts is back in a moment",
            "is base_url right, and does it run?",
        ),
        Kind("cut", True, "ended the connection before its answer", "the next connection may hold"),
        Kind("stream cut", True, "ended its answer in the middle", "the next connection may hold"),
        Kind(
            "silent",
            True,
            "stayed silent for too long",
            "a later try may find it less busy",
            "timeout waits longer",
        ),
        Kind(
            "not JSON",
            True,
            "sent something that is not JSON",
            "a gateway in between shows such pages while a server restarts",
        ),
        Kind(
            "not understood",
            True,
            "sent something that is not an answer",
            "models are sampled: the next answer may be whole",
        ),
        Kind("no choices", True, "sent an answer without choices", "overloaded servers do that"),
        Kind(
            "said error",
            True,
            "sent an error in place of an answer",
            "gateways report the failure of a server behind them so",
        ),
        Kind("no stream", True, "did not stream", "it is asked for the whole answer instead"),
        Kind("no quota", False, "has no quota left for this key", "somebody has to pay first"),
        Kind(
            "too large",
            False,
            "sent more than is read",
            "whoever sends without end does so again",
            "max_answer_characters reads more",
        ),
        Kind(
            "certificate",
            False,
            "has a certificate that is not accepted",
            "it is shown again",
            "SSL_CERT_FILE names others",
        ),
        Kind(
            "address",
            False,
            "has an address that cannot be used",
            "a wrong address stays wrong",
            "see base_url",
        ),
        Kind(
            "out of time",
            False,
            "did not answer in the time that all tries may take",
            "the time is over",
            "total_timeout gives more",
        ),
        Kind("unexpected", False, "could not be asked", "nothing is known about it"),
    )
}
"""Everything else that happens."""


def kind_of_status(status: int) -> Kind:
    """The row for an HTTP status."""
    return STATUSES.get(status) or (SERVER_FAILED if status >= 500 else REFUSED)


class Failure(Exception):
    """One try failed. The text is what the server, or the library that talks to it, said about it;
    it may hold a key."""

    def __init__(
        self,
        kind: Kind,
        text: str = "",
        *,
        status: int | None = None,
        retry_after: float | None = None,
        error: BaseException | None = None,
    ) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.status = status
        self.retry_after = retry_after
        self.error = error
        """What was raised, if something was."""
        self.tries = 1
        """How many tries failed, this one included."""
        self.why_no_more = ""

    def __str__(self) -> str:
        said = f"answered {self.status}, it " if self.status is not None else ""
        # What to do stands in front: what a server says may be long, and is cut.
        text = f"{said}{self.kind.says}" + (f" ({self.kind.do})" if self.kind.do else "")
        if self.text:
            text += f": {self.text}"
        notes = [f"tried {self.tries} times"] if self.tries > 1 else []
        if self.why_no_more:
            notes.append(self.why_no_more)
        return f"{text} ({', '.join(notes)})" if notes else text


@dataclass(frozen=True)
class Retries:
    """How often and how long a question is asked again."""

    most: int = 5
    """Tries after the first."""
    first_wait: float = 1.0
    """Seconds before the second try; the wait doubles from try to try, and a random part of it is
    left out, so that those who failed together do not come back together."""
    longest_wait: float = 30.0
    longest_retry_after: float = 120.0
    """A server that asks for more patience is asked again after this."""
    total_seconds: float | None = 1800.0
    """What all tries and waits may take."""
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    random: Callable[[], float] = field(default=random.random, repr=False)

    def wait_before(self, again: int, retry_after: float | None) -> float:
        """Seconds to wait before try number `again` after the first."""
        if retry_after is not None:
            wait = min(max(retry_after, 0.0), self.longest_retry_after)
            return wait + min(wait, 1.0) * 0.1 * self.random()  # never before the time it gave
        longest = min(self.first_wait * 2.0 ** min(again - 1, 30), self.longest_wait)
        return longest * (0.5 + 0.5 * self.random())

    def run(self, attempt: Callable[[float | None], T], cancel: Cancellation) -> T:
        """What `attempt` returns, from the first try that does. It is given the seconds that are
        left. Raises the last Failure, or Cancelled."""
        ends_at = None if self.total_seconds is None else self.clock() + self.total_seconds
        tries = 0
        while True:
            cancel.check()
            tries += 1
            try:
                return attempt(None if ends_at is None else max(ends_at - self.clock(), 0.0))
            except Failure as failed:
                failed.tries = tries
                if not failed.kind.again or tries > self.most:
                    raise
                wait = self.wait_before(tries, failed.retry_after)
                if ends_at is not None and self.clock() + wait >= ends_at:
                    failed.why_no_more = (
                        f"the next try would come after the {self.total_seconds:g} s of"
                        " total_timeout"
                    )
                    raise
            cancel.sleep(wait)
