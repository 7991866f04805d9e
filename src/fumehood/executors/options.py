"""The options that all executors share, their checks, and the policy that they amount to.

A constructor takes them as `**session: Unpack[SessionOptions]`, which type checkers and editors
understand. `Options` holds them with their defaults; `shows_session_options` lists them in the
signature of a class for `help()`.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, Self, TypedDict, TypeVar, cast

from fumehood.errors import PolicyError
from fumehood.executors.session_events import OutputChecks
from fumehood.observing import Observer
from fumehood.policy import Limits, Policy

Then = Literal["rollback", "keep"]
_Class = TypeVar("_Class", bound=type)
_MOST_ENVIRONMENT = 1 << 20


class Unset:
    """Stands for an argument that was not given, where None is a value."""

    def __repr__(self) -> str:
        return "not given"


UNSET: Final = Unset()


class SessionOptions(TypedDict, total=False):
    """The docstring of LocalPythonExecutor describes each."""

    timeout_seconds: float | Unset | None
    policy: Policy | None
    limits: Limits | None
    files: bool
    programs: bool | Iterable[str]
    on_fault: Then
    on_error: Then
    keep: int | None
    additional_functions: Mapping[str, Callable[..., Any]] | None
    on_output: Callable[[str], Any] | None
    audit: Observer | Iterable[Observer] | None
    validators: Iterable[Any] | OutputChecks


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """SessionOptions with defaults, checked."""

    timeout_seconds: float | Unset | None = UNSET
    policy: Policy | None = None
    limits: Limits | None = None
    files: bool = False
    programs: bool | Iterable[str] = False
    on_fault: Then = "rollback"
    on_error: Then = "keep"
    keep: int | None = None
    additional_functions: Mapping[str, Callable[..., Any]] | None = None
    on_output: Callable[[str], Any] | None = None
    audit: Observer | Iterable[Observer] | None = None
    validators: Iterable[Any] | OutputChecks = ()

    def __post_init__(self) -> None:
        for name, value in (("on_fault", self.on_fault), ("on_error", self.on_error)):
            if value not in ("rollback", "keep"):
                raise PolicyError(f"{name} must be 'rollback' or 'keep', not {value!r}")
        if self.keep is not None and (type(self.keep) is not int or self.keep < 1):
            raise PolicyError(
                f"keep must be a whole number of at least 1 or None, not {self.keep!r}"
            )

    @classmethod
    def given_to(cls, executor: type, given: Mapping[str, Any]) -> Self:
        """The options that a caller gave an executor. TypeError for an unknown name, as from any
        function."""
        for name in given:
            if name not in _NAMES:
                known = [word for word in inspect.signature(executor).parameters if word != name]
                close = difflib.get_close_matches(name, known, n=1)
                hint = f". Did you mean {close[0]!r}?" if close else ""
                raise TypeError(
                    f"{executor.__name__}() got an unexpected keyword argument {name!r}{hint}"
                )
        return cls(**given)

    @property
    def undoes(self) -> frozenset[str]:
        """What makes a cell be undone."""
        then = (("fault", self.on_fault), ("error", self.on_error))
        return frozenset(what for what, action in then if action == "rollback")

    def merged_policy(self, imports: Iterable[str], output_characters: int | None) -> Policy:
        """One policy from all arguments that concern it. PolicyError for a contradiction."""
        policy, limits = self.policy, self.limits
        if policy is not None and not isinstance(policy, Policy):
            raise PolicyError(f"policy must be a Policy, not {policy!r}")
        if policy is not None and limits is not None and limits != policy.limits:
            raise PolicyError("limits and policy.limits differ: give one of them")
        merged = limits or (policy.limits if policy else Limits())
        explicit = policy is not None or limits is not None
        printed = UNSET if output_characters is None else output_characters
        for field, name, value in (
            ("output_characters", "max_print_outputs_length", printed),
            ("cell_seconds", "timeout_seconds", self.timeout_seconds),
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
        wanted = Policy(imports=imports, files=self.files, programs=self.programs)  # type: ignore[arg-type]  # checks the names
        if policy is None:
            return replace(wanted, limits=merged)
        if wanted.imports and set(wanted.imports) != set(policy.imports):
            raise PolicyError(
                "additional_authorized_imports and policy.imports differ: give one of them"
            )
        if self.files and not policy.files:
            raise PolicyError("files=True contradicts policy.files=False: give one of them")
        if wanted.programs and wanted.programs != policy.programs:
            raise PolicyError("programs and policy.programs differ: give one of them")
        return replace(policy, limits=merged)


_NAMES = tuple(field.name for field in fields(Options))


def shows_session_options(executor: _Class) -> _Class:
    """A decorator that lists the options in the signature of a class, before its `**kwargs` for
    others."""
    made: Any = executor.__init__  # type: ignore[misc]
    known = inspect.signature(made)
    types = SessionOptions.__annotations__
    options = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=types[field.name].__forward_arg__,
        )
        for field in fields(Options)
    ]
    own = [*known.parameters.values()]
    more = own.pop()
    rest = [more] if more.name == "kwargs" else []
    made.__signature__ = known.replace(parameters=[*own, *options, *rest])
    return executor


def split_options(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Session options, and the other arguments."""
    own = {name: value for name, value in given.items() if name in _NAMES}
    return own, {name: value for name, value in given.items() if name not in _NAMES}


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
    """Environment variables that the operating system accepts."""
    if not isinstance(variables, Mapping):
        raise PolicyError(
            f"an environment is a mapping from names to strings, not {type(variables).__name__}"
        )
    size = 0
    for name, value in variables.items():
        if type(name) is not str or not name or "=" in name or "\0" in name:
            raise PolicyError(
                f"the name of an environment variable is a string without '=' or NUL, not {name!r}"
            )
        if value is not None and (type(value) is not str or "\0" in value):
            raise PolicyError(
                f"{name!r} in the environment must be a string without NUL, or None to remove it,"
                f" not {value!r}"
            )
        size += len(name) + len(value or "")
    if size > _MOST_ENVIRONMENT:
        raise PolicyError(
            f"an environment of {size:,} characters is too large: at most {_MOST_ENVIRONMENT:,}"
        )
    return dict(variables)


def lines_to(logger: Any) -> Callable[[str], Any]:
    """A function that passes lines to a logger: one of `logging`, or an agent's own, as smolagents'
    agents give one to their executors."""
    log = getattr(logger, "info", None) or getattr(logger, "log", None)
    if not callable(log):
        raise PolicyError(
            f"logger must have a method info() or log(), and {type(logger).__name__} has neither;"
            " leave it out"
        )
    return cast(Callable[[str], Any], log)
