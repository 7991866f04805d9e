"""Programs written from the tables of doors.py: holes are filled with more of the same, down to
things to begin with."""

from __future__ import annotations

import re
import textwrap
from random import Random

from fumehood.language.guarded.names import reading

from . import doors, words

_NAMING = re.compile(r"\{[nat]\}")
_HOLE = re.compile(r"\{\{|\}\}|\{([a-z])\}")
_MODULE = re.compile(
    rf"\b({'|'.join(map(re.escape, sorted(words.MODULES, key=len, reverse=True)))})\b"
)


class Writer:
    """`boldness` is how often a name is one that the rules refuse. Too often, and no program is
    accepted; never, and nothing is tried."""

    def __init__(self, random: Random, boldness: float = 0.03) -> None:
        self._random = random
        self._boldness = boldness

    def program(self) -> str:
        """Statements that go on after each other's errors."""
        random = self._random
        if random.random() < 0.5:
            return assembled([f"see({self.expression(1)})" for _ in range(random.randint(4, 12))])
        return assembled(
            [self.statement(random.choice((1, 1, 2, 2, 3))) for _ in range(random.randint(1, 6))]
        )

    def statement(self, depth: int) -> str:
        text = self._fill(self._random.choice(doors.STATEMENTS), depth)
        return text if self._random.random() < 0.8 else f"see({self.expression(depth)})"

    def expression(self, depth: int) -> str:
        random = self._random
        if depth <= 0 or random.random() < 0.15:
            return (
                random.choice(words.VARIABLES)
                if random.random() < 0.15
                else random.choice(words.ROOTS)
            )
        text = self._fill(random.choice(doors.EXPRESSIONS), depth - 1)
        return f"({text})" if " " in text or ":=" in text else text

    def name(self) -> str:
        """The name of an attribute."""
        random = self._random
        if random.random() < self._boldness:
            return random.choice(words.REFUSED_NAMES)
        return random.choice(
            random.choice(
                (words.GUARDED_NAMES, words.PLAIN_NAMES, words.UNLISTED_NAMES, words.TESTED_NAMES)
            )
        )

    def spelled(self) -> str:
        """An expression for the name of an attribute. What is not written cannot be read while
        compiling, so here all names are fair."""
        random = self._random
        kinds = (
            words.REFUSED_NAMES,
            words.REFUSED_NAMES,
            words.GUARDED_NAMES,
            words.PLAIN_NAMES,
            words.UNLISTED_NAMES,
            words.FORBIDDEN_MODULES,
        )
        return spelled(random, random.choice(random.choice(kinds)))

    def _fill(self, template: str, depth: int) -> str:
        lead = (
            self._random.choice(words.LEADS)
            if self._random.random() < 0.5 and _NAMING.search(template)
            else None
        )
        is_new = True

        def filled(found: re.Match[str]) -> str:
            nonlocal is_new
            match found[1]:
                case None:
                    return found[0][0]
                case "e" if lead is not None and is_new:
                    is_new = False
                    return lead[0]
                case "n" if lead is not None:
                    return spelled(self._random, lead[1])
                case "t" if lead is not None:
                    return lead[1]
                case "a" if lead is not None and reading(lead[1]) != "refused":
                    return lead[1]
                case "t":
                    return self._random.choice(words.REFUSED_NAMES)
                case "e":
                    return self.expression(depth)
                case "f":
                    return self._fill(self._random.choice(doors.CALLABLES), depth - 1)
                case "c":
                    return self._fill(self._random.choice(doors.CLASSES), depth - 1)
                case "n":
                    return self.spelled()
                case "a":
                    return self.name()
                case "v":
                    return self._random.choice(words.VARIABLES)
                case "k":
                    return self._random.choice(doors.PATTERN_CLASSES)
                case "m":
                    return self._random.choice(words.MODULES)
                case "s":
                    return spelled(
                        self._random, self._fill(self._random.choice(doors.SOURCES), depth - 1)
                    )
                case "d":
                    return textwrap.indent(
                        self.statement(depth - 1) if depth > 0 else "see(0)", "    "
                    )
            raise AssertionError(found[0])

        return _HOLE.sub(filled, template)


def spelled(random: Random, text: str) -> str:
    """An expression whose value is a text."""
    match random.randrange(8):
        case 0 if len(text) > 3:
            at = random.randrange(1, len(text))
            return f"({text[:at]!r} + {text[at:]!r})"
        case 1:
            return f"{text[::-1]!r}[::-1]"
        case 2:
            return f"''.join(map(chr, {[*map(ord, text)]}))"
        case 3:
            return f"Text({text!r})"
        case 4 if text.isascii():
            return f"{text.encode()!r}.decode()"
        case _:
            return repr(text)


def assembled(statements: list[str]) -> str:
    """A program whose every statement is tried, with the modules and things of its own that they
    speak of before them."""
    body = "\n".join(
        f"try:\n{textwrap.indent(text, '    ')}\nexcept BaseException as raised:\n    see(raised)"
        for text in statements
    )
    return f"{imports_for(body)}{words.OWN_THINGS}{''.join(f'{name} = None{chr(10)}' for name in words.VARIABLES)}{body}\n"


def imports_for(text: str) -> str:
    """Statements that import the modules that a text speaks of."""
    return "".join(f"import {name}\n" for name in sorted({*_MODULE.findall(text)}))
