"""Calls of tools that a model writes as JSON, where it was asked for code: the code is taken out of
them."""

from __future__ import annotations

import json
import keyword
from typing import Any, Final

from fumehood.wire.show import bounded_repr

CODE_KEYS: Final = {
    "code": "what tools that run Python call it",
    "python_code": "the same",
    "python": "the same",
    "source_code": "the same",
}
ARGUMENT_KEYS: Final = {
    "arguments": "OpenAI, Hermes, Qwen",
    "parameters": "Llama 3",
    "input": "Anthropic",
    "args": "LangChain",
    "action_input": "the JSON of ReAct prompts",
    "function": "OpenAI: the call inside of the call",
}
THOUGHT_KEYS: Final = ("thought", "thoughts", "reasoning")

MAX_JSON: Final = 1_000_000
_DEEPEST: Final = 4
_NO_JSON: Final = object()


def is_json(text: str) -> bool:
    return _load(text) is not _NO_JSON


def _load(text: str) -> Any:
    text = text.strip()
    if not text or len(text) > MAX_JSON or text[0] not in "{[":
        return _NO_JSON
    try:
        return json.loads(text, strict=False)  # models write newlines into strings as they are
    except (ValueError, RecursionError):
        return _NO_JSON


def code_in_json(text: str) -> tuple[str, str] | None:
    """The thought and the code of a call that is written as JSON. None if the text is no such
    thing."""
    call = _the_call(text)
    thought = (
        next((call[key] for key in THOUGHT_KEYS if isinstance(call.get(key), str)), "")
        if call
        else ""
    )
    for _ in range(_DEEPEST):
        if call is None:
            return None
        code = next((call[key] for key in CODE_KEYS if isinstance(call.get(key), str)), None)
        if code is not None:
            return thought, code
        call = _arguments(call)
    return None


def call_in_json(text: str) -> str | None:
    """How a call that is written as JSON would be written in Python, to be shown to the model. None
    if the text is no such thing."""
    call = _the_call(text)
    if call is not None and isinstance(call.get("function"), dict):
        call = call["function"]
    name = None if call is None else call.get("name") or call.get("tool") or call.get("action")
    if not _is_name(name):
        return None
    arguments = _arguments(call) or {}
    if not all(map(_is_name, arguments)) or len(arguments) > 8:
        return f"{name}(...)"
    shown = (f"{key}={bounded_repr(value, 60)}" for key, value in arguments.items())
    return f"{name}({', '.join(shown)})"


def _is_name(name: Any) -> bool:
    return (
        isinstance(name, str)
        and name.isidentifier()
        and not keyword.iskeyword(name)
        and len(name) <= 80
    )


def _the_call(text: str) -> dict[str, Any] | None:
    made = _load(text)
    if isinstance(made, list) and len(made) == 1:
        made = made[0]
    return made if isinstance(made, dict) else None


def _arguments(call: dict[str, Any] | None) -> dict[str, Any] | None:
    for key in ARGUMENT_KEYS if call is not None else ():
        inner = call.get(key) if call is not None else None
        if isinstance(inner, str):
            inner = _load(inner)  # OpenAI: JSON in JSON
        if isinstance(inner, dict):
            return inner
    return None
