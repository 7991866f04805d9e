"""evaluate_python_code: one cell over a dictionary of variables, as a function."""

from __future__ import annotations

import builtins
import types
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fumehood.executors.base import _as_error
from fumehood.executors.inline import make_stub
from fumehood.grants import DEFAULT_IMPORTS
from fumehood.language.guarded.builtins import MATHEMATICS, PLAIN, STATELESS
from fumehood.language.guarded.session import InlineSession
from fumehood.policy import Limits, Policy

BASE_PYTHON_TOOLS: dict[str, Any] = {
    **{name: getattr(builtins, name) for name in PLAIN if not name.startswith("__")},
    **STATELESS,
    **MATHEMATICS,
    "print": print,
}
"""What code may call without a tool being sent: builtins, in their guarded versions where they have
one, and mathematics."""


def evaluate_python_code(
    code: str,
    static_tools: dict[str, Any] | None = None,
    custom_tools: dict[str, Any] | None = None,
    state: dict[str, Any] | None = None,
    authorized_imports: Iterable[str] = tuple(DEFAULT_IMPORTS),
    max_print_outputs_length: int | None = None,
    timeout_seconds: float | None = 30.0,
) -> tuple[Any, bool]:
    """Run code inline and give `(value, is_final_answer)`; raises InterpreterError kinds for what
    the code did.

    `state` is read and written: variables stay in it, and the logs are in
    `state["_print_outputs"]`. Functions that the code defines are put into `custom_tools` too. Of a
    module in the default list `authorized_imports` gives what the default list gives of it.
    """
    state = {} if state is None else state
    imports = [*authorized_imports]
    limits = Limits(cell_seconds=timeout_seconds)
    if max_print_outputs_length is not None:
        limits = replace(limits, output_characters=max_print_outputs_length)
    policy = Policy(
        imports=tuple(name for name in imports if name not in DEFAULT_IMPORTS),
        limits=limits,
        defaults=tuple(name for name in imports if name in DEFAULT_IMPORTS),
    )
    policy.verify(stacklevel=2)
    session = InlineSession(policy, state)
    tools = {
        name: tool
        for name, tool in (static_tools or {}).items()
        if BASE_PYTHON_TOOLS.get(name) is not tool
    }
    if static_tools is not None:
        session.add_tools(MATHEMATICS)
    for name, tool in tools.items():
        if name == "final_answer":
            session.on_final_answer = make_stub(name, tool)
        elif callable(tool):
            session.add_tools({name: make_stub(name, tool)})
        else:
            session.add_tools({name: tool})
    session.add_tools(
        {name: tool for name, tool in (custom_tools or {}).items() if name not in state}
    )
    execution = session.run(code)
    state["_print_outputs"] = execution.logs
    if custom_tools is not None:
        custom_tools.update(
            {name: value for name, value in state.items() if isinstance(value, types.FunctionType)}
        )
    if execution.error is not None:
        raise _as_error(execution)
    return execution.value, execution.is_final_answer
