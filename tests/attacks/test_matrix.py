"""Every program in every configuration: language only, jail only, both, and a jail with programs; as
root and as an ordinary user.

What must become of it is in OUTCOMES, by the part of the language that its header names. `make
test` runs a share of each category (choosing.py), and `make test-all` runs all. Containers are in
test_containers.py.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator

import pytest

from fumehood.attack.asking import AskedHost, HostDied, HostNeverBegan, ask_for
from fumehood.attack.categories import CATEGORIES
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program, names, read
from fumehood.attack.outcomes import Outcome, judged

from ..jail.attack_host import AttackHost
from .choosing import run_there, share

CONFIGURATIONS = {
    "language only": Configuration("inline"),
    "jail only": Configuration(guarded=False),
    "both": Configuration(),
    "programs": Configuration(guarded=False, imports=("*",), programs=True),
    # Without jail/_spawn.c.
    "in Python": Configuration(guarded=False),
}
JAIL_ALONE = ("jail only", "programs", "in Python")
ENVIRONMENT = {"in Python": {"FUMEHOOD_SPAWN": "python"}}

# By configuration and by the part of the language that stops a program: what its verdict may be.
# What is refused by check is refused before it runs; what another part stops may be refused while
# it runs, or obtain nothing. None: the rules let it through.
OUTCOMES: dict[tuple[str, str | None], set[str]] = {
    **{
        ("language only", part): {"refused", "contained"}
        for part in ("guard", "view", "builtins", "run")
    },
    ("language only", "check"): {"refused"},
    **{
        ("both", part): {"refused", "contained"}
        for part in ("guard", "view", "builtins", "run", None)
    },
    ("both", "check"): {"refused"},
    **{
        (name, part): {"contained"}
        for name in JAIL_ALONE
        for part in ("check", "guard", "view", "builtins", None)
    },
    # The executor refuses to run code among variables whose names are no texts, with the rules on
    # or off.
    **{(name, "run"): {"refused", "contained"} for name in JAIL_ALONE},
}
# Of a program of a client: the server refuses what it asks, or it gets an answer that is of no use.
OF_A_CLIENT = {"refused", "contained"}

# `make test` runs one in so many programs of a category.
ONE_IN = {
    ("language only", "root"): 8,
    ("jail only", "root"): 20,
    ("both", "root"): 30,
    ("jail only", "nobody"): 20,
    ("both", "nobody"): 20,
    ("programs", "root"): 20,
    ("programs", "nobody"): 30,
    ("in Python", "root"): 60,
    ("in Python", "nobody"): 60,
}

MOST_HOSTS = 8
"""At once: each has several zygotes, and all of them together would take gigabytes."""

Hosts = Callable[[str, str, Program], AskedHost]


@pytest.fixture(scope="module")
def host() -> Iterator[Hosts]:
    """The host of a configuration and an identity, started when first asked for, and anew when a
    program has ended it."""
    hosts: dict[tuple[str, ...], AskedHost] = {}

    def of(configuration: str, identity: str, program: Program) -> AskedHost:
        # A host that has once imported pandas looks, after every program, whether pandas is still
        # as it was.
        key = configuration, identity, *program.imports
        if key in hosts and hosts[key].alive:
            hosts[key] = hosts.pop(key)  # the last one used is the last to be closed
        else:
            while len(hosts) >= MOST_HOSTS:
                close(hosts.pop(next(iter(hosts))))
            chosen = CONFIGURATIONS[configuration]
            # Root gets mounts of its own for the canaries; anybody else cannot be another.
            as_somebody = os.geteuid() == 0 and configuration != "language only"
            try:
                hosts[key] = (
                    AttackHost(identity, chosen, **ENVIRONMENT.get(configuration, {}))
                    if as_somebody
                    else ask_for(chosen)
                )
            except HostNeverBegan as error:
                if "JailUnavailable" not in str(error):
                    raise
                pytest.skip(str(error))
        return hosts[key]

    def close(host: AskedHost) -> None:
        if host.alive:
            host.close()

    yield of
    for each in hosts.values():
        close(each)


def _rows() -> Iterator[object]:
    """Those that take long first."""
    order = sorted(
        CATEGORIES, key=lambda name: (name not in ("time", "computation", "bombs"), name)
    )
    for category in order:
        yield pytest.param(category, "language only", "root", id=f"{category}-language only")
        for configuration in ("both", *JAIL_ALONE):
            for identity in ("root", "nobody"):
                only_in_all = identity == "nobody" and configuration in ("both", "in Python")
                yield pytest.param(
                    *(category, configuration, identity),
                    id=f"{category}-{configuration}-{identity}",
                    marks=[pytest.mark.extended] if only_in_all else [],
                )


@pytest.mark.parametrize(("category", "configuration", "identity"), [*_rows()])
def test_no_program_escapes(
    category: str, configuration: str, identity: str, host: Hosts, extended: bool
) -> None:
    if identity != "root" and os.geteuid() != 0:
        pytest.skip("only root can change its user")
    every = run_there(category, CONFIGURATIONS[configuration])
    if not extended:
        every = share(every, ONE_IN[configuration, identity], configuration)
    assert every
    complaints = {}
    for name in every:
        if why := complaint(read(name), configuration, identity, host):
            complaints[name] = why
    assert complaints == {}


def complaint(program: Program, configuration: str, identity: str, host: Hosts) -> str | None:
    """What is wrong with the outcome of a program, if anything is."""
    try:
        outcome = host(configuration, identity, program).run(program.name)
    except HostDied as died:
        return f"the host did not live through it: {died}"
    verdict, why = judged(program, outcome, CONFIGURATIONS[configuration])
    if verdict == "left out":
        return None
    expected = (
        OF_A_CLIENT if program.is_of_a_client else set(OUTCOMES[configuration, program.language])
    )
    if configuration in JAIL_ALONE and program.judges_itself:
        if "fault refused" in program.expected:
            expected.add("refused")
        # With programs, judged() has compared what it obtained to what it may obtain.
        endings = (*program.expected, *(["escaped"] if configuration == "programs" else []))
        if outcome.ending not in endings and "agent" not in program.host_steps:
            return (
                f"ends with {outcome.ending!r} instead of {program.fields['expect']!r}: {outcome}"
            )
    if verdict not in expected:
        return f"{verdict} ({why}) instead of {' or '.join(sorted(expected))}"
    return (
        _told_badly(program, outcome)
        if verdict == "refused" and configuration == "language only"
        else None
    )


def _told_badly(program: Program, outcome: Outcome) -> str | None:
    """A refusal says where and why, and names what the header names."""
    if program.language == "check" and not outcome.violations:
        return "was refused without saying where"
    if any(violation["line"] < 1 or not violation["reason"] for violation in outcome.violations):
        return f"was refused without a line or a reason: {outcome.violations}"
    wanted = program.fields.get("refuses")
    if wanted is not None and wanted not in {violation["name"] for violation in outcome.violations}:
        return f"was refused, but not for {wanted}"
    return None


def test_whatever_the_rules_stop_is_run_with_the_jail_alone_too() -> None:
    """Where it must be contained. A program that this Python cannot run is run nowhere."""
    of_rules = [
        program
        for program in map(read, names())
        if program.language is not None and program.runs_on(sys.version_info[:2])
    ]
    assert len(of_rules) > 500
    lacking = [name for name in ("numpy", "pandas") if importlib.util.find_spec(name) is None]
    assert [
        program.name
        for program in of_rules
        if _leaves_out("jail only", program) and not set(program.imports) & set(lacking)
    ] == []


def _leaves_out(configuration: str, program: Program) -> bool:
    return CONFIGURATIONS[configuration].leaves_out(program) is not None


def test_a_configuration_leaves_out_no_category_but_those_that_it_is_not_about() -> None:
    """Their tests are skipped, so a configuration that left out too much would not be seen to
    fail."""
    others = [category for category in CATEGORIES if category not in ("numpy", "pandas")]
    left_out = {
        name: {
            category
            for category in others
            if all(_leaves_out(name, read(one)) for one in names(category))
        }
        for name in CONFIGURATIONS
    }
    assert left_out == {
        "language only": {"recursion", "snapshots", "audit", "server", "agent"},
        "jail only": set(),
        "both": set(),
        "programs": set(),
        "in Python": set(),
    }
