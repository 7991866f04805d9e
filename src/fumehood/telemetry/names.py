"""Every name that telemetry uses, as tables: kinds of spans, their attributes, metrics, and whose
model a model is.

Names that begin with `gen_ai.` or `error.` are those of OpenTelemetry's conventions for generative
AI (they are in development, and may still change); the others are ours. The tables of
docs/telemetry.md are these.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

OTHER: Final = "_OTHER"
"""What the conventions say in place of a name that cannot be given."""

# -- spans

Kind = Literal["run", "plan", "chat", "cell", "tool"]


class Span(NamedTuple):
    """A kind of span: its name, with what is filled in; what the conventions call the operation;
    and when there is one."""

    name: str
    operation: str
    meaning: str


SPANS: dict[Kind, Span] = {
    "run": Span("invoke_agent {agent}", "invoke_agent", "a run of an agent"),
    "plan": Span(
        "plan {agent}", "plan", "the agent makes a plan; around the question to the model"
    ),
    "chat": Span("chat {model}", "chat", "a model is asked: for a step, a plan or a summary"),
    # Not an `execute_tool python`: executors run without agents too, and whoever counts the calls
    # of tools wants to count what reaches the host, not the code that calls it.
    "cell": Span("fumehood.cell", "", "a cell of code runs in a sandbox"),
    "tool": Span(
        "execute_tool {tool}",
        "execute_tool",
        "code calls one of the host's tools, which runs; the current span there",
    ),
}

# -- attributes


class Attribute(NamedTuple):
    """An attribute, the kinds of spans that have it, and what it says. Content is recorded only if
    it is asked for."""

    name: str
    spans: tuple[Kind, ...]
    meaning: str
    is_content: bool = False


ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute(
        "gen_ai.operation.name",
        ("run", "plan", "chat", "tool"),
        "what is done: the first word of the span's name",
    ),
    Attribute(
        "gen_ai.provider.name",
        ("run", "chat"),
        "whose model it is, by its name; `unknown` if that does not say",
    ),
    Attribute("gen_ai.request.model", ("run", "chat"), "the model's name"),
    Attribute("gen_ai.agent.name", ("run", "plan", "tool"), "the agent's name"),
    Attribute(
        "gen_ai.usage.input_tokens",
        ("run", "chat"),
        "tokens sent to the model, if its server counts them",
    ),
    Attribute("gen_ai.usage.output_tokens", ("run", "chat"), "tokens that came back"),
    Attribute(
        "gen_ai.response.finish_reasons", ("chat",), "why the model stopped, one for one answer"
    ),
    Attribute("gen_ai.tool.name", ("tool",), "the tool's name"),
    Attribute("gen_ai.tool.type", ("tool",), "`function`"),
    Attribute("gen_ai.tool.call.id", ("tool",), "session and number of the call"),
    Attribute(
        "error.type",
        ("run", "plan", "chat", "cell", "tool"),
        "a cell's fault, or the type of the exception; only of what failed",
    ),
    Attribute(
        "fumehood.run.id", ("run", "plan", "chat", "cell", "tool"), "the run, as in the audit log"
    ),
    Attribute("fumehood.run.state", ("run",), "success, max_steps, timeout, interrupted or error"),
    Attribute("fumehood.run.steps", ("run",), "steps taken"),
    Attribute("fumehood.run.max_steps", ("run",), "steps allowed"),
    Attribute("fumehood.chat.purpose", ("chat",), "step, plan or summary"),
    Attribute("fumehood.session.id", ("cell", "tool"), "the sandbox, as in the audit log"),
    Attribute("fumehood.cell.number", ("cell", "tool"), "which cell of the session"),
    Attribute("fumehood.cell.code.length", ("cell",), "characters of code"),
    Attribute("fumehood.cell.fault", ("cell",), "which limit was reached, or what ended the cell"),
    Attribute("fumehood.cell.rolled_back", ("cell",), "whether it was undone"),
    Attribute("fumehood.cell.is_final_answer", ("cell",), "whether it gave the final answer"),
    Attribute("fumehood.cell.imports", ("cell",), "modules it imported"),
    Attribute(
        "fumehood.cell.violations",
        ("cell",),
        "imports, and names of the guarded language, that were refused",
    ),
    Attribute(
        "fumehood.cell.findings",
        ("cell",),
        "kinds of things that validators found in what it gave out",
    ),
    Attribute("fumehood.cell.wall_seconds", ("cell",), "how long it took, as the sandbox says"),
    Attribute("fumehood.cell.cpu_seconds", ("cell",), "processor time"),
    Attribute(
        "fumehood.cell.peak_memory_bytes",
        ("cell",),
        "the most memory it had, where that can be told",
    ),
    Attribute(
        "gen_ai.input.messages",
        ("run", "chat"),
        "the task; what the model is sent",
        is_content=True,
    ),
    Attribute("gen_ai.output.messages", ("run", "chat"), "the answer", is_content=True),
    Attribute(
        "gen_ai.tool.call.arguments",
        ("tool",),
        "by name; those without one under `*`",
        is_content=True,
    ),
    Attribute("gen_ai.tool.call.result", ("tool",), "what the tool returned", is_content=True),
    Attribute("fumehood.cell.code", ("cell",), "the code", is_content=True),
    Attribute("fumehood.cell.output", ("cell",), "what it printed", is_content=True),
    Attribute("fumehood.cell.value", ("cell",), "the value of its last statement", is_content=True),
)

# -- metrics


class Metric(NamedTuple):
    """An instrument: what it counts, in what unit, by which attributes, and where the limits of a
    histogram are."""

    name: str
    instrument: Literal["histogram", "counter", "up-down counter"]
    unit: str
    attributes: tuple[str, ...]
    meaning: str
    buckets: tuple[float, ...] = ()


_MODEL = ("gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model")
_FROM_10_MS = tuple(round(0.01 * 2**power, 2) for power in range(14))
_FROM_100_MS = tuple(round(0.1 * 2**power, 1) for power in range(13))
_FROM_1_MS = (
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
    30.0,
    60.0,
    300.0,
)
"""Ours: a trivial cell takes less than the first limit that the conventions have for a model's
answer."""
_NUMBERS = tuple(float(2**power) for power in range(8))

METRICS: dict[str, Metric] = {
    row.name: row
    for row in (
        Metric(
            "gen_ai.client.operation.duration",
            "histogram",
            "s",
            (*_MODEL, "error.type"),
            "how long models take to answer",
            _FROM_10_MS,
        ),
        Metric(
            "gen_ai.client.token.usage",
            "histogram",
            "{token}",
            (*_MODEL, "gen_ai.token.type"),
            "tokens of a question and of its answer, if the server counts them",
            tuple(float(4**power) for power in range(14)),
        ),
        Metric(
            "gen_ai.invoke_agent.duration",
            "histogram",
            "s",
            ("gen_ai.agent.name", "gen_ai.request.model", "error.type"),
            "how long runs of agents take",
            _FROM_100_MS,
        ),
        Metric(
            "gen_ai.invoke_agent.inference_calls",
            "histogram",
            "{inference_call}",
            ("gen_ai.agent.name",),
            "how often a run asks its model",
            _NUMBERS,
        ),
        Metric(
            "gen_ai.invoke_agent.tool_calls",
            "histogram",
            "{tool_call}",
            ("gen_ai.agent.name",),
            "how often the code of a run calls tools",
            _NUMBERS,
        ),
        Metric(
            "gen_ai.execute_tool.duration",
            "histogram",
            "s",
            ("gen_ai.tool.name", "gen_ai.tool.type", "gen_ai.agent.name", "error.type"),
            "how long tools take",
            _FROM_10_MS,
        ),
        Metric(
            "fumehood.agent.steps",
            "histogram",
            "{step}",
            ("gen_ai.agent.name", "fumehood.run.state"),
            "steps of a run",
            _NUMBERS,
        ),
        Metric(
            "fumehood.cell.duration",
            "histogram",
            "s",
            ("error.type",),
            "how long cells take",
            _FROM_1_MS,
        ),
        Metric(
            "fumehood.cell.faults",
            "counter",
            "{fault}",
            ("fumehood.cell.fault",),
            "limits reached and crashes, by kind",
        ),
        Metric("fumehood.cell.rollbacks", "counter", "{cell}", (), "cells that were undone"),
        Metric(
            "fumehood.output.findings",
            "counter",
            "{finding}",
            ("fumehood.finding.kind", "fumehood.finding.where", "fumehood.finding.action"),
            "what validators found in what cells gave out, and whether it was reported, redacted or"
            " refused",
        ),
        Metric(
            "fumehood.sandboxes.live",
            "up-down counter",
            "{sandbox}",
            ("fumehood.place",),
            "executors that are open",
        ),
    )
}

# -- whose model it is

PROVIDERS: tuple[tuple[str, str], ...] = (
    # A prefix says who is asked, whoever made the model.
    ("openai/", "openai"),
    ("azure/", "azure.ai.openai"),
    ("azure_ai/", "azure.ai.inference"),
    ("anthropic/", "anthropic"),
    ("bedrock/", "aws.bedrock"),
    ("vertex_ai/", "gcp.vertex_ai"),
    ("gemini/", "gcp.gemini"),
    ("cohere/", "cohere"),
    ("cohere_chat/", "cohere"),
    ("deepseek/", "deepseek"),
    ("groq/", "groq"),
    ("mistral/", "mistral_ai"),
    ("moonshot/", "moonshot_ai"),
    ("perplexity/", "perplexity"),
    ("watsonx/", "ibm.watsonx.ai"),
    ("xai/", "x_ai"),
    # Without one, the maker's own server is the best guess. None of these has a slash: others serve
    # `deepseek-ai/…`.
    ("gpt-", "openai"),
    ("chatgpt-", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4-", "openai"),
    ("claude-", "anthropic"),
    ("gemini-", "gcp.gemini"),
    ("command-", "cohere"),
    ("deepseek-", "deepseek"),
    ("mistral-", "mistral_ai"),
    ("grok-", "x_ai"),
    ("kimi-", "moonshot_ai"),
    ("sonar", "perplexity"),
)
"""How names of models begin, and the provider in the conventions' words."""


def provider_of(model: str) -> str:
    """Whose model it is, as far as its name says."""
    for prefix, provider in PROVIDERS:
        if model.startswith(prefix) and (prefix.endswith("/") or "/" not in model):
            return provider
    return "unknown"
