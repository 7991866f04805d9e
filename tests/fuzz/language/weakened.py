"""Rules taken away one at a time, as a table: what finds nothing must be able to find something, so
each of these is to be found.

They hold in a child only, where nothing they let through can do harm.
"""

from __future__ import annotations

import builtins
import operator
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from fumehood.language.guarded import access, names

from ..engine import Report, run
from .escapes import Escapes
from .running import Host

MOST_CASES = 100
"""Of some twenty programs each. What is not found by then counts as missed."""


def _readable(group: str) -> Callable[[Host], None]:
    def weaken(host: Host) -> None:
        for name, row in names.NAMES.items():
            if row.group == group and row.read == "refused":
                names.NAMES[name] = replace(row, read="plain")

    return weaken


def _own_getattr(host: Host) -> None:
    host.builtins["getattr"] = builtins.getattr


def _formats(host: Host) -> None:
    names.refused_attribute = lambda text: None


def _attribute_getter(host: Host) -> None:
    vars(host.session._modules.made()["operator"])["attrgetter"] = operator.attrgetter


def _module_inside(host: Host) -> None:
    vars(host.session._modules.made()["random"])["_os"] = os


def _patterns(host: Host) -> None:
    host.session._guards["class_pattern"] = lambda cls: False


def _evaluation(host: Host) -> None:
    host.builtins["eval"] = builtins.eval


def _hidden_methods(host: Host) -> None:
    for name in ("__getattribute__", "__getattr__", "__setattr__", "__delattr__"):
        access._HANDLERS[name] = lambda found, name: found


WEAKENED: dict[str, Callable[[Host], None]] = {
    "the insides of functions can be read": _readable("functions"),
    "frames can be read": _readable("frames"),
    "every class can be listed": _readable("classes"),
    "getattr takes any name": _own_getattr,
    "format strings read any attribute": _formats,
    "an attribute getter takes any name": _attribute_getter,
    "a module is left inside a module": _module_inside,
    "class patterns are not looked at": _patterns,
    "eval evaluates past the rules": _evaluation,
    "__getattribute__ takes any name": _hidden_methods,
}


def controls(seed: str, chosen: Iterable[str]) -> Iterator[tuple[str, Report]]:
    """Each rule that is taken away, and what programs made of that. `chosen` are words of those to
    try."""
    escapes = Escapes()
    for name, weaken in WEAKENED.items():
        if not any(word in name for word in chosen):
            continue
        yield name, run(escapes.with_rules(weaken), seed, range(MOST_CASES), most_findings=1)
