"""What the sandbox is told of an exception that a tool raised: its type's name, its plain arguments
and its message.

The rest of an exception is the host's: attributes may hold requests and responses, the traceback
the host's variables, the context other errors. `fumehood.worker.tools.revive_failure` makes an
exception of it again.
"""

from __future__ import annotations

import builtins
from typing import Any

TEXT_CHARACTERS = 20_000
ARGUMENTS = 20

Plain = str | bytes | int | float | bool | None


def describe_failure(error: BaseException) -> tuple[str, list[Plain], str]:
    """(type name, arguments, message). Never raises: an exception's own `__str__` may."""
    kind = type(error)
    try:
        given = list(BaseException.args.__get__(error, kind))  # type: ignore[attr-defined]
    except Exception:
        given = []
    args = [_plain(value) for value in given[:ARGUMENTS]]
    if len(args) == len(given) and all(
        type(a) is type(b) for a, b in zip(args, given, strict=True)
    ):
        message = _text(error)
    elif isinstance(error, SyntaxError):
        # Its second argument is a tuple, which the constructor takes apart; its text is plain, and
        # says where.
        message = _text(error)
        args = [message]
    else:
        # The text of any other object may hold anything.
        message = _short(", ".join(str(value) for value in args))
    return _name(kind), args, message


def _name(kind: type) -> str:
    name = kind.__name__
    if kind.__module__ != "builtins" and hasattr(builtins, name):
        # Another library's `ConnectionError` is not Python's.
        name = f"{str(kind.__module__).partition('.')[0]}.{name}"
    return _short(name, 200)


def _plain(value: Any) -> Plain:
    kind = type(value)
    if kind is str:
        return _short(value)
    if kind is bytes:
        return bytes(value[:TEXT_CHARACTERS])
    if (
        value is None
        or kind is bool
        or kind is float
        or (kind is int and value.bit_length() <= 4096)
    ):
        return value  # type: ignore[no-any-return]
    return _short(f"<{kind.__name__}>", 200)


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        return ""
    return _short(text) if type(text) is str else ""


def _short(text: str, characters: int = TEXT_CHARACTERS) -> str:
    text = text if len(text) <= characters else text[: characters - 1] + "…"
    return text.encode("utf-8", "replace").decode()
