"""The OpenAPI document as a page to read. Made here, without a script: the page fetches nothing,
and runs nothing in the browser."""

from __future__ import annotations

import functools
import json
from html import escape
from typing import Any, Final

from fumehood.server import openapi
from fumehood.server.table import Operation

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8885; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { background: var(--soft); padding: .6rem .8rem; border-radius: .4rem; overflow-x: auto; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid var(--line); padding: .25rem .5rem .25rem 0; text-align: left; vertical-align: top; }
"""  # noqa: E501

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
"""What a browser may do with the page: show it."""


@functools.lru_cache(maxsize=4)
def made(operations: tuple[Operation, ...], with_keys: bool) -> str:
    """The page of a server: it never changes while that runs, and whoever asks for it needs no
    key."""
    return page(openapi.document(operations, with_keys=with_keys))


def page(document: dict[str, Any]) -> str:
    """HTML of its own, all of it."""
    info = document["info"]
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width'>",
        f"<title>{escape(info['title'])}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>",
        *(f"<p>{escape(words)}</p>" for words in info["description"].split("\n\n")),
        "<p>This page is made from <a href='/openapi.json'>/openapi.json</a>.</p>",
    ]
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(path, method, operation))
    for tag, operations in by_tag.items():
        parts += [f"<h2>{escape(tag)}</h2>", *operations]
    parts.append("<h2>shapes</h2>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts.append(
            "<details"
            f" id='{escape(name)}'><summary><code>{escape(name)}</code></summary>{_shape(schema)}</details>"  # noqa: E501
        )
    return "\n".join([*parts, "</body></html>"])


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    head = f"<b><code>{escape(method.upper())}</code></b> <code>{escape(path)}</code>"
    parts = [f"<details><summary>{head} {escape(operation['summary'])}</summary>"]
    if operation.get("description"):
        parts.append(f"<p>{escape(operation['description'])}</p>")
    rows = [
        (
            f"<code>{escape(row['name'])}</code>",
            escape(f"{row['in']}{', required' if row['required'] else ''}"),
            _type(row["schema"]),
        )
        for row in operation["parameters"]
    ]
    if rows:
        parts.append(_table(rows))
    if "requestBody" in operation:
        parts.append(f"<p>takes {_content(operation['requestBody'])}</p>")
    answers = [
        (f"<code>{status}</code>", escape(answer["description"]), _content(answer))
        for status, answer in operation["responses"].items()
    ]
    return "".join([*parts, "<p>gives</p>", _table(answers), "</details>"])


def _table(rows: list[tuple[str, str, str]]) -> str:
    return (
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        + "</table>"
    )


def _content(holder: dict[str, Any]) -> str:
    return ", ".join(
        f"{_type(content['schema'])} <small>{escape(media)}</small>"
        for media, content in holder.get("content", {}).items()
    )


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'><code>{name}</code></a>"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    bounds = ", ".join(
        f"{key} {value}"
        for key, value in schema.items()
        if key not in ("type", "items", "additionalProperties", "default")
    )
    kind = escape(str(schema.get("type", "any")))
    if isinstance(schema.get("items"), dict):
        kind += f" of {_type(schema['items'])}"
    return f"<code>{kind}</code>" + (f" <small>{escape(bounds)}</small>" if bounds else "")


def _shape(schema: dict[str, Any]) -> str:
    words = f"<p>{escape(schema['description'])}</p>" if "description" in schema else ""
    if "properties" not in schema:
        return f"{words}<pre>{escape(json.dumps(schema, indent=2))}</pre>"
    required = schema.get("required", [])
    rows = [
        (f"<code>{escape(name)}</code>", "required" if name in required else "", _type(kind))
        for name, kind in schema["properties"].items()
    ]
    return words + _table(rows)
