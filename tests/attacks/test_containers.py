"""Programs of every category in a container, with the rules of the language on and off."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fumehood.attack.asking import AskedHost, HostDied, ask_for
from fumehood.attack.categories import CATEGORIES
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import names, read
from fumehood.attack.outcomes import judged

from .choosing import run_there, sample

Hosts = Callable[[bool], AskedHost]


@pytest.fixture(scope="module")
def host(base: str) -> Iterator[Hosts]:
    """The host with the rules on or off, started when first asked for, and anew when a program has
    ended it."""
    hosts: dict[bool, AskedHost] = {}

    def of(guarded: bool) -> AskedHost:
        if guarded not in hosts or not hosts[guarded].alive:
            hosts[guarded] = ask_for(_configuration(guarded, base))
        return hosts[guarded]

    yield of
    for each in hosts.values():
        if each.alive:
            each.close()


def _configuration(guarded: bool, base: str) -> Configuration:
    return Configuration("docker", guarded, base=base)


@pytest.mark.parametrize("guarded", [True, False], ids=["both", "jail only"])
@pytest.mark.parametrize("category", CATEGORIES)
def test_no_program_escapes_from_a_container(
    category: str, guarded: bool, base: str, host: Hosts, extended: bool
) -> None:
    configuration = _configuration(guarded, base)
    escaped = {}
    every = run_there(category, configuration)
    for name in every if extended else sample(every, 1):
        program = read(name)
        try:
            verdict, why = judged(program, host(guarded).run(name), configuration)
        except HostDied as died:
            verdict, why = "escaped", str(died)
        if verdict == "escaped" or guarded and program.language == "check" and verdict != "refused":
            escaped[name] = f"{verdict}: {why}"
    assert escaped == {}


def test_nothing_but_what_is_not_in_the_image_and_what_is_about_a_server_is_left_out() -> None:
    configuration = _configuration(True, "any")
    categories = {
        category
        for category in CATEGORIES
        if all(configuration.leaves_out(read(name)) for name in names(category))
    }
    assert categories == {"numpy", "pandas", "server"}
