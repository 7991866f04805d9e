"""From words to the texts they stand for: variables, substitutions, splitting at blanks, patterns
of names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from fumehood.worker.shell import globs
from fumehood.worker.shell.arithmetic import evaluate
from fumehood.worker.shell.places import Places
from fumehood.worker.shell.tree import (
    Arithmetic,
    Misread,
    Part,
    Sequence,
    Substitution,
    Text,
    Variable,
    Word,
)

LONGEST = 8 << 20
"""Characters of what one command's words stand for, together."""


class Surroundings(Protocol):
    """What words are expanded with."""

    places: Places

    def value_of(self, name: str, *, is_needed: bool = False) -> str | None: ...

    def set_variable(self, name: str, value: str) -> None: ...

    def output_of(self, body: Sequence) -> str: ...

    @property
    def arguments(self) -> list[str]: ...


class Expansion:
    """The words of one command. What they stand for is counted together."""

    def __init__(self, shell: Surroundings) -> None:
        self._shell = shell
        self._size = 0

    def fields(self, words: Iterable[Word]) -> list[str]:
        """All texts that some words stand for."""
        return [text for word in words for text in self._fields(word)]

    def text(self, word: Word) -> str:
        """The one text that a word stands for where no splitting is done and no pattern is one: in
        an assignment, for one."""
        return self._counted("".join(globs.unescaped(piece) for piece in self._pieces(word)))

    def pattern(self, word: Word) -> str:
        """The same as a pattern, in which what was quoted is none."""
        return self._counted("".join(self._pieces(word)))

    def name(self, word: Word) -> str:
        """The file that a redirection leads to."""
        found = self._fields(word)
        if len(found) != 1:
            raise Misread(
                "a redirection leads to one file"
                + (f", not to {len(found)}" if found else ": its name is empty")
            )
        return found[0]

    def _counted(self, text: str) -> str:
        self._size += len(text)
        if self._size > LONGEST:
            raise Misread(f"the words of a command stand for more than {LONGEST:,} characters")
        return text

    # -- fields

    def _fields(self, word: Word) -> list[str]:
        fields: list[str] = []
        current: str | None = None
        """The field that is being put together, as a pattern; None if there is none yet."""

        def end() -> None:
            nonlocal current
            if current is not None:
                fields.append(self._counted(current))
            current = None

        for part in _with_tilde(word, self._shell):
            if (
                isinstance(part, Variable)
                and part.name == "@"
                and part.quoted
                and not part.operator
            ):
                for number, argument in enumerate(self._shell.arguments):
                    if number:
                        end()
                    current = (current or "") + globs.escaped(argument)
                continue
            if isinstance(part, Variable) and part.operator and not part.quoted:
                inner = self._alternative(part)
                if inner is not None:
                    for number, piece in enumerate(inner):
                        if number:
                            end()
                        current = (current or "") + piece
                    continue
            text = self._of(part)
            if isinstance(part, Text) or part.quoted:
                if text or (isinstance(part, Text) and part.quoted):
                    current = (current or "") + (globs.escaped(text) if part.quoted else text)
                continue
            first, rest = self._split(
                text.replace("\\", "\\\\")
            )  # in a value it is no more than a character
            if first:
                end()
            for number, piece in enumerate(rest):
                if number:
                    end()
                current = (current or "") + piece
            if rest and self._ends_blank(text):
                end()
        end()
        return [name for field in fields for name in self._names(field)]

    def _alternative(self, part: Variable) -> list[str] | None:
        """The fields of the word in ${x:-word}, where that is what it stands for."""
        value = self._shell.value_of(part.name)
        is_given = value is not None and (value != "" or not part.operator.startswith(":"))
        if (
            part.operator in (":-", "-")
            and not is_given
            or part.operator in (":+", "+")
            and is_given
        ):
            return [globs.escaped(text) for text in self._fields(part.word)]
        return None

    def _split(self, text: str) -> tuple[bool, list[str]]:
        """Whether what was before ends here, and the pieces of a text that was not quoted."""
        separators = self._shell.value_of("IFS")
        separators = " \t\n" if separators is None else separators
        if not separators:
            return False, [text] if text else []
        blanks = "".join(char for char in separators if char in " \t\n")
        is_ended = text != "" and text[0] in blanks
        if blanks == separators == " \t\n":
            return is_ended, re.findall(r"[^ \t\n]+", text)
        blank = f"[{re.escape(blanks)}]" if blanks else "(?!)"
        other = (
            f"[{re.escape(sign)}]"
            if (sign := separators.translate(dict.fromkeys(map(ord, blanks))))
            else "(?!)"
        )
        pieces = re.split(
            f"{blank}*{other}{blank}*|{blank}+", text.strip(blanks) if blanks else text
        )
        if not pieces[-1]:
            pieces.pop()
        return is_ended, pieces

    def _ends_blank(self, text: str) -> bool:
        separators = self._shell.value_of("IFS")
        return text[-1:] in (" \t\n" if separators is None else separators) and text != ""

    def _names(self, field: str) -> list[str]:
        if globs.is_pattern(field):
            found = globs.expand(field, self._shell.places)
            if found:
                return [self._counted(name) for name in found]
        return [globs.unescaped(field)]

    # -- values

    def _pieces(self, word: Word) -> Iterable[str]:
        for part in _with_tilde(word, self._shell):
            text = self._of(part)
            yield globs.escaped(text) if part.quoted or not isinstance(part, Text) else text

    def _of(self, part: Part) -> str:
        match part:
            case Text():
                return part.text
            case Substitution():
                return self._shell.output_of(part.body)
            case Arithmetic():
                return str(
                    evaluate(self.text(part.word), lambda name: self._shell.value_of(name) or "")
                )
            case Variable():
                return self._variable(part)

    def _variable(self, part: Variable) -> str:
        operator = part.operator
        value = self._shell.value_of(
            part.name, is_needed=operator in ("", "length", "#", "##", "%", "%%")
        )
        if operator == "length":
            return str(len(self._shell.arguments) if part.name in ("@", "*") else len(value or ""))
        if operator in ("#", "##", "%", "%%"):
            return _without(value or "", self.pattern(part.word), operator)
        is_given = value is not None and (value != "" or not operator.startswith(":"))
        match operator.removeprefix(":"):
            case "-" if not is_given:
                return self.text(part.word)
            case "=" if not is_given:
                value = self.text(part.word)
                self._shell.set_variable(part.name, value)
            case "+":
                return self.text(part.word) if is_given else ""
            case "?" if not is_given:
                raise Misread(f"{part.name}: {self.text(part.word) or 'has no value'}")
        return value or ""


def _with_tilde(word: Word, shell: Surroundings) -> Word:
    """A word whose ~ at the beginning is the home directory."""
    if word and isinstance(word[0], Text) and not word[0].quoted:
        text = word[0].text
        if text.startswith("~/") or text == "~" and len(word) == 1:
            home = shell.value_of("HOME") or shell.places.home
            return (Text(home, quoted=True), Text(text[1:]), *word[1:])
    return word


def _without(value: str, pattern: str, operator: str) -> str:
    """A text without what a pattern fits at its beginning or end: the shortest such piece, or with
    a doubled sign the longest."""
    fits = globs.compiled(pattern)
    ends = range(len(value) + 1)
    if operator in ("#", "##"):
        for end in ends if operator == "#" else reversed(ends):
            if fits.fullmatch(value, 0, end):
                return value[end:]
    else:
        for start in reversed(ends) if operator == "%" else ends:
            if fits.fullmatch(value, start):
                return value[:start]
    return value
