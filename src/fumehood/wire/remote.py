"""RemoteObject: what stands, on the host, for an object that stayed in its sandbox."""

from __future__ import annotations

from typing import Any, Final

_SHOWN: Final = 200
_NAME: Final = 200


class RemoteObject:
    """A name for an object inside a sandbox. Handed back to that sandbox, it is the object itself.

    `id` is the sandbox's number for it, `type_name` and `text` (its repr) are what the sandbox said
    of it: words, nothing more. `owner` is whatever token the executor that made it uses for its
    sandbox; an encoder of another sandbox refuses the object. Equal means the same object of the
    same sandbox.
    """

    __slots__ = ("__weakref__", "id", "owner", "text", "type_name")
    id: int
    type_name: str
    text: str
    owner: object

    def __init__(self, id: int, type_name: str = "", text: str = "", owner: object = None) -> None:  # noqa: A002
        for name, value in (("id", id), ("type_name", type_name), ("text", text), ("owner", owner)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            "a RemoteObject cannot be changed; the object it stands for lives in its sandbox"
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            "a RemoteObject cannot be changed; the object it stands for lives in its sandbox"
        )

    def __eq__(self, other: object) -> bool:
        if type(other) is not RemoteObject:
            return NotImplemented
        return self.id == other.id and self.owner is other.owner

    def __hash__(self) -> int:
        return hash((RemoteObject, self.id))

    def __repr__(self) -> str:
        return (
            f"<RemoteObject {one_line(self.type_name, _NAME) or self.id}:"
            f" {one_line(self.text, _SHOWN)}>"
        )

    def __reduce__(self) -> Any:
        raise TypeError(
            "a RemoteObject means nothing outside the session it came from, so it cannot be pickled"
            " or copied"
        )

    def __copy__(self) -> RemoteObject:
        return self

    def __deepcopy__(self, memo: object) -> RemoteObject:
        return self


def one_line(text: str, limit: int) -> str:
    """Text from a sandbox made fit to stand in a line: control characters escaped, and cut."""
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    )


_MODULE: Final = type.__dict__["__module__"]
_QUALNAME: Final = type.__dict__["__qualname__"]
_UNSAID: Final = frozenset({"builtins", "__main__", ""})


def type_name(kind: type) -> str:
    """`module.Class` as UTF-8 text of bounded length, read past whatever a metaclass says; the
    module is left out where it says nothing."""
    try:
        name, module = _QUALNAME.__get__(kind), _MODULE.__get__(kind)
        if type(module) is str and module not in _UNSAID:
            name = f"{module}.{name}"
        text: str = str.__str__(name).encode("utf-8", "replace").decode()
    except Exception:  # a class may have been given anything at all as its module or name
        return "object"
    return text[:_NAME]
