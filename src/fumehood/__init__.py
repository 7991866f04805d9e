"""fumehood runs Python that an AI wrote: at CPython's speed, guarded, with its variables kept from
step to step.

Rings, innermost first. Each imports only the rings above it; tests/test_house.py compares this with
the real imports:

    leaf      errors · results · default_imports · policy · policy_bounds · wire · tunnel
    inside    language · jail · worker      run untrusted code; standard library only;
                                            language and jail never import each other
    outside   events · logs · observing     events and their subscribers
              asked                         checks arguments
              validation · tools · progress · packages · docker · e2b · ray · executors
              audit · telemetry             observers; what they observe does not import them
    product   models · agent · integrations · server · fleet · cli

The public names are imported when first used, so that `import fumehood` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "ActionStep": "fumehood.agent.steps",
    "AgentError": "fumehood.errors",
    "AgentExecutionError": "fumehood.errors",
    "AgentGenerationError": "fumehood.errors",
    "AgentInterrupted": "fumehood.errors",
    "AgentMaxStepsError": "fumehood.errors",
    "AgentMemory": "fumehood.agent.memory",
    "AgentParsingError": "fumehood.errors",
    "AgentTimeout": "fumehood.errors",
    "AsyncCheckout": "fumehood.executors.pool",
    "AuditError": "fumehood.errors",
    "AuditLog": "fumehood.audit.log",
    "BASE_PYTHON_TOOLS": "fumehood.executors.inline",
    "Cancellation": "fumehood.models.base",
    "Cancelled": "fumehood.models.base",
    "ChatMessage": "fumehood.models.messages",
    "Cluster": "fumehood.ray.cluster",
    "CodeAgent": "fumehood.agent.code_agent",
    "CodeRaised": "fumehood.errors",
    "CodeRefused": "fumehood.errors",
    "Command": "fumehood.executors.commands",
    "CommandResult": "fumehood.executors.commands",
    "Commands": "fumehood.executors.commands",
    "ContainerFailed": "fumehood.errors",
    "Custom": "fumehood.validation",
    "DangerousContainer": "fumehood.errors",
    "DangerousImport": "fumehood.errors",
    "DockerContainer": "fumehood.executors.docker",
    "DockerExecutor": "fumehood.executors.docker",
    "DockerFailed": "fumehood.errors",
    "DockerUnavailable": "fumehood.errors",
    "DuckDuckGoSearchTool": "fumehood.tools.search",
    "E2BExecutor": "fumehood.executors.e2b",
    "E2BFailed": "fumehood.errors",
    "E2BKeyRefused": "fumehood.errors",
    "E2BQuotaReached": "fumehood.errors",
    "E2BSandbox": "fumehood.executors.e2b",
    "E2BSandboxGone": "fumehood.errors",
    "E2BUnavailable": "fumehood.errors",
    "Entry": "fumehood.executors.files",
    "ErrorInfo": "fumehood.results",
    "EventStream": "fumehood.agent.streaming",
    "Execution": "fumehood.results",
    "ExecutorPool": "fumehood.executors.pool",
    "FileEvent": "fumehood.executors.files",
    "Files": "fumehood.executors.files",
    "FinalAnswerException": "fumehood.errors",
    "FinalAnswerStep": "fumehood.agent.steps",
    "FinalAnswerTool": "fumehood.tools.answer",
    "Finding": "fumehood.results",
    "Fleet": "fumehood.fleet.fleet",
    "FleetMetrics": "fumehood.fleet.results",
    "FleetResult": "fumehood.fleet.results",
    "FumehoodError": "fumehood.errors",
    "FumehoodWarning": "fumehood.errors",
    "HfApiModel": "fumehood.models.huggingface",
    "History": "fumehood.executors.snapshots",
    "Image": "fumehood.models.messages",
    "ImageBuildFailed": "fumehood.errors",
    "ImageMissing": "fumehood.errors",
    "InferenceClientModel": "fumehood.models.huggingface",
    "InstallFailed": "fumehood.errors",
    "Installed": "fumehood.executors.installing",
    "InterpreterError": "fumehood.errors",
    "JailUnavailable": "fumehood.errors",
    "Lease": "fumehood.executors.pool",
    "LimitReached": "fumehood.errors",
    "Limits": "fumehood.policy",
    "LiteLLMModel": "fumehood.models.litellm",
    "LocalPythonExecutor": "fumehood.executors.local",
    "Match": "fumehood.validation",
    "MaxSize": "fumehood.validation",
    "Mechanism": "fumehood.jail.report",
    "Metrics": "fumehood.agent.metrics",
    "MissingExtra": "fumehood.errors",
    "Model": "fumehood.models.base",
    "ModelError": "fumehood.errors",
    "Mount": "fumehood.policy",
    "NoRoom": "fumehood.errors",
    "Node": "fumehood.ray.cluster",
    "NodeLost": "fumehood.errors",
    "NodeMetrics": "fumehood.fleet.results",
    "ObserverFailed": "fumehood.errors",
    "OpenAIModel": "fumehood.models.openai",
    "Packages": "fumehood.packages.requirements",
    "Pattern": "fumehood.validation",
    "PersonalData": "fumehood.validation",
    "Picture": "fumehood.wire.records",
    "PlanningStep": "fumehood.agent.steps",
    "Policy": "fumehood.policy",
    "PolicyError": "fumehood.errors",
    "PoolStats": "fumehood.executors.pool",
    "PoolTimeout": "fumehood.errors",
    "PromptTemplates": "fumehood.agent.prompts",
    "PythonExecutor": "fumehood.executors.base",
    "RayExecutor": "fumehood.executors.ray",
    "RayFailed": "fumehood.errors",
    "RayUnavailable": "fumehood.errors",
    "Record": "fumehood.wire.values",
    "RecordingModel": "fumehood.models.replay",
    "RemoteError": "fumehood.wire.values",
    "RemoteObject": "fumehood.wire.values",
    "ReplayModel": "fumehood.models.replay",
    "RunResult": "fumehood.agent.result",
    "SandboxFailed": "fumehood.errors",
    "SavedState": "fumehood.executors.durable",
    "Shell": "fumehood.executors.commands",
    "Secrets": "fumehood.validation",
    "Snapshot": "fumehood.executors.snapshots",
    "SnapshotGone": "fumehood.errors",
    "StateFileError": "fumehood.errors",
    "Subscription": "fumehood.observing",
    "SystemPromptStep": "fumehood.agent.steps",
    "TaskStep": "fumehood.agent.steps",
    "Timing": "fumehood.agent.steps",
    "TokenUsage": "fumehood.models.messages",
    "Tool": "fumehood.tools.tool",
    "ToolCollection": "fumehood.tools.collection",
    "ToolError": "fumehood.errors",
    "Turn": "fumehood.models.replay",
    "Usage": "fumehood.results",
    "UserInputTool": "fumehood.tools.people",
    "Validator": "fumehood.validation",
    "Violation": "fumehood.results",
    "VisitWebpageTool": "fumehood.tools.web",
    "Watch": "fumehood.executors.files",
    "WorkerProtocolError": "fumehood.errors",
    "evaluate_python_code": "fumehood.executors.inline",
    "export_logs": "fumehood.audit.exporting",
    "fix_final_answer_code": "fumehood.agent.answers",
    "observe": "fumehood.observing",
    "parse_code_blobs": "fumehood.agent.parsing.parse",
    "tool": "fumehood.tools.tool",
}

__all__ = [
    "BASE_PYTHON_TOOLS",
    "ActionStep",
    "AgentError",
    "AgentExecutionError",
    "AgentGenerationError",
    "AgentInterrupted",
    "AgentMaxStepsError",
    "AgentMemory",
    "AgentParsingError",
    "AgentTimeout",
    "AsyncCheckout",
    "AuditError",
    "AuditLog",
    "Cancellation",
    "Cancelled",
    "ChatMessage",
    "Cluster",
    "CodeAgent",
    "CodeRaised",
    "CodeRefused",
    "Command",
    "CommandResult",
    "Commands",
    "ContainerFailed",
    "Custom",
    "DangerousContainer",
    "DangerousImport",
    "DockerContainer",
    "DockerExecutor",
    "DockerFailed",
    "DockerUnavailable",
    "DuckDuckGoSearchTool",
    "E2BExecutor",
    "E2BFailed",
    "E2BKeyRefused",
    "E2BQuotaReached",
    "E2BSandbox",
    "E2BSandboxGone",
    "E2BUnavailable",
    "Entry",
    "ErrorInfo",
    "EventStream",
    "Execution",
    "ExecutorPool",
    "FileEvent",
    "Files",
    "FinalAnswerException",
    "FinalAnswerStep",
    "FinalAnswerTool",
    "Finding",
    "Fleet",
    "FleetMetrics",
    "FleetResult",
    "FumehoodError",
    "FumehoodWarning",
    "HfApiModel",
    "History",
    "Image",
    "ImageBuildFailed",
    "ImageMissing",
    "InferenceClientModel",
    "InstallFailed",
    "Installed",
    "InterpreterError",
    "JailUnavailable",
    "Lease",
    "LimitReached",
    "Limits",
    "LiteLLMModel",
    "LocalPythonExecutor",
    "Match",
    "MaxSize",
    "Mechanism",
    "Metrics",
    "MissingExtra",
    "Model",
    "ModelError",
    "Mount",
    "NoRoom",
    "Node",
    "NodeLost",
    "NodeMetrics",
    "ObserverFailed",
    "OpenAIModel",
    "Packages",
    "Pattern",
    "PersonalData",
    "Picture",
    "PlanningStep",
    "Policy",
    "PolicyError",
    "PoolStats",
    "PoolTimeout",
    "PromptTemplates",
    "PythonExecutor",
    "RayExecutor",
    "RayFailed",
    "RayUnavailable",
    "Record",
    "RecordingModel",
    "RemoteError",
    "RemoteObject",
    "ReplayModel",
    "RunResult",
    "SandboxFailed",
    "SavedState",
    "Secrets",
    "Shell",
    "Snapshot",
    "SnapshotGone",
    "StateFileError",
    "Subscription",
    "SystemPromptStep",
    "TaskStep",
    "Timing",
    "TokenUsage",
    "Tool",
    "ToolCollection",
    "ToolError",
    "Turn",
    "Usage",
    "UserInputTool",
    "Validator",
    "Violation",
    "VisitWebpageTool",
    "Watch",
    "WorkerProtocolError",
    "evaluate_python_code",
    "export_logs",
    "fix_final_answer_code",
    "observe",
    "parse_code_blobs",
    "tool",
]

if TYPE_CHECKING:
    from fumehood.agent.answers import fix_final_answer_code
    from fumehood.agent.code_agent import CodeAgent
    from fumehood.agent.memory import AgentMemory
    from fumehood.agent.metrics import Metrics
    from fumehood.agent.parsing.parse import parse_code_blobs
    from fumehood.agent.prompts import PromptTemplates
    from fumehood.agent.result import RunResult
    from fumehood.agent.steps import (
        ActionStep,
        FinalAnswerStep,
        PlanningStep,
        SystemPromptStep,
        TaskStep,
        Timing,
    )
    from fumehood.agent.streaming import EventStream
    from fumehood.audit.exporting import export_logs
    from fumehood.audit.log import AuditLog
    from fumehood.errors import (
        AgentError,
        AgentExecutionError,
        AgentGenerationError,
        AgentInterrupted,
        AgentMaxStepsError,
        AgentParsingError,
        AgentTimeout,
        AuditError,
        CodeRaised,
        CodeRefused,
        ContainerFailed,
        DangerousContainer,
        DangerousImport,
        DockerFailed,
        DockerUnavailable,
        E2BFailed,
        E2BKeyRefused,
        E2BQuotaReached,
        E2BSandboxGone,
        E2BUnavailable,
        FinalAnswerException,
        FumehoodError,
        FumehoodWarning,
        ImageBuildFailed,
        ImageMissing,
        InstallFailed,
        InterpreterError,
        JailUnavailable,
        LimitReached,
        MissingExtra,
        ModelError,
        NodeLost,
        NoRoom,
        ObserverFailed,
        PolicyError,
        PoolTimeout,
        RayFailed,
        RayUnavailable,
        SandboxFailed,
        SnapshotGone,
        StateFileError,
        ToolError,
        WorkerProtocolError,
    )
    from fumehood.executors.base import PythonExecutor
    from fumehood.executors.commands import Command, CommandResult, Commands, Shell
    from fumehood.executors.docker import DockerContainer, DockerExecutor
    from fumehood.executors.durable import SavedState
    from fumehood.executors.e2b import E2BExecutor, E2BSandbox
    from fumehood.executors.files import Entry, FileEvent, Files, Watch
    from fumehood.executors.inline import BASE_PYTHON_TOOLS, evaluate_python_code
    from fumehood.executors.installing import Installed
    from fumehood.executors.local import LocalPythonExecutor
    from fumehood.executors.pool import AsyncCheckout, ExecutorPool, Lease, PoolStats
    from fumehood.executors.ray import RayExecutor
    from fumehood.executors.snapshots import History, Snapshot
    from fumehood.fleet.fleet import Fleet
    from fumehood.fleet.results import FleetMetrics, FleetResult, NodeMetrics
    from fumehood.jail.report import Mechanism
    from fumehood.models.base import Cancellation, Cancelled, Model
    from fumehood.models.huggingface import HfApiModel, InferenceClientModel
    from fumehood.models.litellm import LiteLLMModel
    from fumehood.models.messages import ChatMessage, Image, TokenUsage
    from fumehood.models.openai import OpenAIModel
    from fumehood.models.replay import RecordingModel, ReplayModel, Turn
    from fumehood.observing import Subscription, observe
    from fumehood.packages.requirements import Packages
    from fumehood.policy import Limits, Mount, Policy
    from fumehood.ray.cluster import Cluster, Node
    from fumehood.results import ErrorInfo, Execution, Finding, Usage, Violation
    from fumehood.tools.answer import FinalAnswerTool
    from fumehood.tools.collection import ToolCollection
    from fumehood.tools.people import UserInputTool
    from fumehood.tools.search import DuckDuckGoSearchTool
    from fumehood.tools.tool import Tool, tool
    from fumehood.tools.web import VisitWebpageTool
    from fumehood.validation import (
        Custom,
        Match,
        MaxSize,
        Pattern,
        PersonalData,
        Secrets,
        Validator,
    )
    from fumehood.wire.records import Picture
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
