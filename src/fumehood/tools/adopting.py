"""Tools of every kind as Tools: functions, methods, callable objects, other libraries' tools,
agents.

    as_tools([search, print_report, StructuredTool(...)])       under their own names
    as_tools({"find": search})                                  under names of the caller's

A row of ADOPTERS says how one kind is known and what is made of it; the first row that fits is
taken. Other libraries are never imported: an object of theirs can only be here if they have been
already.

Names: what the caller writes must be a name that code can use, or it is refused. A name that
another library or a server has chosen is turned into one (`get-weather` is `get_weather`, `print`
is `print_`). Two tools of one name are refused, with what each of them is.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fumehood.errors import ToolError
from fumehood.tools.describe import is_async
from fumehood.tools.inputs import TYPE_NAMES
from fumehood.tools.names import as_identifier, shown, why_bad
from fumehood.tools.schemas import Arguments
from fumehood.tools.signatures import EMPTY, attribute, by_name, inputs_of, read_signature
from fumehood.tools.tool import Tool

UNDESCRIBED = "A function whose author has not said what it does."


@dataclass(frozen=True, slots=True)
class Adopter:
    """One kind of thing: how it is known, and what is made of it, under a name if one is given."""

    what: str
    fits: Callable[[Any], bool]
    adopt: Callable[[Any, str | None], Tool]


def as_tools(things: Iterable[Any] | Mapping[str, Any]) -> dict[str, Tool]:
    """The tools, by the names that code calls them by. Raises ToolError for what cannot be one."""
    found: dict[str, Tool] = {}
    for name, thing in _pairs(things):
        made = as_tool(thing, name)
        other = found.get(made.name)
        if (
            other is not None
            and other is not made
            and (made.adopted is None or other.adopted is not made.adopted)
        ):
            raise ToolError(
                f"two tools are called {made.name!r}: {_what(other)} and {_what(made)}; give one"
                " another name"
            )
        found[made.name] = made
    return found


def as_tool(thing: Any, name: str | None = None) -> Tool:
    """One thing as a tool, under a name if one is given."""
    if name is not None:
        why = why_bad(name)
        if why is not None:
            raise ToolError(f"a tool cannot be called {shown(name)}: {why}")
    for adopter in ADOPTERS:
        if adopter.fits(thing):
            made = adopter.adopt(thing, name)
            if made is not thing and made.adopted is None:
                made.adopted = thing
            return made
    raise ToolError(
        f"a tool must be a function, an object that can be called or a Tool, not {_type(thing)}"
    )


def _pairs(things: Any) -> list[tuple[str | None, Any]]:
    if isinstance(things, Mapping):
        return [*things.items()]
    inner = _within(things)
    things = things if inner is None else inner
    if isinstance(things, (str, bytes)) or callable(things) or not isinstance(things, Iterable):
        raise ToolError(
            f"tools must be a list or a dictionary of tools, not {_type(things)}; for one, write"
            " [it]"
        )
    pairs: list[tuple[str | None, Any]] = []
    for thing in things:
        inner = _within(thing)
        pairs += [(None, one) for one in ([thing] if inner is None else inner)]
    return pairs


def _within(thing: Any) -> list[Any] | None:
    """The tools of a collection, ours or another library's, which stands for what is in it."""
    tools = None if callable(thing) else attribute(thing, "tools")
    return [*tools] if isinstance(tools, (list, tuple)) else None


# -- kinds


