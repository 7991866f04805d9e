"""fumehood runs Python that an AI wrote: at CPython's speed, guarded, with its variables kept from step to step.

Rings, innermost first; each imports only what stands above it (tests/test_rings.py compares this with the real imports):

    leaf      errors · results · policy · wire
    inside    language · jail · worker      runs untrusted code; standard library only; language and jail never import each other
    outside   tools · executors             host side
    product   models · agent · integrations · cli

The public names are imported when first used, so that `import fumehood` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "BASE_PYTHON_TOOLS": "fumehood.executors.evaluate",
    "CodeOutput": "fumehood.results",
    "CodeRaised": "fumehood.errors",
    "CodeRefused": "fumehood.errors",
    "DangerousImport": "fumehood.errors",
    "ErrorInfo": "fumehood.results",
    "Execution": "fumehood.results",
    "ExecutorPool": "fumehood.executors.pool",
    "FinalAnswerException": "fumehood.errors",
    "FumehoodError": "fumehood.errors",
    "InterpreterError": "fumehood.errors",
    "JailUnavailable": "fumehood.errors",
    "LimitReached": "fumehood.errors",
    "Limits": "fumehood.policy",
    "LocalPythonExecutor": "fumehood.executors.local",
    "Mount": "fumehood.policy",
    "Picture": "fumehood.wire.pictures",
    "Policy": "fumehood.policy",
    "PolicyError": "fumehood.errors",
    "PoolStats": "fumehood.executors.stock",
    "PoolTimeout": "fumehood.errors",
    "PythonExecutor": "fumehood.executors.base",
    "Record": "fumehood.wire.values",
    "RemoteError": "fumehood.wire.values",
    "RemoteObject": "fumehood.wire.values",
    "SandboxFailed": "fumehood.errors",
    "SavedState": "fumehood.executors.durable",
    "StateFileError": "fumehood.errors",
    "Usage": "fumehood.results",
    "Violation": "fumehood.results",
    "WorkerProtocolError": "fumehood.errors",
    "evaluate_python_code": "fumehood.executors.evaluate",
    "fix_final_answer_code": "fumehood.language.answers",
}

__all__ = [
    "BASE_PYTHON_TOOLS",
    "CodeOutput",
    "CodeRaised",
    "CodeRefused",
    "DangerousImport",
    "ErrorInfo",
    "Execution",
    "ExecutorPool",
    "FinalAnswerException",
    "FumehoodError",
    "InterpreterError",
    "JailUnavailable",
    "LimitReached",
    "Limits",
    "LocalPythonExecutor",
    "Mount",
    "Picture",
    "Policy",
    "PolicyError",
    "PoolStats",
    "PoolTimeout",
    "PythonExecutor",
    "Record",
    "RemoteError",
    "RemoteObject",
    "SandboxFailed",
    "SavedState",
    "StateFileError",
    "Usage",
    "Violation",
    "WorkerProtocolError",
    "evaluate_python_code",
    "fix_final_answer_code",
]

if TYPE_CHECKING:
    from fumehood.errors import (
        CodeRaised,
        CodeRefused,
        DangerousImport,
        FinalAnswerException,
        FumehoodError,
        InterpreterError,
        JailUnavailable,
        LimitReached,
        PolicyError,
        PoolTimeout,
        SandboxFailed,
        StateFileError,
        WorkerProtocolError,
    )
    from fumehood.executors.base import PythonExecutor
    from fumehood.executors.durable import SavedState
    from fumehood.executors.evaluate import BASE_PYTHON_TOOLS, evaluate_python_code
    from fumehood.executors.local import LocalPythonExecutor
    from fumehood.executors.pool import ExecutorPool
    from fumehood.executors.stock import PoolStats
    from fumehood.language.answers import fix_final_answer_code
    from fumehood.policy import Limits, Mount, Policy
    from fumehood.results import CodeOutput, ErrorInfo, Execution, Usage, Violation
    from fumehood.wire.pictures import Picture
    from fumehood.wire.values import Record, RemoteError, RemoteObject


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'fumehood' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
