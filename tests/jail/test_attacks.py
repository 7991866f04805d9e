"""Every attack program, in a plain process and in the jail: it works in the first and not in the
second.

The language layer is off: what holds here is the jail alone. The host is root, an ordinary user,
and both of them in a container.
"""

from __future__ import annotations

import os
import platform
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from fumehood.attack.categories import CATEGORIES
from fumehood.attack.corpus import Program, names, read
from fumehood.attack.outcomes import Outcome

from ..attacks.choosing import share
from .attack_host import AttackHost
from .identities import IDENTITIES

EVERY_ATTACK = [name for name in names() if read(name).judges_itself]

# What a machine answers that does not have the thing that is attacked: ENOSYS, ENODEV,
# EAFNOSUPPORT, EOPNOTSUPP.
_NOT_HERE = re.compile(r"held: \[Errno (38|19|97|95)\]")

Hosts = Callable[[str], AttackHost]


@pytest.fixture(scope="module")
def host() -> Iterator[Hosts]:
    """The host of an identity, started when first asked for, and anew when an attack has ended
    it."""
    if os.geteuid() != 0:
        pytest.skip(
            "only root can make a world for an attack that works, or be somebody else to run it in"
            " a jail"
        )
    hosts: dict[str, AttackHost] = {}

    def of(identity: str) -> AttackHost:
        if identity not in hosts or not hosts[identity].alive:
            hosts[identity] = AttackHost(identity)
        return hosts[identity]

    yield of
    for each in hosts.values():
        each.close()


# What one version of Python does not let happen, and those before and after it do.
STOPPED_BY_PYTHON = {
    (
        "recursion/limit_raised",
        (3, 12),
    ): "error RecursionError",  # it counts calls from C by a limit of its own, which is low there
}


def _chosen(every: list[str], of: int, word: str, extended: bool) -> list[Program]:
    """The programs of a category that this test runs."""
    programs = [
        name
        for name in every
        if read(name).fields.get("arch", platform.machine()) == platform.machine()
    ]
    if not programs:
        pytest.skip(f"no program of this category is for {platform.machine()}")
    return [read(name) for name in (programs if extended else share(programs, 2 * of, word))]


def _in(category: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith(f"{category}/")]


WITH_CONTROL = [name for name in EVERY_ATTACK if read(name).plain != "none"]


@pytest.mark.parametrize("category", [one for one in CATEGORIES if _in(one, WITH_CONTROL)])
def test_the_attack_works_where_there_is_no_jail(
    category: str, host: Hosts, extended: bool
) -> None:
    """Without this, a program with a mistake in it would pass for an attack that was stopped."""
    complaints = {}
    for attack in _chosen(_in(category, WITH_CONTROL), 6, "plain", extended):
        outcome = host("plain").run(attack.name)
        if attack.plain != "succeeds":
            ending = STOPPED_BY_PYTHON.get((attack.name, sys.version_info[:2]), attack.plain)
            worked = outcome.ending.startswith(ending)
        else:
            absent = _NOT_HERE.match(outcome.value)
            worked = bool(
                absent or outcome.ending == "escaped" or outcome.findings or outcome.leaks
            )
        if not worked:
            complaints[attack.name] = outcome
    assert complaints == {}


OTHERS = ("nobody", "container", "contained", "housed")
# As root they are run by tests/attacks. `make test` runs one program in so many of a category.
ONE_IN = 12


@pytest.mark.parametrize("identity", OTHERS)
@pytest.mark.parametrize("category", [one for one in CATEGORIES if _in(one, EVERY_ATTACK)])
def test_the_attack_does_not_get_out_of_the_jail(
    category: str, identity: str, host: Hosts, extended: bool
) -> None:
    every = [name for name in _in(category, EVERY_ATTACK) if identity in read(name).hosts]
    if not every:
        pytest.skip("no program of this category is for this host")
    complaints = {}
    for attack in _chosen(every, ONE_IN, identity, extended):
        if why := _complaint(attack, identity, host(identity).run(attack.name)):
            complaints[attack.name] = why
    assert complaints == {}


def _complaint(attack: Program, identity: str, outcome: Outcome) -> str | None:
    """What is wrong with the outcome of an attack, if anything is."""
    if outcome.lacks(attack.fields.get("needs")):
        return None
    got_out = outcome.ending == "escaped" or outcome.findings or outcome.leaks
    if outcome.lacks(attack.opened_without(programs=False)):
        if got_out or outcome.ending == "fault memory":  # the machine itself may have none left
            return None
        return (
            f"the jail stops this now without a {attack.fields['without']}: remove the line from"
            f" the header ({outcome})"
        )
    if got_out or any("ESCAPED" in step for step in outcome.steps):
        return f"escaped: {outcome}"
    if outcome.ending not in attack.expected:
        return f"unexpected ending: {outcome}"
    if outcome.afterwards != "answers":
        return f"the executor does not work afterwards: {outcome}"
    return None


@pytest.mark.parametrize("identity", IDENTITIES)
def test_nothing_outlives_a_host_that_is_killed(identity: str) -> None:
    """Nobody is left to close the sandbox, and the code in it neither reads its wire nor heeds a
    signal."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    host = AttackHost(identity)
    try:
        processes = [os.pidfd_open(pid) for pid in host.leave_running()]
        assert processes
        host.kill()
        alive = [process for process in processes if not select.select([process], [], [], 10)[0]]
        for process in alive:
            signal.pidfd_send_signal(process, signal.SIGKILL)
        for process in processes:
            os.close(process)
        assert not alive, f"{len(alive)} of {len(processes)} processes go on"
    finally:
        host.close()
