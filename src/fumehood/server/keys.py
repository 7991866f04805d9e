"""API keys: who asks, what they may, and how often.

A key is known by a keyed hash of it. One that comes in is hashed the same way and compared with
every hash there is, each in constant time and always all of them, so that time tells nothing of
what a key is like, nor of which it was.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import Callable, Iterable, Iterator

from fumehood.policy import Policy
from fumehood.server.settings import KeySettings, Quotas, Settings, Template

LONGEST = 512
"""The most characters of a key; what is longer is none."""


def digest(key: str) -> bytes:
    """What is kept of a key. A plain hash is enough for what is long and random, and keys are."""
    return hashlib.blake2b(
        key.encode("utf-8", "surrogateescape"), digest_size=32, person=b"fumehood-api-key"
    ).digest()


class Bucket:
    """So many a second in the long run, so many at once after a quiet time."""

    __slots__ = ("_clock", "_left", "_seen", "burst", "rate")

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._left = float(burst)
        self._seen = clock()

    def take(self) -> float:
        """Take one: 0.0 if there was one, or else the seconds until there is."""
        left = self.left()
        if left >= 1.0:
            self._left = left - 1.0
            return 0.0
        return (1.0 - left) / self.rate

    def left(self) -> float:
        now = self._clock()
        self._left = min(self.burst, self._left + (now - self._seen) * self.rate)
        self._seen = now
        return self._left


class Key:
    """A tenant. Its sandboxes are nobody else's."""

    def __init__(self, settings: KeySettings, templates: Iterable[Template] = ()) -> None:
        self.settings = settings
        self.name = settings.name
        self.policy: Policy = settings.policy
        self.quotas: Quotas = settings.quotas
        self.may_install = settings.may_install
        self.templates = {
            template.name: template for template in templates if template.name in settings.templates
        }
        self.bucket = Bucket(self.quotas.requests_per_second, self.quotas.burst)
        self.conversions = asyncio.Semaphore(2)
        """Large values of this key's requests that are converted at once. All keys share the
        threads that do this."""

    def __repr__(self) -> str:
        return f"<key {self.name}>"


class Keys:
    """All of them. Without any, everybody is the one tenant `anybody`."""

    def __init__(self, settings: Settings) -> None:
        self.anybody: Key | None = None
        self._keys = [Key(key, settings.templates) for key in settings.keys]
        if not self._keys:
            names = tuple(template.name for template in settings.templates)
            self.anybody = Key(
                KeySettings(
                    "anybody", b"", settings.policy, settings.quotas, names, may_install=True
                ),
                settings.templates,
            )

    def __iter__(self) -> Iterator[Key]:
        return iter([self.anybody] if self.anybody is not None else self._keys)

    def find(self, text: str | None) -> Key | None:
        """Whose key this is; None if it is nobody's."""
        if self.anybody is not None:
            return self.anybody
        if text is None or not 0 < len(text) <= LONGEST:
            return None
        given = digest(text)
        found: Key | None = None
        for key in self._keys:
            if hmac.compare_digest(given, key.settings.digest):
                found = key
        return found
