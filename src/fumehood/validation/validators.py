"""What a validator is, and the ones that anybody can make: a regular expression, a function, a
bound on size.

A validator finds things in text and says what is to be done about each kind:

    allow     nothing: this kind is not looked for
    report    a Finding; the output stays as it is
    redact    a Finding; a word in brackets stands where the thing stood
    refuse    a Finding; all output of the cell is withheld, and the error says why
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple, cast

from fumehood.asked import shown, whole
from fumehood.errors import PolicyError

Action = Literal["allow", "report", "redact", "refuse"]
ACTIONS: tuple[Action, ...] = ("allow", "report", "redact", "refuse")

PLACES: dict[str, str] = {
    "value": "the value of the cell, or the final answer, and whatever is in it",
    "logs": "all that the cell printed",
    "error": "the exception's text and traceback",
    "display": "plots and tables, in their formats that are text",
}
"""Where a validator can look."""


MASK = "\u2588"
"""What a validator that reads all sees where something was taken out before, a block for each
character: `[phone number]` is itself a text about telephone numbers."""


class Match(NamedTuple):
    """Something found in a text, from `start` up to `end`. `kind` says what, in the words that will
    stand in its place."""

    start: int
    end: int
    kind: str = ""


class Validator:
    """Finds things in text. `name` is who found it, in a Finding."""

    name: str = "validator"
    reads_all: ClassVar[bool] = False
    """Whether it wants all texts of a value as one, a line each, with the key before it: `phone:
    "…"`. Otherwise it gets text by text."""
    least: int = 0
    """Texts with fewer characters hold nothing that it looks for."""

    def __init__(
        self,
        action: Action,
        where: Iterable[str] | str,
        actions: Mapping[str, Action] | None = None,
    ) -> None:
        self.action = checked_action(action, type(self).__name__)
        self.where = checked_places(where, type(self).__name__)
        self.actions: dict[str, Action] = {
            kind: checked_action(given, kind) for kind, given in (actions or {}).items()
        }

    def action_for(self, kind: str) -> Action:
        """What is done about a thing of this kind."""
        return self.actions.get(kind, self.action)

    @property
    def strictest(self) -> Action:
        """The hardest thing that it may do; what is done when it fails, or could not look."""
        return max((self.action, *self.actions.values()), key=ACTIONS.index)

    def find(self, text: str, where: str) -> Iterable[Match]:
        """What is in a text. May raise: then nothing is known of the text."""
        raise NotImplementedError


def checked_action(action: Any, what: str) -> Action:
    if action not in ACTIONS:
        raise PolicyError(f"{what}: an action is one of {', '.join(ACTIONS)}, not {shown(action)}")
    return cast(Action, action)


def checked_places(where: Iterable[str] | str, what: str) -> frozenset[str]:
    places = names_in((where,) if isinstance(where, str) else where)
    unknown = ", ".join(shown(place) for place in sorted(places - PLACES.keys())[:10])
    if unknown or not places:
        raise PolicyError(
            f"{what}: `where` takes some of {', '.join(PLACES)}, not {unknown or 'nothing'}"
        )
    return places


def names_in(given: Any) -> frozenset[str]:
    """Names out of a list of them. What is none stands under its own text, and is found to be
    unknown."""
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        return frozenset({shown(given)})
    return frozenset(one if isinstance(one, str) else shown(one) for one in given)


class Pattern(Validator):
    """A regular expression of your own. If it has a group called `found`, that is what is meant;
    else all that it matches. How long it may take is up to the expression: nested repetitions can
    take forever on hostile text."""

    def __init__(
        self,
        name: str,
        regex: str | re.Pattern[str],
        action: Action = "redact",
        *,
        where: Iterable[str] | str = tuple(PLACES),
    ) -> None:
        super().__init__(action, where)
        if not isinstance(name, str) or not name or not name.isprintable() or set(name) & set("[]"):
            raise PolicyError(
                "a Pattern's name is a word or two without brackets, to stand where the thing"
                f" stood, not {shown(name)}"
            )
        try:
            self.regex = re.compile(regex)
        except (re.error, TypeError, OverflowError, RecursionError) as error:
            raise PolicyError(
                f"Pattern {shown(name)}: {shown(regex)} is no regular expression for text: {error}"
            ) from None
        if not isinstance(self.regex.pattern, str):
            raise PolicyError(
                f"Pattern {shown(name)}: {shown(regex)} is for bytes; write it for text"
            )
        self.name = name
        self._group: str | int = "found" if "found" in self.regex.groupindex else 0

    def find(self, text: str, where: str) -> Iterable[Match]:
        for found in self.regex.finditer(text):
            start, end = found.span(self._group)
            if end > start:
                yield Match(start, end, self.name)


Found = bool | str | None | Iterable[Match]


class Custom(Validator):
    """A function of your own: `function(text, where)`. What it returns:

        None, False, ""       nothing found
        a text                all of this text is that kind of thing
        Matches               these parts of it are
        anything else true    all of it, under the function's name

    If it raises, the text is treated as one that nobody has looked at: withheld if the action is
    redact or refuse, else reported.
    """

    def __init__(
        self,
        function: Callable[[str, str], Any],
        action: Action = "redact",
        *,
        where: Iterable[str] | str = tuple(PLACES),
        name: str = "",
    ) -> None:
        super().__init__(action, where)
        if not callable(function):
            raise TypeError(
                "a validator is a function that takes (text, where), or one of fumehood.validation"
                f" like Secrets(), not {shown(function)}"
            )
        self.function = function
        self.name = name or getattr(function, "__name__", "").strip("<>") or type(function).__name__
        try:
            inspect.signature(function).bind("text", "where")
        except ValueError:
            pass  # some that are written in C say nothing
        except TypeError as error:  # else it would fail with every text, and everything be withheld
            raise TypeError(
                f"the validator {self.name} is called with (text, where), which it does not take:"
                f" {error}"
            ) from None

    def find(self, text: str, where: str) -> Iterable[Match]:
        said = self.function(text, where)
        if not isinstance(said, (str, Match)) and isinstance(said, Iterable):
            return [self._inside(match, len(text)) for match in said]
        if isinstance(said, Match):
            return [self._inside(said, len(text))]
        return (
            [Match(0, len(text), one_word(said) if isinstance(said, str) else self.name)]
            if said and text
            else []
        )

    def _inside(self, match: Any, length: int) -> Match:
        if (
            not isinstance(match, tuple)
            or not 2 <= len(match) <= 3
            or not all(type(place) is int for place in match[:2])
        ):
            raise TypeError(f"{self.name} gave {shown(match)} where Match(start, end, kind) is due")
        start, end = max(match[0], 0), min(match[1], length)
        kind = match[2] if len(match) == 3 else ""
        return Match(start, end, one_word(str(kind)) or self.name)


def one_word(kind: str) -> str:
    """A kind as it can stand in brackets, in HTML and in JSON."""
    return "".join(
        c if c.isprintable() and c not in "[]<>\"'&\\" else " " for c in kind[:60]
    ).strip()


class MaxSize(Validator):
    """Bounds on what comes out. Bytes of a value are counted as the memory of its texts, bytes and
    arrays, and 8 for every other item. There is nothing to redact: the action is refuse, report or
    allow."""

    name = "MaxSize"

    def __init__(
        self,
        value_bytes: int | None = None,
        *,
        logs_characters: int | None = None,
        display_bytes: int | None = None,
        action: Action = "refuse",
    ) -> None:
        super().__init__(action, tuple(PLACES))
        if action == "redact":
            raise PolicyError(
                "MaxSize: the action is refuse, report or allow; a size cannot be redacted"
            )
        self.limits: dict[str, int] = {}
        for where, name, limit in (
            ("value", "value_bytes", value_bytes),
            ("logs", "logs_characters", logs_characters),
            ("display", "display_bytes", display_bytes),
        ):
            if limit is not None:
                self.limits[where] = whole(f"MaxSize: {name}", limit, 0, unless=" or None")

    def find(self, text: str, where: str) -> Iterable[Match]:
        return ()


def validator_of(given: Any) -> Validator:
    """A validator, or a function as one."""
    if isinstance(given, Validator):
        return given
    if isinstance(given, type) and issubclass(given, Validator):
        raise TypeError(f"{given.__name__} is a class: write {given.__name__}()")
    return Custom(given)
