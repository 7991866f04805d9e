"""Checking a call of a tool before the tool runs: that the arguments fit its parameters, and that
they are of the types it hints at.

    check = checked(search)
    args, kwargs = check(("cats",), {"limit": 5})

What does not fit is a TypeError of one line. Binding errors are worded as CPython words them, which
models have seen most often.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from fumehood.tools.hints import compile_hint, optional
from fumehood.tools.kinds import NO, WHY, Hint, short
from fumehood.tools.signatures import EMPTY, attribute, read_signature
from fumehood.wire.records import Record, RemoteObject
from fumehood.wire.show import one_line

Arguments = tuple[tuple[Any, ...], dict[str, Any]]

REMEMBERED = 256
"""How many combinations of argument types are remembered as right. The sandbox chooses them, so
there is an end to it."""


def checked(
    tool: Any, name: str | None = None
) -> Callable[[tuple[Any, ...], dict[str, Any]], Arguments]:
    """The check for a tool's calls. `name` is what messages call it; else its own name."""
    return Checker(tool, name).check


class Checker:
    """The parameters of one tool, ready for checking."""

    def __init__(self, tool: Any, name: str | None = None) -> None:
        under = tool.func if isinstance(tool, partial) else tool
        own = attribute(tool, "name"), attribute(under, "__name__"), type(tool).__name__
        self.name = name or next(text for text in own if isinstance(text, str) and text)
        signature = read_signature(tool)
        self.fixed = signature.fixed
        self.anything = signature.parameters is None
        self.positional: list[str] = []
        self.positional_only: set[str] = set()
        self.keyword_only: list[str] = []
        self.with_default: set[str] = set()
        self.rest: Hint | None = None
        self.rest_name = ""
        self.keywords: Hint | None = None
        self.hints: dict[str, Hint] = {}
        for taken in signature.parameters or ():
            hint = compile_hint(Any if taken.hint is EMPTY else taken.hint)
            if taken.default is None:
                hint = optional(hint)
            if taken.kind is inspect.Parameter.VAR_POSITIONAL:
                self.rest, self.rest_name = hint, taken.name
                continue
            if taken.kind is inspect.Parameter.VAR_KEYWORD:
                self.keywords = hint
                continue
            self.hints[taken.name] = hint
            if taken.default is not EMPTY:
                self.with_default.add(taken.name)
            if taken.kind is inspect.Parameter.KEYWORD_ONLY:
                self.keyword_only.append(taken.name)
            else:
                self.positional.append(taken.name)
            if taken.kind is inspect.Parameter.POSITIONAL_ONLY:
                self.positional_only.add(taken.name)
        self._right: set[Any] = set()

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """The arguments to call the tool with: the same objects, or converted ones where a hint
        asks for it. Raises TypeError."""
        # Most calls look like the one before: where types alone decide, types that were right once
        # are right again.
        if kwargs:
            kinds: Any = (*map(type, args), *kwargs, *map(type, kwargs.values()))
        else:
            kinds = tuple(map(type, args))
        if kinds in self._right:
            return args, kwargs
        try:
            return self._look(args, kwargs, kinds)
        except RecursionError:
            raise TypeError(f"{self.name}() got an argument that is nested too deeply") from None

    def _look(self, args: tuple[Any, ...], kwargs: dict[str, Any], kinds: Any) -> Arguments:
        if not all(type(key) is str for key in kwargs):
            raise TypeError(f"{self.name}() keywords must be strings")
        for key in kwargs:
            if key in self.fixed:
                raise TypeError(f"{self.name}() got an unexpected keyword argument {key!r}")
        if self.anything:
            return args, kwargs
        self._bind(args, kwargs)
        seen: dict[Any, Any] = {}
        flat = True
        new_args = list(args)
        for index, value in enumerate(args):
            known = index < len(self.positional)
            name = self.positional[index] if known else self.rest_name
            hint = self.hints[name] if known else self.rest
            if hint is not None and hint.convert is not None:
                new_args[index] = self._convert(name, hint, value, seen)
                flat = flat and hint.flat and new_args[index] is value
        new_kwargs = dict(kwargs)
        for key, value in kwargs.items():
            hint = (
                self.keywords
                if key not in self.hints or key in self.positional_only
                else self.hints[key]
            )
            if hint is not None and hint.convert is not None:
                new_kwargs[key] = self._convert(key, hint, value, seen)
                flat = flat and hint.flat and new_kwargs[key] is value
        if flat and len(self._right) < REMEMBERED and len(kinds) < 20:
            self._right.add(kinds)
        return tuple(new_args), new_kwargs

    def _convert(self, name: str, hint: Hint, value: Any, seen: dict[Any, Any]) -> Any:
        seen.pop(
            WHY, None
        )  # what an argument before this one was refused for, by a class that was one of several
        result = hint.convert(value, seen) if hint.convert is not None else value
        if result is NO:
            why = f": {seen[WHY]}" if WHY in seen else ""
            raise TypeError(
                f"{self.name}() argument {short(name)} must be {hint.text or 'of another type'},"
                f" {_but(hint, value)}{why}"
            )
        return result

    # -- binding: which argument goes where, with CPython's words for what does not

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        taken = self.positional[: len(args)]
        for key in kwargs:
            if key in self.positional_only or key not in self.hints:
                if self.keywords is None:
                    self._refuse_keyword(key, kwargs)
            elif key in taken:
                raise TypeError(f"{self.name}() got multiple values for argument {key!r}")
        if len(args) > len(self.positional) and self.rest is None:
            self._refuse_positional(len(args), sum(key in self.keyword_only for key in kwargs))
        self._refuse_missing(
            "positional", self.positional[len(args) :], kwargs, self.positional_only
        )
        self._refuse_missing("keyword-only", self.keyword_only, kwargs, ())

    def _refuse_keyword(self, key: str, kwargs: dict[str, Any]) -> None:
        misplaced = [
            name for name in self.positional if name in self.positional_only and name in kwargs
        ]
        if misplaced:
            names = ", ".join(misplaced)
            raise TypeError(
                f"{self.name}() got some positional-only arguments passed as keyword arguments:"
                f" '{names}'"
            )
        known = [name for name in self.hints if name not in self.positional_only]
        close = difflib.get_close_matches(key[:100], known, n=1, cutoff=0.6)
        meant = f". Did you mean {close[0]!r}?" if close else ""
        raise TypeError(f"{self.name}() got an unexpected keyword argument {short(key)}{meant}")

    def _refuse_positional(self, given: int, keyword_only: int) -> None:
        most = len(self.positional)
        least = most - sum(name in self.with_default for name in self.positional)
        takes = (
            f"{most} positional argument{'' if most == 1 else 's'}"
            if least == most
            else f"from {least} to {most} positional arguments"
        )
        and_also = ""
        if keyword_only:
            also = f"{keyword_only} keyword-only argument{'' if keyword_only == 1 else 's'}"
            and_also = f" positional argument{'' if given == 1 else 's'} (and {also})"
        was = "was" if given == 1 and not keyword_only else "were"
        raise TypeError(f"{self.name}() takes {takes} but {given}{and_also} {was} given")

    def _refuse_missing(
        self, kind: str, names: Iterable[str], kwargs: dict[str, Any], not_by_keyword: Iterable[str]
    ) -> None:
        missing = [
            repr(n)
            for n in names
            if n not in self.with_default and (n not in kwargs or n in not_by_keyword)
        ]
        if not missing:
            return
        listed = (
            " and ".join(missing)
            if len(missing) <= 2
            else f"{', '.join(missing[:-1])}, and {missing[-1]}"
        )
        plural = "" if len(missing) == 1 else "s"
        raise TypeError(
            f"{self.name}() missing {len(missing)} required {kind} argument{plural}: {listed}"
        )


def _but(hint: Hint, value: Any) -> str:
    """What is wrong with a value: it, or the first of its parts that is."""
    path = ""
    for _ in range(8):
        found = _wrong_part(hint, value)
        if found is None:
            break
        label, part, value = found
        path = f"{path}, {label}" if path else label
        if part is None:
            return f"but {path}"
        hint = part
    return f"but {path} is {_kind(value)}" if path else f"not {_kind(value)}"


def _wrong_part(hint: Hint, value: Any) -> tuple[str, Hint | None, Any] | None:
    seen: dict[Any, Any] = {}
    for label, part, inner in hint.parts(value) if hint.parts else ():
        if part is None or (part.convert is not None and part.convert(inner, seen) is NO):
            return label, part, inner
    return None


def _kind(value: Any) -> str:
    """`str ('10')`, `None`, `list`: the type of a value, and the value where it is short and
    plain."""
    if value is None:
        return "None"
    if type(value) is RemoteObject:
        return f"an object of the sandbox ({one_line(value.type_name, 100)})"
    if isinstance(value, Record):
        return one_line(value._type_name, 100)
    text = short(value)
    return f"{type(value).__name__} ({text})" if text else type(value).__name__
