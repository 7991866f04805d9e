"""What a caller gave an executor: one policy from all the ways to say it, variables under names
that code can use, somebody to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from fumehood.errors import PolicyError
from fumehood.policy import Limits, Policy


class Unset:
    """Stands for an argument that was not given, so that None can be."""

    def __repr__(self) -> str:
        return "not given"


UNSET: Final = Unset()
_MOST_ENVIRONMENT = 1 << 20


def merged_policy(
    imports: Iterable[str],
    output_characters: int | None,
    seconds: float | Unset | None,
    policy: Policy | None,
    limits: Limits | None,
    *,
    files: bool = False,
    programs: bool | Iterable[str] = False,
) -> Policy:
    """One policy from all the ways to say it; two that contradict each other are an error."""
    if policy is not None and not isinstance(policy, Policy):
        raise PolicyError(f"policy must be a Policy, not {policy!r}")
    if policy is not None and limits is not None and limits != policy.limits:
        raise PolicyError("limits and policy.limits differ: give one of them")
    merged = limits or (policy.limits if policy else Limits())
    explicit = policy is not None or limits is not None
    for field, name, value in (
        (
            "output_characters",
            "max_print_outputs_length",
            UNSET if output_characters is None else output_characters,
        ),
        ("cell_seconds", "timeout_seconds", seconds),
    ):
        if isinstance(value, Unset):
            continue
        if explicit and getattr(merged, field) != value:
            raise PolicyError(
                f"{name}={value!r} contradicts {field}={getattr(merged, field)!r} of the limits"
                " given"
            )
        changes: dict[str, Any] = {field: value}
        merged = replace(merged, **changes)
    wanted = Policy(imports=imports, files=files, programs=programs)  # type: ignore[arg-type]  # checks the names
    if policy is None:
        return replace(wanted, limits=merged)
    if wanted.imports and set(wanted.imports) != set(policy.imports):
        raise PolicyError(
            "additional_authorized_imports and policy.imports differ: give one of them"
        )
    if files and not policy.files:
        raise PolicyError("files=True contradicts policy.files=False: give one of them")
    if wanted.programs and wanted.programs != policy.programs:
        raise PolicyError("programs and policy.programs differ: give one of them")
    return replace(policy, limits=merged)


def check_variables(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Variables under names that code can use."""
    if not isinstance(variables, Mapping):
        raise PolicyError(
            "variables are a dictionary of values by their names, such as {'x': 1}, not"
            f" {type(variables).__name__}"
        )
    for name in variables:
        if type(name) is not str or not name.isidentifier() or name.startswith("__"):
            raise PolicyError(
                "a variable's name must be an identifier without leading double underscore, not"
                f" {name!r}"
            )
    return dict(variables)


def check_environment(variables: Mapping[str, str | None]) -> dict[str, str | None]:
    """Variables of an environment, as an operating system takes them."""
    if not isinstance(variables, Mapping):
        raise PolicyError(
            f"an environment is a mapping from names to texts, not {type(variables).__name__}"
        )
    size = 0
    for name, value in variables.items():
        if type(name) is not str or not name or "=" in name or "\0" in name:
            raise PolicyError(
                "the name of a variable of the environment is a text without '=' and zero bytes,"
                f" not {name!r}"
            )
        if value is not None and (type(value) is not str or "\0" in value):
            raise PolicyError(
                f"{name!r} in the environment must be a text without zero bytes, or None to be"
                f" removed, not {value!r}"
            )
        size += len(name) + len(value or "")
    if size > _MOST_ENVIRONMENT:
        raise PolicyError(
            f"an environment of {size:,} characters is too large: at most {_MOST_ENVIRONMENT:,}"
        )
    return dict(variables)


def lines_to(logger: Any) -> Callable[[str], Any]:
    """What hands lines to a logger: one of `logging`, or an agent's own, as smolagents' agents hand
    one to their executors."""
    say = getattr(logger, "info", None) or getattr(logger, "log", None)
    if not callable(say):
        raise PolicyError(
            f"logger must have a method info() or log(), and {type(logger).__name__} has neither;"
            " leave it out"
        )
    return cast(Callable[[str], Any], say)
