"""How a tool is told to a model: as the beginning of a Python function, with its types, its
defaults and its documentation.

    def price(ticker: str, day: datetime.date | None = None) -> float:
        \"""The price of a share.

        Args:
            ticker: Its symbol, like "ACME".
        \"""

The words of a tool may come from a server that nobody vouches for. Whatever they hold, what comes
out is one function that Python can parse, with a docstring that ends where it should, and not
longer than it may be.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import Any

from fumehood.tools.describe import ToolParameter, ToolSpec, describe
from fumehood.tools.signatures import attribute

MOST_CHARACTERS = 6_000
"""How long the documentation of one tool may be in a prompt."""

MOST_PARAMETERS = 60

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Characters that show nothing, or change the order in which others are shown."""


def signature_text(tool: Any, name: str | None = None) -> str:
    """The text. `tool` is a Tool or any callable; `name` is what code calls it by, its own if there
    is none."""
    own = attribute(tool, "name")
    called = name or (
        own if isinstance(own, str) and own else getattr(tool, "__name__", type(tool).__name__)
    )
    spec = describe(str(called), tool)
    doc = _docstring(spec.doc)
    line = _head(spec)
    return (
        f"{line}\n{textwrap.indent(doc, '    ', lambda text: bool(text.strip()))}"
        if doc
        else f"{line}\n    ..."
    )


def plain(text: str) -> str:
    """Text without characters that do something else than show themselves; its lines end as lines
    do."""
    return _CONTROL.sub(
        "",
        text.replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\u2028", "\n")
        .replace("\u2029", "\n"),
    )


def _docstring(text: str) -> str:
    text = plain(text).expandtabs(4).strip()
    if len(text) > MOST_CHARACTERS:
        text = f"{text[:MOST_CHARACTERS].rstrip()}… (shortened)"
    if not text:
        return ""
    # A backslash would be read as an escape, and three quotes would end the docstring, as would one
    # before its own three.
    text = re.sub(r'"{3,}|"+\Z', lambda quotes: len(quotes[0]) * '\\"', text.replace("\\", "\\\\"))
    text = re.sub(r"\n{3,}", "\n\n", text)
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


# -- the line with the parameters


def _head(spec: ToolSpec) -> str:
    name = spec.name if spec.name.isidentifier() else "tool"
    parts: list[str] = []
    before = ""
    starred = False
    for parameter in spec.parameters[:MOST_PARAMETERS]:
        if before == "positional_only" != parameter.kind:
            parts.append("/")
        if parameter.kind == "keyword_only" and not starred:
            parts.append("*")
        starred = starred or parameter.kind in ("keyword_only", "var_positional")
        parts.append(_parameter(parameter))
        before = parameter.kind
    if before == "positional_only":
        parts.append("/")
    if len(spec.parameters) > MOST_PARAMETERS and before != "var_keyword":
        parts.append("**more")
    returns = f" -> {spec.returns}" if _is_expression(spec.returns) else ""
    line = f"def {name}({', '.join(parts)}){returns}:"
    return line if _is_function(line) else f"def {name}(*args, **kwargs):"


def _parameter(parameter: ToolParameter) -> str:
    stars = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
    annotation = f": {parameter.annotation}" if _is_expression(parameter.annotation) else ""
    if parameter.default is None:
        return f"{stars}{parameter.name}{annotation}"
    default = plain(parameter.default)
    return f"{parameter.name}{annotation}{' = ' if annotation else '='}{default if _is_expression(default) else '...'}"  # noqa: E501


def _is_expression(text: str) -> bool:
    if not text or "\n" in text or plain(text) != text:
        return False
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _is_function(line: str) -> bool:
    try:
        return len(ast.parse(f"{line} ...").body) == 1
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
