"""Which programs are run where not all can be."""

from __future__ import annotations

import os

from fumehood.attack.corpus import names

ALL = os.environ.get("FUMEHOOD_TEST_ATTACKS") == "all"


def sample(category: str, number: int = 2) -> list[str]:
    """A few that are spread over the category."""
    every = names(category)
    return every[:: max(1, len(every) // number)][:number]
