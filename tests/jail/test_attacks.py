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

from fumehood.attack.corpus import Program, names, read

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


def _attack(name: str) -> Program:
    attack = read(name)
    if attack.fields.get("arch", platform.machine()) != platform.machine():
        pytest.skip(f"speaks of {attack.fields['arch']}")
    return attack


# What one version of Python does not let happen, and those before and after it do.
STOPPED_BY_PYTHON = {
    (
        "recursion/limit_raised",
        (3, 12),
    ): "error RecursionError",  # it counts calls from C by a limit of its own, which is low there
}


@pytest.mark.once
@pytest.mark.parametrize("name", [name for name in EVERY_ATTACK if read(name).plain != "none"])
def test_the_attack_works_where_there_is_no_jail(name: str, host: Hosts) -> None:
    """Without this, a program with a mistake in it would pass for an attack that was stopped."""
    attack = _attack(name)
    outcome = host("plain").run(name)
    if attack.plain != "succeeds":
        assert outcome.ending.startswith(
            STOPPED_BY_PYTHON.get((name, sys.version_info[:2]), attack.plain)
        ), outcome
    elif _NOT_HERE.match(outcome.value):
        pytest.skip(f"this machine has nothing to attack: {outcome.value}")
    else:
        assert outcome.ending == "escaped" or outcome.findings or outcome.leaks, outcome


OTHERS = ("nobody", "container", "contained", "housed")
# How the jail is made depends on who the host is a lot, and on the Python a little. As root they
# are run by tests/attacks, on every Python. Each identity has its share of them, another for
# another tree; all of them with FUMEHOOD_TEST_ATTACKS=all.
SHARES = [
    (name, identity)
    for identity in OTHERS
    for name in share([name for name in EVERY_ATTACK if identity in read(name).hosts], 3, identity)
]


@pytest.mark.once
@pytest.mark.parametrize(("name", "identity"), SHARES)
def test_the_attack_does_not_get_out_of_the_jail(name: str, identity: str, host: Hosts) -> None:
    attack = _attack(name)
    outcome = host(identity).run(name)
    if identity != "housed" and outcome.lacks(attack.fields.get("needs")):
        pytest.skip(f"there is nothing to attack without a {attack.fields['needs']}")
    got_out = outcome.ending == "escaped" or outcome.findings or outcome.leaks
    if outcome.lacks(attack.fields.get("without")):
        assert got_out, (
            f"the jail holds this now without a {attack.fields['without']}: take the line out of"
            f" the header ({outcome})"
        )
        return
    assert not got_out, outcome
    assert not any("ESCAPED" in step for step in outcome.steps), outcome
    assert outcome.ending in attack.expected, outcome
    assert outcome.afterwards == "answers", f"the executor is of no use afterwards: {outcome}"


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
