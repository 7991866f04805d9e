"""Every attack program, in a plain process and in the jail: it works in the first and not in the second.

The language layer is off: what holds here is the jail alone. The host is root, an ordinary user, and both of them in a container.
"""

from __future__ import annotations

import os
import platform
import re
import select
import signal
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from .attack_host import AttackHost
from .corpus import LAYERS, Attack, names, read
from .identities import IDENTITIES

EVERY_ATTACK = names()

# What a machine answers that does not have the thing that is attacked: ENOSYS, ENODEV, EAFNOSUPPORT, EOPNOTSUPP.
_NOT_HERE = re.compile(r"held: \[Errno (38|19|97|95)\]")

Hosts = Callable[[str], AttackHost]


@pytest.fixture(scope="module")
def host() -> Iterator[Hosts]:
    """The host of an identity, started when first asked for, and anew when an attack has ended it."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a world for an attack that works, or be somebody else to run it in a jail")
    hosts: dict[str, AttackHost] = {}

    def of(identity: str) -> AttackHost:
        if identity in hosts and not hosts[identity].alive and not hosts[identity].has_answered:
            pytest.fail(f"the host {identity!r} cannot even start")
        if identity not in hosts or not hosts[identity].alive:
            hosts[identity] = AttackHost(identity)
        return hosts[identity]

    yield of
    for each in hosts.values():
        each.close()


def _attack(name: str) -> Attack:
    attack = read(name)
    if attack.fields.get("arch", platform.machine()) != platform.machine():
        pytest.skip(f"speaks of {attack.fields['arch']}")
    return attack


@pytest.mark.once
@pytest.mark.parametrize("name", [name for name in EVERY_ATTACK if read(name).plain != "none"])
def test_the_attack_works_where_there_is_no_jail(name: str, host: Hosts) -> None:
    """Without this, a program with a mistake in it would pass for an attack that was stopped."""
    attack = _attack(name)
    outcome = host("plain").run(name)
    if attack.plain != "succeeds":
        assert outcome["ending"].startswith(attack.plain), outcome
    elif _NOT_HERE.match(outcome.get("value", "")):
        pytest.skip(f"this machine has nothing to attack: {outcome['value']}")
    else:
        assert outcome["ending"] == "escaped" or outcome["findings"] or outcome["leaks"], outcome


# How the jail is made depends on the Python a little, and on who the host is a lot; the two do not depend on each other.
@pytest.mark.parametrize(
    ("name", "identity"),
    [
        pytest.param(name, identity, marks=() if identity == "root" else pytest.mark.once)
        for name in EVERY_ATTACK
        for identity in read(name).hosts
    ],
)
def test_the_attack_does_not_get_out_of_the_jail(name: str, identity: str, host: Hosts) -> None:
    attack = _attack(name)
    outcome = host(identity).run(name)
    absent = [line for line in outcome["report"].splitlines() if line.strip().startswith("absent")]
    if identity != "housed" and any(attack.fields.get("needs", "…") in line for line in absent):
        pytest.skip(f"there is nothing to attack without a {attack.fields['needs']}")
    got_out = outcome["ending"] == "escaped" or outcome["findings"] or outcome["leaks"]
    if any(attack.fields.get("without", "…") in line for line in absent):
        assert got_out, f"the jail holds this now without a {attack.fields['without']}: take the line out of the header ({outcome})"
        return
    assert not got_out, outcome
    assert not any("ESCAPED" in step for step in outcome["steps"]), outcome
    assert outcome["ending"] in attack.expected, outcome
    assert outcome["afterwards"] == "answers", f"the executor is of no use afterwards: {outcome}"


@pytest.mark.parametrize("identity", IDENTITIES)
def test_nothing_outlives_a_host_that_is_killed(identity: str) -> None:
    """Nobody is left to close the sandbox, and the code in it neither reads its wire nor heeds a signal."""
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


def test_the_corpus_is_large_and_every_layer_has_attacks() -> None:
    layers = Counter(layer for name in EVERY_ATTACK for layer in read(name).layers)
    assert len(EVERY_ATTACK) >= 150
    assert layers.keys() == LAYERS.keys()


def test_most_attacks_are_shown_to_work() -> None:
    shown = [name for name in EVERY_ATTACK if read(name).plain != "none"]
    assert len(shown) >= 100


def test_no_two_attacks_are_the_same() -> None:
    aims = Counter(read(name).fields["aim"] for name in EVERY_ATTACK)
    sources = Counter(read(name).cells for name in EVERY_ATTACK)
    assert [aim for aim, times in aims.items() if times > 1] == []
    assert [source for source, times in sources.items() if times > 1] == []


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ("# aim: x\n# layer: seccomp\n# expect: held\n", "lacks plain"),
        ("# aim: x\n# layer: luck\n# expect: held\n# plain: succeeds\n", "no such layer"),
        ("# aim: x\n# layer: seccomp\n# expect: nothing bad\n# plain: succeeds\n", "cannot be expected"),
        ("# aim: x\n# layer: seccomp\n# expect: held\n# plain: none\n", "not a plain outcome"),
        ("# aim: x\n# aim: y\n", "not a header line"),
        ("# aim: x\n# layer: seccomp\n# expect: held\n# plain: succeeds\n# limits: luck=1\n", "no such limit"),
        ("# aim: x\n# layer: seccomp\n# expect: held\n# plain: succeeds\n# hosts: martian\n", "no such host"),
    ],
)
def test_a_header_that_says_something_else_is_refused(header: str, complaint: str, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "group").mkdir()
    (tmp_path / "group" / "attack.py").write_text(header + "1\n")
    monkeypatch.setattr(f"{read.__module__}.ATTACKS", tmp_path)
    with pytest.raises(ValueError, match=complaint):
        read("group/attack")
