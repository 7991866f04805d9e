"""What every executor can be told of its sessions, wherever they run: names and types once,
defaults once, and shown in each signature.

A constructor takes them as `**session: Unpack[SessionOptions]`, which type checkers and editors
know how to read. `help()` does not, so `shows_session_options` writes them out for it.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypedDict, TypeVar

from fumehood.executors.given import UNSET, Unset, merged_policy
from fumehood.executors.trail import OutputChecks
from fumehood.observing import Observer
from fumehood.policy import Limits, Policy

Then = Literal["rollback", "keep"]
_Class = TypeVar("_Class", bound=type)


class SessionOptions(TypedDict, total=False):
    """As LocalPythonExecutor's docstring says of each."""

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


DEFAULTS: Final[SessionOptions] = {
    "timeout_seconds": UNSET,
    "policy": None,
    "limits": None,
    "files": False,
    "programs": False,
    "on_fault": "rollback",
    "on_error": "keep",
    "keep": None,
    "additional_functions": None,
    "on_output": None,
    "audit": None,
    "validators": (),
}


def settled(
    executor: type, imports: Iterable[str], output_characters: int | None, given: SessionOptions
) -> tuple[Policy, SessionOptions]:
    """One policy from all the ways to say it, and every option, with defaults for those that were
    not given. TypeError, as of any function, for one that there is not."""
    for name in given:
        if name not in DEFAULTS:
            known = [word for word in inspect.signature(executor).parameters if word != name]
            close = difflib.get_close_matches(name, known, n=1)
            meant = f". Did you mean {close[0]!r}?" if close else ""
            raise TypeError(
                f"{executor.__name__}() got an unexpected keyword argument {name!r}{meant}"
            )
    options: SessionOptions = {**DEFAULTS, **given}
    policy = merged_policy(
        imports,
        output_characters,
        options["timeout_seconds"],
        options["policy"],
        options["limits"],
        files=options["files"],
    )
    return policy, options


def shows_session_options(executor: _Class) -> _Class:
    """Have `help()` and `inspect.signature` name the options one by one."""
    made: Any = executor.__init__  # type: ignore[misc]
    known = inspect.signature(made)
    types = SessionOptions.__annotations__
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=types[name].__forward_arg__,
        )
        for name, default in DEFAULTS.items()
    ]
    own = [
        parameter
        for parameter in known.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    made.__signature__ = known.replace(parameters=[*own, *options])
    return executor
