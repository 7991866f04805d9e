"""What the sandbox is told of a tool: names, types and documentation as text, and nothing of the
host's object.

A type is shown by a name that a reader knows (`int`, `list[str]`, `pandas.DataFrame`), never by the
repr of an object, which may hold a path, an address or a secret. A default is shown when it is a
plain literal.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import Any, Literal, Union

from fumehood.tools.signatures import EMPTY, Taken, attribute, input_hint, inputs_of, read_signature

DOC_CHARACTERS = 20_000
TYPE_CHARACTERS = 300
DEFAULT_CHARACTERS = 100

Kind = Literal[
    "positional_only", "positional_or_keyword", "var_positional", "keyword_only", "var_keyword"
]


@dataclasses.dataclass(frozen=True, slots=True)
class ToolParameter:
    """`annotation` is "" where nothing is said; `default` is None where there is none and "..."
    where it is not a plain literal."""

    name: str
    kind: Kind
    annotation: str = ""
    default: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ToolSpec:
    """All that crosses to the sandbox of a tool."""

    name: str
    doc: str
    parameters: tuple[ToolParameter, ...]
    returns: str
    is_async: bool

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON-able data, which `fumehood.worker.tools.make_stub` takes."""
        return dataclasses.asdict(self) | {
            "parameters": [dataclasses.asdict(parameter) for parameter in self.parameters]
        }


_WRITTEN_TYPE = re.compile(r"[\w.\[\], |'\"-]*")
_ANYTHING = (ToolParameter("args", "var_positional"), ToolParameter("kwargs", "var_keyword"))


def describe(name: str, tool: Any) -> ToolSpec:
    """The description of a tool under the name that code calls it by. Raises TypeError for what is
    not callable."""
    if not isinstance(name, str):
        raise TypeError(f"a tool's name must be str, not {type(name).__name__}")
    if not callable(tool):
        raise TypeError(f"tool {name!r} must be callable, not {type(tool).__name__}")
    signature = read_signature(tool)
    parameters = (
        _ANYTHING
        if signature.parameters is None
        else tuple(_parameter(p) for p in signature.parameters)
    )
    if not all(parameter.name.isidentifier() for parameter in parameters):
        parameters = _ANYTHING
    returns = _shown_type(signature.returns, signature.returns_written)
    if not returns and not isinstance(tool, type):
        returns = type_text(input_hint({"type": attribute(tool, "output_type")}))
    return ToolSpec(
        _clean(str(name)),
        _doc(tool),
        parameters,
        "" if returns == "Any" else returns,
        is_async(tool),
    )


def is_async(tool: Any) -> bool:
    """Whether calling the tool gives a coroutine: it, what its partial wraps, its `forward` or its
    `__call__` is an `async def`."""
    while isinstance(tool, partial):
        tool = tool.func
    if inspect.iscoroutinefunction(tool):
        return True
    if isinstance(tool, type) or inspect.isroutine(tool):
        return False
    forward = attribute(tool, "forward")
    return (
        callable(forward)
        and forward is not tool
        and is_async(forward)
        or inspect.iscoroutinefunction(attribute(tool, "__call__"))
    )


# -- documentation


def _doc(tool: Any) -> str:
    while isinstance(tool, partial):
        tool = tool.func
    own = (
        None
        if inspect.isroutine(tool) or isinstance(tool, type)
        else attribute(tool, "description")
    )
    text = inspect.cleandoc(own if isinstance(own, str) and own.strip() else _docstring(tool))
    inputs = inputs_of(tool)
    if inputs:
        said = {name: row.get("description") for name, row in inputs.items()}
        rows = [
            f"    {name}: {_item(words)}"
            for name, words in said.items()
            if isinstance(words, str) and words.strip()
        ]
        text = "\n".join([text, "", "Args:", *rows]).strip() if rows else text
    returns = None if isinstance(tool, type) else attribute(tool, "output_description")
    if isinstance(returns, str) and returns.strip():
        text = f"{text}\n\nReturns:\n    {_item(returns)}".strip()
    text = _clean(text)
    return text if len(text) <= DOC_CHARACTERS else text[: DOC_CHARACTERS - 1] + "…"


def _item(text: str) -> str:
    """Words that stand in an indented row, and on in the lines below it."""
    return inspect.cleandoc(text).replace("\n", "\n        ")


def _docstring(tool: Any) -> str:
    # The text that @dataclass makes up shows the reprs of defaults.
    made_up = dataclasses.is_dataclass(tool) and (inspect.getdoc(tool) or "").startswith(
        _class_of(tool).__name__ + "("
    )
    try:
        text = None if made_up else inspect.getdoc(tool)
        if not text and not isinstance(tool, type) and not inspect.isroutine(tool):
            text = inspect.getdoc(attribute(tool, "forward") or type(tool).__call__)
    except Exception:
        text = None
    return text if isinstance(text, str) else ""


