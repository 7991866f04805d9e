"""What a soak takes for a leak: memory that is kept, not memory that is in use just then."""

from __future__ import annotations

import pytest

MB = 1_000_000
SECONDS = range(100)
KEEPS = {
    "a little each second": lambda second: 50 + second,
    "all at once": lambda second: 50 if second < 60 else 150,
}
RETURNS = {
    "as much at the end": lambda second: 50 + 100 * (second % 10 > 7 or second > 95),
    "more while it starts": lambda second: 10 + 4 * min(second, 20),
    "nothing": lambda second: 50,
}


@pytest.fixture
def grown(script):
    """The growth of a process of some name that had so many MB, second by second."""

    def make(name, memory):
        growth = script("leaks").Growth()
        growth._samples[name, 7] = [(float(second), memory(second) * MB) for second in SECONDS]
        return growth

    return make


@pytest.mark.parametrize("memory", KEEPS.values(), ids=KEEPS)
@pytest.mark.parametrize("name", ["host", "server", "zygote"])
def test_what_is_kept_is_a_leak(grown, name, memory):
    assert len(grown(name, memory).leaks()) == 1


@pytest.mark.parametrize("memory", RETURNS.values(), ids=RETURNS)
@pytest.mark.parametrize("name", ["host", "server", "zygote"])
def test_what_comes_back_or_is_there_from_the_start_is_none(grown, name, memory):
    assert grown(name, memory).leaks() == []


def test_it_is_told_whose_memory_it_is(grown):
    growth = grown("server", KEEPS["all at once"])
    growth._samples["zygote", 8] = [(float(second), 5 * MB) for second in SECONDS]
    assert growth.text() == "server +100.0 MB, of 1 zygotes at most +0.0 MB, once warm"
