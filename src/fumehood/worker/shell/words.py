"""Words of a command line, character by character: quoting, variables, substitutions. What stands
between words is parse.py's."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from fumehood.worker.shell.tree import (
    Arithmetic,
    Misread,
    Part,
    Redirection,
    Sequence,
    Substitution,
    Text,
    Variable,
    Word,
)

DEEPEST = 40
"""How deep $( ), ( ), if, for and while may stand in one another."""

OPERATORS = (":-", ":=", ":+", ":?", "-", "=", "+", "?", "##", "#", "%%", "%")
"""What may stand behind the name in ${name…}, longer ones first."""

_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
_BLANKS = re.compile(r"(?:[ \t]|\\\n)*")
_PLAIN = re.compile(r"[^ \t\n\\'\"$`|&;<>()#]+")
_DOLLAR = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])")
_IN_BRACES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$]")
_LINE_END = "the end of the line"


class Words:
    """Reads words. Whoever reads what is between them adds `sequence`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._awaited: list[tuple[Redirection, str, bool, bool]] = []
        """Here-documents whose text comes behind the end of this line: to whom it belongs, its last
        line, whether it is taken as it is, and whether tabs at the beginning of lines are left
        out."""

    @contextlib.contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Misread(f"things stand in one another more than {DEEPEST} deep")
        yield
        self._depth -= 1

    # -- characters

    def _peek(self, length: int = 1) -> str:
        return self._text[self._at : self._at + length]

    def _blanks(self) -> None:
        """Go over blanks, continued lines and a comment."""
        match = _BLANKS.match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        if self._peek() == "#" and (self._at == 0 or self._text[self._at - 1] in " \t\n;&|()"):
            end = self._text.find("\n", self._at)
            self._at = len(self._text) if end < 0 else end

    def _newlines(self) -> None:
        """Go over ends of lines, and the here-documents behind the first."""
        self._blanks()
        while self._peek() == "\n":
            self._at += 1
            self._here_documents()
            self._blanks()

    def _found(self) -> str:
        """What is next, as a message names it."""
        found = self._peek_word() or self._peek()
        return _LINE_END if not found or found == "\n" else f"`{found[:40]}`"

    def _peek_word(self) -> str:
        match = _PLAIN.match(self._text, self._at)
        return match.group() if match is not None else ""

    def _is_reserved(self, word: str) -> bool:
        """Whether a reserved word is next, and not the beginning of a longer one."""
        end = self._at + len(word)
        return self._text.startswith(word, self._at) and (
            end == len(self._text) or self._text[end] in " \t\n;&|()<>"
        )

    def _expect(self, word: str, of: str) -> None:
        self._newlines()
        if not self._is_reserved(word):
            raise Misread(f"`{word}` is missing in `{of}`: found {self._found()}")
        self._at += len(word)

    def must_be_at_end(self) -> None:
        if self._at < len(self._text):
            raise Misread(f"{self._found()} is not expected here")
        if self._awaited:
            raise Misread(f"the here-document is not ended by a line {self._awaited[0][1]!r}")

    def sequence(self, *ends: str) -> Sequence:
        """Commands up to one of the words or characters that end the list, which is left
        standing."""
        raise NotImplementedError

    def _here_documents(self) -> None:
        awaited, self._awaited = self._awaited, []
        for made, end, is_raw, leaves_tabs in awaited:
            lines: list[str] = []
            while True:
                if self._at >= len(self._text):
                    raise Misread(f"the here-document is not ended by a line {end!r}")
                stop = self._text.find("\n", self._at)
                stop = len(self._text) if stop < 0 else stop
                line = self._text[self._at : stop]
                line = line.lstrip("\t") if leaves_tabs else line
                self._at = min(stop + 1, len(self._text))
                if line == end:
                    break
                lines.append(line + "\n")
            body = "".join(lines)
            made.target = (Text(body, quoted=True),) if is_raw else self._within(body)

    def _within(self, body: str) -> Word:
        """The text of a here-document, in which variables and substitutions are looked for."""
        inner = type(self)(body)
        inner._depth = self._depth
        with inner._deeper():
            return tuple(inner._quoted_parts(None))

    # -- words

    def _word(self) -> Word | None:
        """The next word, None if what is next is none."""
        parts: list[Part] = []
        start = self._at
        while self._at < len(self._text):
            char = self._peek()
            plain = _PLAIN.match(self._text, self._at)
            if plain is not None:
                if _BRACES.search(plain.group()):
                    raise Misread(
                        f"lists in braces, {plain.group()[:40]}, are not known here: write the"
                        " words out"
                    )
                parts.append(Text(plain.group()))
                self._at = plain.end()
            elif char == "#" and self._at > start:
                parts.append(Text("#"))
                self._at += 1
            elif char == "\\":
                if self._peek(2) == "\\":
                    raise Misread("the line ends with a `\\`")
                if self._peek(2) != "\\\n":
                    parts.append(Text(self._peek(2)[1], quoted=True))
                self._at += 2
            elif char == "'":
                end = self._text.find("'", self._at + 1)
                if end < 0:
                    raise Misread("a ' is not closed")
                parts.append(Text(self._text[self._at + 1 : end], quoted=True))
                self._at = end + 1
            elif char == '"':
                self._at += 1
                parts.append(Text("", quoted=True))
                parts += self._quoted_parts('"')
            elif char == "$":
                parts.append(self._dollar(quoted=False))
            elif char == "`":
                raise Misread("`…` is not known here: write $(…)")
            else:
                break
        return tuple(parts) if self._at > start else None

    def _quoted_parts(self, end: str | None) -> list[Part]:
        """What stands between double quotes, or in a here-document."""
        parts: list[Part] = []
        text: list[str] = []
        while True:
            char = self._peek()
            if not char or char == end:
                if char != (end or ""):
                    raise Misread('a " is not closed')
                self._at += 1
                break
            if char == "\\":
                follows = self._peek(2)[1:]
                if follows in ("$", "`", "\\") or follows == end:
                    text.append(follows)
                elif follows != "\n":
                    text.append("\\" + follows)
                self._at += 2
            elif char == "`":
                raise Misread("`…` is not known here: write $(…)")
            elif char == "$":
                found = self._dollar(quoted=True)
                if isinstance(found, Text):
                    text.append(found.text)
                else:
                    parts += [Text("".join(text), quoted=True), found]
                    text.clear()
            else:
                stop = self._at + 1
                while stop < len(self._text) and self._text[stop] not in '\\`$"':
                    stop += 1
                text.append(self._text[self._at : stop])
                self._at = stop
        if text:
            parts.append(Text("".join(text), quoted=True))
        return parts

    def _dollar(self, *, quoted: bool) -> Part:
        with self._deeper():
            if self._peek(3) == "$((":
                found = self._arithmetic(quoted)
                if found is not None:
                    return found
            if self._peek(2) == "$(":
                self._at += 2
                body = self.sequence(")")
                if self._peek() != ")":
                    raise Misread("a $( is not closed")
                self._at += 1
                return Substitution(body, quoted)
            if self._peek(2) == "${":
                return self._braced(quoted)
            if self._peek(2) == "$'" and not quoted:
                raise Misread("$'…' is not known here: write \"$(printf '…')\"")
            match = _DOLLAR.match(self._text, self._at)
            if match is None:
                self._at += 1
                return Text("$", quoted=True)
            self._at = match.end()
            return _variable(match.group()[1:], quoted)

    def _arithmetic(self, quoted: bool) -> Arithmetic | None:
        """What stands in $(( )); None if it is a substitution that begins with a group."""
        depth, end = 0, self._at + 3
        while end < len(self._text) and (depth or self._text[end : end + 2] != "))"):
            depth += (self._text[end] == "(") - (self._text[end] == ")")
            if depth < 0:
                return None
            end += 1
        if end >= len(self._text):
            raise Misread("a $(( is not closed")
        inner = type(self)(self._text[self._at + 3 : end])
        inner._depth = self._depth
        self._at = end + 2
        return Arithmetic(tuple(inner._quoted_parts(None)), quoted)

    def _braced(self, quoted: bool) -> Part:
        self._at += 2
        is_length = self._peek() == "#" and self._peek(2) != "#}"
        self._at += is_length
        match = _IN_BRACES.match(self._text, self._at)
        if match is None:
            raise Misread(f"in ${{…}} the name of a variable is missing: found {self._found()}")
        self._at = match.end()
        name = match.group()
        word: Word = ()
        if is_length:
            operator = "length"
        else:
            operator = next(
                (sign for sign in OPERATORS if self._text.startswith(sign, self._at)), ""
            )
            self._at += len(operator)
            word = self._until_brace(quoted) if operator else word
        if self._peek() != "}":
            what = (
                f"`{self._peek()}` in ${{{name}…}} is not known here"
                if self._peek()
                else "a ${ is not closed"
            )
            raise Misread(what)
        self._at += 1
        return Variable(_variable(name, quoted).name, quoted, operator, word)

    def _until_brace(self, quoted: bool) -> Word:
        """The word behind the operator of ${…}. In it blanks are ordinary characters."""
        parts: list[Part] = []
        while self._at < len(self._text) and self._peek() != "}":
            char = self._peek()
            if char == "$":
                parts.append(self._dollar(quoted=quoted))
            elif char == '"':
                self._at += 1
                parts.append(Text("", quoted=True))
                parts += self._quoted_parts('"')
            elif char in "'\\" and not (quoted and char == "'"):
                before = self._at
                if char == "'" and self._text.find("'", before + 1) >= 0:
                    self._at = self._text.find("'", before + 1) + 1
                    parts.append(Text(self._text[before + 1 : self._at - 1], quoted=True))
                elif char == "\\" and len(self._peek(2)) == 2:
                    parts.append(Text(self._peek(2)[1], quoted=True))
                    self._at += 2
                else:
                    raise Misread(f"a {char} in ${{…}} is not closed")
            elif char == "`":
                raise Misread("`…` is not known here: write $(…)")
            else:
                parts.append(Text(char, quoted))
                self._at += 1
        return tuple(parts)


def _variable(name: str, quoted: bool) -> Variable:
    if name in ("!", "-"):
        raise Misread(f"${name} is not known here: there are no jobs and no options to show")
    return Variable(name, quoted)
