"""A policy in a file: TOML with `imports`, `language` and a table `limits`, as in Policy and
Limits.

imports = ["numpy"]
language = "guarded"

[limits]
cell_seconds = 10
memory_bytes = 268435456
"""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from fumehood.cli import options, terminal
from fumehood.errors import PolicyError
from fumehood.policy import Limits, Policy

_KEYS = ("imports", "language", "limits")
_LIMITS = tuple(field.name for field in fields(Limits))


def read_policy(path: Path) -> tuple[Policy, dict[str, float]]:
    """The policy of a file, and those limits that the file names. What is wrong with it ends the
    command with one line."""
    try:
        given = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        terminal.fail(
            f"the policy {str(path)!r} cannot be read: {error.strerror}", terminal.BAD_INPUT
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        terminal.fail(f"the policy {str(path)!r} is not TOML: {error}", terminal.BAD_INPUT)
    _expect_only(given, _KEYS, f"the policy {str(path)!r}")
    limits = given.get("limits", {})
    if not isinstance(limits, dict):
        terminal.fail(
            f"the policy {str(path)!r}: limits must be a table, not {limits!r}", terminal.BAD_INPUT
        )
    _expect_only(limits, _LIMITS, f"the policy {str(path)!r}, limits")
    with options.problems_as_lines():
        try:
            policy = Policy(
                imports=given.get("imports", ()),
                language=given.get("language", "python"),
                limits=Limits(**limits),
            )
            policy.verify_installed()
        except PolicyError as error:
            raise PolicyError(f"the policy {str(path)!r}: {error}") from None
    return policy, limits


def _expect_only(given: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        terminal.fail(
            f"{where} has {unknown[0]!r}, which means nothing; there are {', '.join(known)}",
            terminal.BAD_INPUT,
        )
