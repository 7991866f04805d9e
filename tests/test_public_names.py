"""The public names, looked at together: what is handed out can be imported, and the same thing has
the same name everywhere."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import fumehood
from press import reference

SOURCE = Path(fumehood.__file__).parent
PUBLIC = {name: getattr(fumehood, name) for name in fumehood.__all__}

# What public methods give that is not public, each with the reason.
MACHINERY = {
    "Asked": "what a recorded turn was the answer to; a recording has it",
    "Connected": "what an executor makes of a snapshot; nobody else asks a snapshot for it",
    "Grant": "a row of the policy's own table",
    "Line": "how executors talk to a node",
    "Request": "a package as it was asked for; install() gives names and versions",
    "Run": "what run() and arun() start; they give what comes of it",
    "Runner": "what executors ask of a place",
    "SessionEvents": "what observe() listens to",
}

# What callers are given and never make.
GIVEN = set(
    "AsyncCheckout Command EventStream Files History Lease Node RecordingModel RemoteObject"
    " Snapshot Watch".split()
)

# Which take more than one argument by position, and why a reader knows what they are.
BY_POSITION = {
    "AgentMemory": "texts of the prompt",
    "CodeAgent": "tools and model, as in smolagents",
    "CodeAgent.arun": "as run()",
    "CodeAgent.run": "as in smolagents",
    "Custom": "a function, and what is done about what it finds",
    "DockerExecutor": "imports and a logger, as in smolagents",
    "E2BExecutor": "imports and a logger, as in smolagents",
    "InferenceClientModel": "as in smolagents",
    "LiteLLMModel": "as in smolagents",
    "LocalPythonExecutor": "as in smolagents",
    "Mount": "from where to where, as in any mount",
    "OpenAIModel": "as in smolagents",
    "Pattern": "a name and what is looked for",
    "Validator": "what is done, where",
    "evaluate_python_code": "as in smolagents",
    "export_logs": "from where to where",
    "parse_code_blobs": "as in smolagents",
}

# Names with a time in them that are no time limits, or are called as the standard library does.
OTHER_TIMES = {
    "Cancellation.sleep seconds": "as time.sleep",
    "DockerContainer runtime": "what runs containers",
    "DockerExecutor runtime": "what runs containers",
    "DuckDuckGoSearchTool timelimit": "how old a page may be, in the words of the search's package",
    "Cluster runtime_env": "Ray's word",
    "RayExecutor runtime_env": "Ray's word",
    "Limits tool_time_counts": "whether a time counts",
    "Node runtime_env": "Ray's word",
    "Node.call seconds": "between executors and a node",
    "ReplayModel seconds_between_words": "a pace",
}


def callables() -> Iterator[tuple[str, Any]]:
    """Every public function, class and method that a caller has arguments for. Records of what
    happened are made by us alone, and so is whatever needs an object that is not public."""
    for name, value in PUBLIC.items():
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value) and not issubclass(value, BaseException):
            made = vars(value).get("__init__")
            if inspect.isfunction(made) and (
                not dataclasses.is_dataclass(value)
                or name in ("Limits", "Mount", "Packages", "Policy")
            ):
                yield name, made
            for member, function, owner in reference.members(value):
                if inspect.isfunction(function) and not owner.__name__.startswith("_"):
                    yield f"{name}.{member}", function


CALLABLES = dict(callables())


def annotations_given() -> Iterator[tuple[str, str]]:
    """Where something is handed out, and its type as it is written."""
    for name, value in PUBLIC.items():
        if not inspect.isclass(value):
            continue
        for member, found, _owner in reference.members(value):
            function = (
                found.fget
                if isinstance(found, property)
                else found.func
                if isinstance(found, cached_property)
                else found
            )
            yield (
                f"{name}.{member}",
                str(getattr(function, "__annotations__", {}).get("return", "")),
            )
        for field, kind in vars(value).get("__annotations__", {}).items():
            if not field.startswith("_"):
                yield f"{name}.{field}", str(kind)


def test_what_is_handed_out_can_be_imported_from_fumehood() -> None:
    files = (path for path in SOURCE.rglob("*.py") if not path.is_relative_to(SOURCE / "attack"))
    ours = {
        match
        for path in files
        for match in re.findall(
            r"^class ([A-Z]\w*)\b(?!.*Protocol)", path.read_text(), re.MULTILINE
        )
    }
    ours -= {
        "Event",
        "Format",
        "State",
        "Step",
        "Sequence",
        "Fault",
        "Place",
        "Watcher",
    }  # other things have these names too
    met = {
        word: where
        for where, kind in annotations_given()
        for word in re.findall(r"\w+", kind)
        if word in ours
    }
    assert {
        name: where for name, where in met.items() if name not in PUBLIC and name not in MACHINERY
    } == {}
    assert MACHINERY.keys() <= met.keys()


def test_a_time_limit_is_called_timeout_or_has_its_unit_in_its_name() -> None:
    """A call that waits has a `timeout`, as in the standard library; a setting says its unit,
    `…_seconds`. Nothing is called `seconds`."""
    times = {
        f"{name} {parameter}"
        for name, function in CALLABLES.items()
        for parameter in inspect.signature(function).parameters
        if re.search(r"time|second|wait|deadline", parameter)
    }
    assert {
        each for each in times if not re.fullmatch(r"(\w+_)?timeout|\w+_seconds", each.split()[1])
    } == OTHER_TIMES.keys()


def test_where_code_runs_is_called_executor_type() -> None:
    named = {
        name
        for name, function in CALLABLES.items()
        if {"place", "executor_type"} & {*inspect.signature(function).parameters}
    }
    assert named == {"CodeAgent", "ExecutorPool"}
    assert all("executor_type" in inspect.signature(CALLABLES[name]).parameters for name in named)


def test_more_than_one_argument_by_position_only_where_everybody_knows_them() -> None:
    """Of a method two may be: what it is about is said by the object."""
    several = set()
    for name, function in CALLABLES.items():
        kinds = [
            parameter.kind
            for parameter in inspect.signature(function).parameters.values()
            if parameter.name not in ("self", "cls")
        ]
        if kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD) > (2 if "." in name else 1):
            several.add(name)
    assert several - GIVEN == BY_POSITION.keys()


def test_executors_all_take_packages() -> None:
    for name in (
        "LocalPythonExecutor",
        "DockerExecutor",
        "E2BExecutor",
        "RayExecutor",
        "CodeAgent",
    ):
        assert (
            inspect.signature(PUBLIC[name]).parameters["packages"].kind
            is inspect.Parameter.KEYWORD_ONLY
        ), name


def test_the_tree_of_errors_is_drawn_whole_and_public() -> None:
    """Those that only code in a sandbox meets are not for the host to import."""
    text = (SOURCE / "errors.py").read_text()
    drawn = set(
        re.findall(
            r"^[│├└─ ]*(\w+)(?: \(\w+\))? +\S",
            ast.get_docstring(ast.parse(text)) or "",
            re.MULTILINE,
        )
    )
    defined = set(re.findall(r"^class (\w+)", text, re.MULTILINE))
    inside = {"CellStopped", "Forbidden", "ForbiddenCall", "ForbiddenImport", "ForbiddenName"}
    assert defined <= drawn | {"FumehoodError"}
    assert defined - inside <= PUBLIC.keys()
