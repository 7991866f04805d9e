"""A server of the E2B surface, and how E2B's own SDK is pointed at it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...serving import Served

CONFIG = """
[policy]
language = "off"

[quotas]
sandboxes = 120

[templates.guarded]
policy = {language = "guarded", imports = ["math"]}

[templates.science]
policy = {imports = ["matplotlib", "pandas"]}

[keys.first]
key = "FIRST"
templates = ["guarded", "science"]
on_fault = "keep"

[keys.second]
key = "SECOND"

[keys.small]
key = "SMALL"
quotas = {sandboxes = 1}
"""
"""Plain Python, which is what users of that SDK expect, held by the jail."""

KEYS = {name: f"{name}-key-{'0123456789abcdef' * 2}" for name in ("first", "second", "small")}


@dataclass
class Service:
    served: Served

    def options(self, key: str = "first") -> dict[str, Any]:
        """What every call of the SDK's is given."""
        return {
            "api_key": KEYS.get(key, key),
            "api_url": self.served.url,
            "sandbox_url": self.served.url,
            "retries": 0,
        }


def until(holds: Callable[[], Any], seconds: float = 30.0) -> Any:
    """What a function gives once that is true; a failure if it never is."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.02)
    return found