def _class_of(tool: Any) -> type:
    return tool if isinstance(tool, type) else type(tool)


def _clean(text: str) -> str:
    """Text that any JSON parser takes: a lone surrogate is none."""
    return text.encode("utf-8", "replace").decode()


# -- parameters


def _parameter(taken: Taken) -> ToolParameter:
    kind: Kind = taken.kind.name.lower()
    return ToolParameter(
        taken.name, kind, _shown_type(taken.hint, taken.written), _default_text(taken.default)
    )


def _default_text(value: Any) -> str | None:
    if value is EMPTY:
        return None
    text = _literal_text(value, 3)
    return "..." if text is None or len(text) > DEFAULT_CHARACTERS else _clean(text)


def _literal_text(value: Any, depth: int) -> str | None:
    """The repr of a plain literal, or None. Types are exact and sizes are looked at first: a repr
    may be long, wrong or have effects."""
    kind = type(value)
    if value is None or kind in (bool, float, complex):
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() < 200 else None
    if kind in (str, bytes):
        return repr(value) if len(value) <= DEFAULT_CHARACTERS else None
    if kind not in (tuple, list, set, frozenset, dict) or depth == 0 or len(value) > 20:
        return None
    if kind is dict:
        rows = [
            (_literal_text(k, depth - 1), _literal_text(v, depth - 1)) for k, v in value.items()
        ]
        return (
            None
            if any(None in row for row in rows)
            else "{" + ", ".join(f"{k}: {v}" for k, v in rows) + "}"
        )
    items = [_literal_text(item, depth - 1) for item in value]
    if None in items:
        return None
    inner = ", ".join(typing.cast(list[str], items))
    if kind is tuple:
        return f"({inner},)" if len(items) == 1 else f"({inner})"
    if kind is list:
        return f"[{inner}]"
    if kind is set and items:
        return "{" + inner + "}"
    return f"{kind.__name__}({'{' + inner + '}' if items else ''})"


# -- types


def _shown_type(hint: Any, written: Any) -> str:
    if hint is not EMPTY:
        return type_text(hint)
    # A hint that cannot be resolved is shown as it was written, if it was written as a type and not
    # as a calculation.
    text = written.strip("'\"") if isinstance(written, str) else ""
    return text if len(text) <= TYPE_CHARACTERS and _WRITTEN_TYPE.fullmatch(text) else ""


def type_text(hint: Any) -> str:
    """A hint as readers write it, or "" for one that has no readable name."""
    try:
        text = _type_text(hint, 12)
    except Exception:
        return ""
    return "" if text is None else text if len(text) <= TYPE_CHARACTERS else "..."


def _type_text(hint: Any, depth: int) -> str | None:
    if depth == 0:
        return "..."
    if hint is None or hint is type(None):
        return "None"
    if hint is Any:
        return "Any"
    if hint is Ellipsis:
        return "..."
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _type_text(args[0], depth)
    if origin in (Union, types.UnionType):
        parts = [_type_text(arg, depth - 1) or "Any" for arg in args]
        return " | ".join([part for part in parts if part != "None"] + ["None"] * ("None" in parts))
    if origin is Literal:
        return f"Literal[{', '.join(_literal_member(arg) for arg in args)}]"
    if origin is not None:
        name = _type_text(origin, depth - 1)
        return (
            f"{name}[{', '.join(_argument_text(arg, depth - 1) for arg in args)}]"
            if args and name
            else name
        )
    if isinstance(hint, type):
        return class_name(hint)
    if isinstance(hint, typing.ForwardRef):
        return _shown_type(EMPTY, hint.__forward_arg__) or None
    # TypeVar, ParamSpec, NewType, TypeAliasType and typing's special forms have a name, and that
    # name is what was written.
    name = getattr(hint, "__name__", None) or getattr(hint, "_name", None)
    return name if isinstance(name, str) and name.isidentifier() else None


def _argument_text(arg: Any, depth: int) -> str:
    if isinstance(arg, (list, tuple)):  # the parameters of a Callable; the item of tuple[()]
        return f"[{', '.join(_argument_text(a, depth) for a in arg[:20])}]"
    return _type_text(arg, depth) or "Any"


def _literal_member(value: Any) -> str:
    if isinstance(value, Enum):
        return f"{class_name(type(value))}.{value.name}"
    text = _literal_text(value, 1)
    return "..." if text is None else text


def class_name(kind: type) -> str:
    """`int`, `datetime.date`, `pandas.DataFrame`: an address a reader knows. Where among the host's
    packages a class lives is left out."""
    name = kind.__qualname__.rpartition("<locals>.")[2]
    module = kind.__module__ if isinstance(kind.__module__, str) else ""
    top = module.partition(".")[0]
    home = sys.modules.get(top)
    if (
        top in ("builtins", "typing", "__main__", "")
        or home is None
        or not isinstance(vars(home), Mapping)
    ):
        return name
    return f"{top}.{name}" if vars(home).get(name) is kind else name
