"""The widest policy that a caller may ask for, where another party answers for what code does.

A server has a policy for each of its keys. The owner of a key can ask for sandboxes with another
policy. A capability beyond the key's policy is refused by name; larger limits are reduced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from fumehood.errors import PolicyError
from fumehood.policy import Limits, Policy

_NOT_AMOUNTS = frozenset({"tool_time_counts"})


def bounded(asked: Policy, ceiling: Policy) -> Policy:
    """The policy that is asked for, with limits and default imports no wider than the ceiling's.
    PolicyError for what the ceiling does not have: imports, files, programs, mounts. Under a
    ceiling with the guarded language every policy has it."""
    check_imports(asked.imports, ceiling)
    for is_asked, is_there, what in (
        (asked.files, ceiling.files, "files=True"),
        (bool(asked.programs), _has_programs(asked, ceiling), f"programs={asked.programs!r}"),
        (bool(asked.mounts), False, "mounts"),
    ):
        if is_asked and not is_there:
            raise PolicyError(
                f"{what} is more than this key's policy allows; leave it out, or ask the operator"
                " of the server"
            )
    if ceiling.language == "guarded":
        asked = replace(asked, language="guarded")
    more = asked.default_imports - ceiling.default_imports
    beyond = {name for name in more if not _has(name, ceiling)}
    defaults = tuple(sorted(asked.default_imports - beyond)) if beyond else asked.defaults
    return replace(asked, defaults=defaults, limits=bounded_limits(asked.limits, ceiling.limits))


def _has_programs(asked: Policy, ceiling: Policy) -> bool:
    if isinstance(asked.programs, str):
        return asked.programs == ceiling.programs
    if isinstance(ceiling.programs, bool):
        return ceiling.programs
    if isinstance(asked.programs, bool) or isinstance(ceiling.programs, str):
        return False
    return {*asked.programs} <= {*ceiling.programs}


def bounded_limits(asked: Limits, ceiling: Limits) -> Limits:
    return Limits(**{item.name: _least(item.name, asked, ceiling) for item in fields(Limits)})


def _least(name: str, asked: Limits, ceiling: Limits) -> Any:
    wanted, most = getattr(asked, name), getattr(ceiling, name)
    if name in _NOT_AMOUNTS or most is None:
        return wanted
    return most if wanted is None else min(wanted, most)


def check_imports(names: Iterable[str], ceiling: Policy) -> None:
    """PolicyError for modules that the ceiling does not authorize in full."""
    beyond = [name for name in names if not _has(name, ceiling)]
    if beyond:
        there = ", ".join(ceiling.imports) or "none beyond the default list"
        raise PolicyError(
            f"cannot authorize {', '.join(map(repr, beyond))}: this key's policy authorizes {there}"
        )


def _has(name: str, ceiling: Policy) -> bool:
    return any(known in ("*", name) or name.startswith(known + ".") for known in ceiling.imports)
