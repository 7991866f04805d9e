"""What $(( … )) is worth: whole numbers of 64 bits, as in other shells."""

from __future__ import annotations

import re
from collections.abc import Callable

from fumehood.worker.shell.tree import Misread

_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9a-fA-F]+|[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^~!?:()]))"
)
_DEEPEST = 50
_LONGEST = 10_000

# From the loosest to the tightest.
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)


def evaluate(text: str, value_of: Callable[[str], str]) -> int:
    """Misread if it is no expression. `value_of` gives variables; one that is empty counts as 0."""
    if len(text) > _LONGEST:
        raise Misread("an expression in $(( )) is too long")
    return _Expression(text, value_of).whole()


class _Expression:
    def __init__(self, text: str, value_of: Callable[[str], str]) -> None:
        self._text, self._value_of = text, value_of
        self._tokens: list[tuple[str, str, str]] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._error()
            self._tokens.append((match.group(1) or "", match.group(2) or "", match.group(3) or ""))
            at = match.end()
        self._at = self._depth = 0

    def _error(self) -> Misread:
        return Misread(f"$(( {self._text.strip()[:60]} )) is no expression that is known here")

    def whole(self) -> int:
        if not self._tokens:
            return 0
        value = self._choice()
        if self._at != len(self._tokens):
            raise self._error()
        return value

    def _sign(self) -> str:
        return self._tokens[self._at][2] if self._at < len(self._tokens) else ""

    def _take(self, sign: str) -> bool:
        self._at += (found := self._sign() == sign)
        return found

    def _choice(self) -> int:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error()
        value = self._level(0)
        if self._take("?"):
            first = self._choice()
            if not self._take(":"):
                raise self._error()
            second = self._choice()
            value = first if value else second
        self._depth -= 1
        return value

    def _level(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._single()
        value = self._level(level + 1)
        while (sign := self._sign()) in _LEVELS[level] and sign:
            self._at += 1
            value = _wrapped(self._combined(sign, value, self._level(level + 1)))
        return value

    def _combined(self, sign: str, a: int, b: int) -> int:
        match sign:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/" | "%":
                if not b:
                    raise Misread("division by 0")
                quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                return quotient if sign == "/" else a - b * quotient
            case "<<":
                return a << (b & 63)
            case ">>":
                return a >> (b & 63)
            case "&":
                return a & b
            case "|":
                return a | b
            case "^":
                return a ^ b
            case "&&":
                return int(bool(a and b))
            case "||":
                return int(bool(a or b))
        return int(
            {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]
        )

    def _single(self) -> int:
        if self._at >= len(self._tokens):
            raise self._error()
        number, name, sign = self._tokens[self._at]
        self._at += 1
        if number:
            return self._number(number)
        if name:
            text = self._value_of(name).strip()
            negative = text.startswith("-")
            if not re.fullmatch(
                r"(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,30})?", text.removeprefix("-"), re.ASCII
            ):
                raise Misread(f"{name} is {text[:40]!r}, which is no whole number")
            value = self._number(text.removeprefix("-") or "0")
            return -value if negative else value
        if sign == "(":
            value = self._choice()
            if not self._take(")"):
                raise self._error()
            return value
        if sign in ("-", "+", "!", "~"):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise self._error()
            value = self._single()
            self._depth -= 1
            return {"-": -value, "+": value, "!": int(not value), "~": ~value}[sign]
        raise self._error()

    def _number(self, text: str) -> int:
        if len(text) > 30:
            raise self._error()
        if text[:2] in ("0x", "0X"):
            return _wrapped(int(text, 16))
        is_octal = len(text) > 1 and text[0] == "0"
        if is_octal and not re.fullmatch("[0-7]+", text):
            raise Misread(f"{text} is no number to the base of 8")
        return _wrapped(int(text, 8) if is_octal else int(text))


def _wrapped(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
