"""Values and exceptions as text that is bounded and cannot hurt: a tiny value may have a repr of
10^20 characters, or one that raises."""

from __future__ import annotations

from typing import Any

from fumehood.errors import CellStopped

_MAX_DIGITS = 4000
_MAX_ITEMS = 100
_MAX_DEPTH = 6


def bounded_repr(value: Any, limit: int = 4000) -> str:
    """repr(value) in at most about `limit` characters. Raises only CellStopped; other types' own
    `__repr__` is called, its result cut."""
    text = _Reprs(limit).of(value, 0)
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def type_name(value: Any) -> str:
    """The name of a value's type, read past whatever its metaclass says."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


def safe_str(error: BaseException, limit: int = 4000) -> str:
    """str(error) for an exception whose `__str__` may do anything."""
    try:
        text = str(error)
    except CellStopped:
        return "<no message: its __str__ does not return>"
    except BaseException as second:
        return f"<no message: its __str__ raised {type_name(second)}>"
    text = str.__str__(text)
    return (
        text if len(text) <= limit else text[:limit] + f"… ({len(text) - limit:,} more characters)"
    )


class _Reprs:
    def __init__(self, limit: int) -> None:
        self.room = limit

    def of(self, value: Any, depth: int) -> str:
        kind = type(value)
        if kind is int:
            text = self.of_int(value)
        elif kind is str or kind is bytes or kind is bytearray:
            text = repr(value if len(value) <= self.room else value[: max(self.room, 0)])
            text += "…" if len(value) > max(self.room, 0) else ""
        elif kind in _BRACKETS:
            text = self.of_container(value, kind, depth)
        else:
            text = self.of_other(value)
        self.room -= len(text) if kind not in _BRACKETS else 2
        return text

    def of_int(self, value: int) -> str:
        if value.bit_length() > _MAX_DIGITS * 3:
            return f"<int of {value.bit_length():,} bits>"
        return repr(value)

    def of_container(self, value: Any, kind: type, depth: int) -> str:
        opening, closing = _BRACKETS[kind]
        if not value:
            return f"{kind.__name__}()" if kind in (set, frozenset) else opening + closing
        if depth >= _MAX_DEPTH or self.room <= 0:
            return f"{opening}…{closing}"
        parts: list[str] = []
        for item in value.items() if kind is dict else value:
            if len(parts) >= _MAX_ITEMS or self.room <= 0:
                parts.append(f"… {len(value) - len(parts):,} more")
                break
            if kind is dict:
                parts.append(f"{self.of(item[0], depth + 1)}: {self.of(item[1], depth + 1)}")
            else:
                parts.append(self.of(item, depth + 1))
            self.room -= 2
        comma = "," if kind is tuple and len(value) == 1 else ""
        return opening + ", ".join(parts) + comma + closing

    def of_other(self, value: Any) -> str:
        try:
            text = repr(value)
        except CellStopped:
            raise  # time is over, for whoever asked as well
        except BaseException as error:
            return f"<{type_name(value)} object whose repr raised {type_name(error)}>"
        text = str.__str__(text)
        return text if len(text) <= self.room else text[: max(self.room, 0)] + "…"


_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
}
