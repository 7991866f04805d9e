"""From a command line to a tree. What is not among the few things this shell knows is refused by
name, with what to write in its place.

One pass over the characters; every way down is counted, so that no line can lead the parser deeper
than it may go.
"""

from __future__ import annotations

import re

from fumehood.worker.shell.tree import (
    Command,
    For,
    Group,
    If,
    Misread,
    Pipeline,
    Redirection,
    Sequence,
    Simple,
    Text,
    While,
    Word,
)
from fumehood.worker.shell.words import Words

LONGEST = 1 << 20
"""Characters of one command line. Files hold what is longer."""

# fmt: off
REFUSED_WORDS = {
    "case":     "write if [ … ]; then … elif …; fi",
    "select":   "nobody is there to choose",
    "function": "functions are not known here; put the commands into a file and run `sh file`",
    "[[":       "write [ … ], with quotes around variables",
    "((":       "write $(( … )) and test with [ … ]",
    "coproc":   "there are no jobs here",
    "time":     "time is measured outside",
}
"""Words with a meaning in other shells, and what to write here."""
# fmt: on

_RESERVED = frozenset(
    {"if", "then", "elif", "else", "fi", "for", "in", "do", "done", "while", "until", "{", "}", "!"}
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_REDIRECTION = re.compile(r"([0-9]*)(&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)")


def parse(text: str) -> Sequence:
    """The tree of a command line, or of a script. Misread if it is none."""
    if len(text) > LONGEST:
        raise Misread(
            f"a line of {len(text):,} characters is too long: at most {LONGEST:,}; write it to a"
            " file"
        )
    if "\0" in text:
        raise Misread("there is a NUL in the line; no command can be given one")
    parser = _Parser(text)
    tree = parser.sequence()
    parser.must_be_at_end()
    return tree


class _Parser(Words):
    # -- lists and pipelines

    def sequence(self, *ends: str) -> Sequence:
        """Pipelines up to one of the words or characters that end the list, which is left
        standing."""
        items: list[tuple[str, Pipeline]] = []
        connector = ";"
        while True:
            self._newlines()
            if self._at >= len(self._text) or self._is_end(ends):
                if connector != ";":
                    raise Misread(f"a command is missing behind `{connector}`")
                return Sequence(tuple(items))
            items.append((connector, self._pipeline()))
            self._blanks()
            found = self._peek(2)
            if found in ("&&", "||"):
                connector, self._at = found, self._at + 2
            elif found == ";;":
                raise Misread("`;;` belongs to `case`, which is not known here")
            elif found[:1] == "&":
                raise Misread(
                    "`&` is not known here: start a second command beside this one in place of a"
                    " job in the background"
                )
            elif found[:1] in (";", "\n"):
                connector, self._at = ";", self._at + (found[:1] == ";")
            elif self._at < len(self._text) and not self._is_end(ends):
                raise Misread(f"{self._found()} is not expected here")
            else:
                connector = ";"

    def _is_end(self, ends: tuple[str, ...]) -> bool:
        return any(self._peek() == ")" if end == ")" else self._is_reserved(end) for end in ends)

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._is_reserved("!"):
            negated, self._at = not negated, self._at + 1
            self._blanks()
        commands = [self._command()]
        self._blanks()
        while self._peek() == "|" and self._peek(2) != "||":
            is_both = self._peek(2) == "|&"
            self._at += 2 if is_both else 1
            if is_both:
                commands[-1].redirections.append(Redirection(2, ">&", (Text("1"),)))
            self._newlines()
            commands.append(self._command())
            self._blanks()
        return Pipeline(tuple(commands), negated)

    # -- commands

    def _command(self) -> Command:
        node: For | If | While | Group | None = None
        with self._deeper():
            word = self._peek_word()
            if self._peek(2) == "((" and "))" in self._text:
                word = "(("
            if word in REFUSED_WORDS and (word == "((" or self._is_reserved(word)):
                raise Misread(f"`{word}` is not known here: {REFUSED_WORDS[word]}")
            if self._peek() == "(":
                self._at += 1
                node = Group(self._filled(")", of="("), apart=True)
                if self._peek() != ")":
                    raise Misread(f"`)` is missing: found {self._found()}")
                self._at += 1
            elif word in _RESERVED and self._is_reserved(word):
                node = self._compound(word)
        if node is None:
            return self._simple()
        redirections: list[Redirection] = []
        self._blanks()
        while self._redirection(redirections):
            self._blanks()
        return Command(node, redirections)

    def _compound(self, word: str) -> For | If | While | Group:
        if word not in ("if", "for", "while", "until", "{"):
            raise Misread(f"`{word}` is not expected here")
        self._at += len(word)
        if word == "{":
            body = self._filled("}", of="{")
            self._expect("}", "{")
            return Group(body, apart=False)
        if word in ("while", "until"):
            condition = self._filled("do", of=word)
            self._expect("do", word)
            body = self._filled("done", of=word)
            self._expect("done", word)
            return While(condition, body, until=word == "until")
        return self._if() if word == "if" else self._for()

    def _filled(self, *ends: str, of: str) -> Sequence:
        body = self.sequence(*ends)
        if not body.items:
            raise Misread(f"a command is missing in `{of}`: found {self._found()}")
        return body

    def _if(self) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        while True:
            condition = self._filled("then", of="if")
            self._expect("then", "if")
            branches.append((condition, self._filled("elif", "else", "fi", of="if")))
            if not self._is_reserved("elif"):
                break
            self._at += len("elif")
        otherwise: Sequence | None = None
        if self._is_reserved("else"):
            self._at += len("else")
            otherwise = self._filled("fi", of="else")
        self._expect("fi", "if")
        return If(tuple(branches), otherwise)

    def _for(self) -> For:
        self._blanks()
        match = _NAME.match(self._text, self._at)
        if match is None:
            raise Misread(f"`for` needs the name of a variable: found {self._found()}")
        self._at = match.end()
        self._newlines()
        words: list[Word] | None = None
        if self._is_reserved("in"):
            self._at += len("in")
            words = []
            self._blanks()
            while (word := self._word()) is not None:
                words.append(word)
                self._blanks()
        if self._peek() == ";":
            self._at += 1
        self._expect("do", "for")
        body = self._filled("done", of="for")
        self._expect("done", "for")
        return For(match.group(), None if words is None else tuple(words), body)

    def _simple(self) -> Command:
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirections: list[Redirection] = []
        while True:
            self._blanks()
            if self._redirection(redirections):
                continue
            match = _ASSIGNMENT.match(self._text, self._at) if not words else None
            if match is not None:
                self._at = match.end()
                if self._peek() == "(":
                    raise Misread(
                        "lists in variables, x=( … ), are not known here: write the words into one"
                        " text"
                    )
                assignments.append((match.group(1), self._word() or ()))
                continue
            word = self._word()
            if word is None:
                break
            words.append(word)
        if self._peek() == "(":
            raise Misread(
                "functions are not known here: put the commands into a file and run `sh file`"
                if words
                else f"{self._found()} is not expected here"
            )
        if not (assignments or words or redirections):
            raise Misread(f"a command is missing: found {self._found()}")
        return Command(Simple(tuple(assignments), tuple(words)), redirections)

    # -- redirections

    def _redirection(self, into: list[Redirection]) -> bool:
        """Take a redirection, if one is next."""
        match = _REDIRECTION.match(self._text, self._at)
        if match is None:
            return False
        number, kind = match.groups()
        if kind in ("<>", "<&"):
            raise Misread(f"`{kind}` is not known here")
        if self._text[match.end() : match.end() + 1] == "(":
            raise Misread(f"`{kind}(` is not known here: write to a file first")
        descriptor = int(number[:4]) if number else 0 if kind.startswith("<") else 1
        if descriptor > 2:
            raise Misread(f"there are the descriptors 0, 1 and 2 here, and no {number[:10]}")
        self._at = match.end()
        self._blanks()
        if kind in ("<<", "<<-"):
            into.append(self._here(descriptor, leaves_tabs=kind == "<<-"))
            return True
        target = self._word()
        if target is None:
            raise Misread(f"behind `{kind}` the name of a file is missing: found {self._found()}")
        if kind == ">&" and not (
            len(target) == 1 and isinstance(target[0], Text) and target[0].text in ("1", "2", "-")
        ):
            if number:
                raise Misread(f"`{number}>&` leads to 1 or 2")
            kind = "&>"
        if kind.startswith("&"):
            into.append(Redirection(1, kind[1:], target))
            into.append(Redirection(2, ">&", (Text("1"),)))
        else:
            into.append(Redirection(descriptor, ">" if kind == ">|" else kind, target))
        return True

    def _here(self, descriptor: int, *, leaves_tabs: bool) -> Redirection:
        start = self._at
        word = self._word()
        if word is None or not all(isinstance(part, Text) for part in word):
            raise Misread(f"behind `<<` the last line's text is missing: found {self._found()}")
        end = "".join(part.text for part in word if isinstance(part, Text))
        made = Redirection(descriptor, "<<")
        is_raw = any(mark in self._text[start : self._at] for mark in "'\"\\")
        self._awaited.append((made, end, is_raw, leaves_tabs))
        return made