def _of_library(thing: Any, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(thing, kind)


def _is_class_of_tools(thing: Any) -> bool:
    if not isinstance(thing, type):
        return False
    named = (
        ("fumehood.tools.tool", "Tool"),
        ("smolagents", "Tool"),
        ("langchain_core.tools", "BaseTool"),
    )
    kinds = [getattr(sys.modules.get(module), name, None) for module, name in named]
    return any(isinstance(kind, type) and issubclass(thing, kind) for kind in kinds)


def _refuse_class(thing: Any, name: str | None) -> Tool:
    raise ToolError(f"{thing.__name__} is a class of tools; make one: {thing.__name__}()")


def _keep(thing: Tool, name: str | None) -> Tool:
    """The tool itself; under another name one that calls it, so that it is set up only once."""
    if name is None or name == thing.name:
        return thing
    made = _relay(thing, name=name, description=thing.description)
    made.inputs, made.output_type, made.output_description = (
        thing.inputs,
        thing.output_type,
        thing.output_description,
    )
    made.runs, made.origin = thing.runs, thing.origin
    return made


def _has_inputs(thing: Any) -> bool:
    return callable(thing) and inputs_of(thing) is not None


def _adopt_in_manner_of_smolagents(thing: Any, name: str | None) -> Tool:
    own = _text(thing, "name")
    if name is None and not own:
        raise ToolError(
            f"an object of {_type(thing)} has no name to call it by: give it one, {{'name': it}}"
        )
    called = name or (own if why_bad(own) is None else as_identifier(own))
    made = _relay(thing, name=called, description=_text(thing, "description") or UNDESCRIBED)
    rows = inputs_of(thing) or {}
    for key, row in made.inputs.items():
        said = rows.get(key, {})
        row["description"] = (
            said.get("description")
            if isinstance(said.get("description"), str)
            else row["description"]
        )
        named = said.get("type")
        names = named if isinstance(named, (list, tuple)) else [named]
        row["type"] = (
            named
            if names and all(isinstance(one, str) and one in TYPE_NAMES for one in names)
            else row["type"]
        )
    gives = _text(thing, "output_type")
    made.output_type = gives if gives in TYPE_NAMES else made.output_type
    return made


def _adopt_langchain(thing: Any, name: str | None) -> Tool:
    # Tools of one text only say nothing of it in a schema, and take the text as it is.
    is_single = _of_library(thing, "langchain_core.tools", "Tool") and thing.args_schema is None
    schema: Any = (
        {"properties": {"tool_input": {"type": "string"}}, "required": ["tool_input"]}
        if is_single
        else thing.tool_call_schema
    )
    if not isinstance(schema, Mapping):
        make = (
            getattr(schema, "model_json_schema", None) or schema.schema
        )  # of pydantic 2, of pydantic 1
        schema = make()
    arguments = Arguments(schema)

    def given(args: Any, kwargs: Any) -> Any:
        found = arguments.bind(args, kwargs)
        return found["tool_input"] if is_single else found

    def forward(*args: Any, **kwargs: Any) -> Any:
        return thing.invoke(given(args, kwargs))

    async def aforward(*args: Any, **kwargs: Any) -> Any:
        return await thing.ainvoke(given(args, kwargs))

    only_async = attribute(thing, "coroutine") is not None and attribute(thing, "func") is None
    function: Any = aforward if only_async else forward
    function.__signature__ = arguments.signature
    return Tool(
        function,
        name=name or as_identifier(thing.name),
        description=_text(thing, "description") or UNDESCRIBED,
        inputs=arguments.inputs,
        output_type="any",
    )


def _is_agent(thing: Any) -> bool:
    return (
        not isinstance(thing, type)
        and callable(attribute(thing, "run"))
        and bool(_text(thing, "name") and _text(thing, "description"))
    )


def _adopt_agent(thing: Any, name: str | None) -> Tool:
    run = thing if callable(thing) else thing.run

    def forward(task: str, additional_args: dict[str, Any] | None = None) -> Any:
        """
        Args:
            task: What it is to do, in full sentences: it knows nothing else of the conversation.
            additional_args: Values that it gets as variables, by their names.
        """
        return run(task) if additional_args is None else run(task, additional_args=additional_args)

    return Tool(forward, name=name or thing.name, description=thing.description, output_type="any")


def _adopt_callable(thing: Any, name: str | None) -> Tool:
    try:
        return Tool(thing, name=name)
    except ToolError as error:
        if "has no description" not in str(error):
            raise
    return Tool(thing, name=name, description=UNDESCRIBED)


ADOPTERS: list[Adopter] = [
    Adopter("a Tool", lambda thing: isinstance(thing, Tool), _keep),
    Adopter("a class of tools, where one of them was meant", _is_class_of_tools, _refuse_class),
    Adopter(
        "a tool of LangChain",
        lambda thing: _of_library(thing, "langchain_core.tools", "BaseTool"),
        _adopt_langchain,
    ),
    Adopter("an agent: it has a name, a description and `run`", _is_agent, _adopt_agent),
    Adopter(
        "a tool in the manner of smolagents: it has `inputs`",
        _has_inputs,
        _adopt_in_manner_of_smolagents,
    ),
    Adopter("anything that can be called", callable, _adopt_callable),
]


# -- calling what was adopted


def _relay(thing: Any, **options: Any) -> Tool:
    """A tool that calls a thing and takes what the thing takes."""

    passed = by_name(thing)

    def relay(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = passed(args, kwargs)
        return thing(*args, **kwargs)

    async def arelay(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = passed(args, kwargs)
        return await thing(*args, **kwargs)

    function: Any = arelay if is_async(thing) else relay
    known = read_signature(thing)
    if known.parameters is not None:
        parameters = [
            inspect.Parameter(
                p.name,
                p.kind,
                default=p.default,
                annotation=p.written if p.hint is EMPTY else p.hint,
            )
            for p in known.parameters
        ]
        returns = known.returns_written if known.returns is EMPTY else known.returns
        function.__signature__ = inspect.Signature(parameters, return_annotation=returns)
    return Tool(function, **options)


def _text(thing: Any, name: str) -> str:
    value = attribute(thing, name)
    return value if isinstance(value, str) else ""


def _what(tool: Tool) -> str:
    if tool.origin:
        return tool.origin
    thing = tool.adopted if tool.adopted is not None else attribute(tool, "__wrapped__") or tool
    if inspect.isroutine(thing):
        return (
            f"the function {getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', '?')}"
        )
    return f"a {_type(thing)}"


def _type(thing: Any) -> str:
    return f"class {thing.__name__}" if isinstance(thing, type) else type(thing).__name__
