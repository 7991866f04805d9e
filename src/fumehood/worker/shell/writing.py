"""Commands that write their arguments: echo, printf, yes, seq."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from fumehood.worker.shell.calls import Call, Usage, encoded

_ESCAPES = {
    "a": b"\a",
    "b": b"\b",
    "e": b"\x1b",
    "f": b"\f",
    "n": b"\n",
    "r": b"\r",
    "t": b"\t",
    "v": b"\v",
    "\\": b"\\",
}
_CODE = re.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(0?[0-7]{1,3})")
_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]{0,4})(?:\.(?P<precision>\*|[0-9]{0,4}))?(?P<kind>.)",
    re.DOTALL,
)


def escapes(text: str, *, ends: bool = True) -> tuple[bytes, bool]:
    r"""A text in which \n and its like are the characters they stand for; and whether a \c said
    that it ends there."""
    out: list[bytes] = []
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char != "\\" or at == len(text):
            stop = text.find("\\", at)
            stop = len(text) if stop < 0 else stop
            out.append(encoded(text[at - 1 : stop]))
            at = stop
            continue
        letter = text[at]
        code = _CODE.match(text, at)
        if letter == "c" and ends:
            return b"".join(out), True
        if letter in _ESCAPES:
            out.append(_ESCAPES[letter])
            at += 1
        elif code is not None:
            out.append(_code(code))
            at = code.end()
        else:
            out.append(encoded("\\" + letter))
            at += 1
    return b"".join(out), False


def _code(code: re.Match[str]) -> bytes:
    if code[1]:
        return bytes([int(code[1], 16)])
    if code[4]:
        return bytes([int(code[4], 8) & 255])
    point = int(code[2] or code[3], 16)
    return chr(point).encode("utf-8", "surrogatepass") if point < 0x110000 else b"?"


def echo(call: Call) -> None:
    words = call.arguments
    has_end, is_escaped = True, False
    while words and re.fullmatch("-[neE]+", words[0]):
        has_end = has_end and "n" not in words[0]
        for letter in words[0][1:]:
            is_escaped = letter == "e" if letter in "eE" else is_escaped
        words = words[1:]
    text = " ".join(words)
    data, is_over = escapes(text) if is_escaped else (encoded(text), False)
    call.out.write(data)
    if has_end and not is_over:
        call.out.write(b"\n")


def printf(call: Call) -> None:
    arguments = call.arguments[1:] if call.arguments[:1] == ["--"] else call.arguments
    if not arguments:
        raise Usage("a format is missing")
    form, *waiting = arguments
    while True:
        before = len(waiting)
        if _print_once(call, form, waiting) or not waiting or len(waiting) == before:
            return


def _print_once(call: Call, form: str, waiting: list[str]) -> bool:
    """Write a format once, taking what it needs of the arguments. True if that was the end of
    all."""
    at = 0
    while at < len(form):
        stop = form.find("%", at)
        stop = len(form) if stop < 0 else stop
        data, is_over = escapes(form[at:stop])
        call.out.write(data)
        if is_over or stop == len(form):
            return is_over
        found = _DIRECTIVE.match(form, stop)
        if found is None:
            raise Usage("the format ends within a %")
        at = found.end()
        kind = found["kind"]
        if kind == "%":
            call.out.write(b"%")
            continue
        width, precision = (
            str(_number(call, waiting.pop(0) if waiting else ""))
            if found[part] == "*"
            else found[part]
            for part in ("width", "precision")
        )
        if kind == "b":
            data, is_over = escapes(waiting.pop(0) if waiting else "")
            call.out.write(data)
            if is_over:
                return True
            continue
        value = waiting.pop(0) if waiting else None
        limit = "" if precision is None else f".{precision or 0}"
        call.out.write(encoded(_formatted(call, found["flags"], width, limit, kind, value)))
    return False


def _formatted(call: Call, flags: str, width: str, limit: str, kind: str, value: str | None) -> str:
    form = "%" + flags + width[:5] + limit[:6]
    if kind == "s":
        return (form + "s") % (value or "")
    if kind == "c":
        return (form + "s") % (value or "")[:1]
    if kind == "q":
        return quoted(value or "")
    if kind in "di":
        return (form + "d") % _number(call, value or "0")
    if kind in "ouxX":
        return (form + kind.replace("u", "d")) % (_number(call, value or "0") % (1 << 64))
    if kind in "eEfFgG":
        try:
            return (form + kind) % float(value or "0")
        except ValueError:
            call.say(f"{value!r} is no number")
            return (form + kind) % 0.0
    raise Usage(f"%{kind} is not known here")


def _number(call: Call, text: str) -> int:
    if text[:1] in ("'", '"') and len(text) > 1:
        return ord(text[1])
    match = re.fullmatch(r"\s*([-+]?)(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19})", text)
    if match is None:
        if text:
            call.say(f"{text[:40]!r} is no whole number")
        return 0
    digits = match[2]
    base = 16 if digits[:2] in ("0x", "0X") else 8 if re.fullmatch("0[0-7]+", digits) else 10
    return int(match[1] + digits, base) if base != 10 else int(match[1] + digits)


def quoted(text: str) -> str:
    """A text as a word that means it."""
    return (
        text
        if re.fullmatch(r"[A-Za-z0-9_@%+=:,./-]+", text)
        else "'" + text.replace("'", "'\\''") + "'"
    )


def yes(call: Call) -> None:
    data = encoded(" ".join(call.arguments) or "y") + b"\n"
    while True:
        call.out.write(data)


def seq(call: Call) -> None:
    words = call.arguments
    separator, is_padded = "\n", False
    while words and words[0][:2] in ("-s", "-w"):
        if words[0] == "-w":
            is_padded, words = True, words[1:]
        elif words[0] != "-s":
            separator, words = words[0][2:], words[1:]
        elif len(words) > 1:
            separator, words = words[1], words[2:]
        else:
            raise Usage("option -s needs a value")
    if not 1 <= len(words) <= 3:
        raise Usage("seq [-w] [-s separator] [first [step]] last")
    try:
        numbers = [Decimal(word) for word in words]
    except InvalidOperation:
        raise Usage("what is counted must be numbers") from None
    if not all(number.is_finite() and abs(number) < 10**18 for number in numbers):
        raise Usage("what is counted must be numbers of less than 19 digits")
    first, step, last = (
        numbers[0] if len(numbers) > 1 else Decimal(1),
        numbers[1] if len(numbers) == 3 else Decimal(1),
        numbers[-1],
    )
    if not step:
        raise Usage("a step of 0 leads nowhere")
    digits = max(
        -number.as_tuple().exponent  # type: ignore[operator]
        for number in (first, step)
        if isinstance(number.as_tuple().exponent, int)
    )
    form = f".{max(0, digits)}f"
    width = max(len(format(first, form)), len(format(last, form))) if is_padded else 0
    at, has_begun = first, False
    while at <= last if step > 0 else at >= last:
        text = format(at, f"0{width}{form}" if width else form)
        call.out.write(encoded((separator if has_begun else "") + text))
        has_begun = True
        at += step
    if has_begun:
        call.out.write(b"\n")
