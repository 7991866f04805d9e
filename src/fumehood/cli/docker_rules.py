"""What containers get, and what a caller may change of it, as tables for `fumehood rules`."""

from __future__ import annotations

from fumehood.cli.rule_tables import Table
from fumehood.docker import hardening
from fumehood.policy import Policy


def docker_rules(policy: Policy) -> list[Table]:
    wanted = hardening.Wanted(policy, user=hardening.FREE_USERS[0])  # the same each time
    given = [(row.name, _spelled(row.value(wanted)), row.reason) for row in hardening.TABLE]
    changed = [(name, "refused", reason) for name, reason in hardening.REFUSED.items()]
    changed += [(row.name, "allowed with a warning", row.reason) for row in hardening.LOOSENING]
    return [
        Table(
            "containers",
            "what a container is given, in the terms of Docker's API",
            ("setting", "value", "reason"),
            given,
        ),
        Table(
            "container_syscalls",
            "what a container's filter allows beside the system calls of code, to make the jail",
            ("calls", "reason"),
            [*hardening.CALLS_OF_THE_JAIL],
        ),
        Table(
            "container_run_kwargs",
            "options that do not go without saying",
            ("option", "verdict", "reason"),
            changed,
        ),
    ]


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return " ".join(f"{name}={_spelled(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list):
        return " ".join(_spelled(each) for each in value) or "none"
    if value == hardening.system_call_filter():
        return "seccomp=<the tables syscalls and container_syscalls>"
    return f"{value:,}" if isinstance(value, int) else str(value) or "none"
