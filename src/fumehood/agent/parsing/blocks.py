"""A model's text in pieces: prose, reasoning, and blocks, whose ends are decided by what is Python.
The rules are told in parse.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal

from fumehood.agent.parsing.calls import is_json
from fumehood.agent.parsing.marks import (
    CLOSING,
    JSON_WORDS,
    PYTHON_WORD,
    REASONING_CLOSING,
    REASONING_OPENING,
    TAGS,
    Language,
)
from fumehood.agent.parsing.python import MAX_CODE, Judge, does_something, marks, tidied

MAX_TRIES: Final = 8
"""Ends of one block that are tried outside of what looks like strings and comments, and as many
again inside."""

MAX_MARKS: Final = 120_000
"""Marks in prose that one text may have. An answer with more is no answer."""

_LONGEST_LINE: Final = 2_000
"""How far a line is looked along. Fences stand at the beginning of short ones."""

_LONGEST_FENCE: Final = 100

_FLAGS: Final = re.IGNORECASE | re.MULTILINE


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text, from `start` to `end`, marks included. `code` is what a block holds,
    tidied."""

    kind: Literal["prose", "reasoning", "block"]
    start: int
    end: int
    code: str = ""
    language: Language = "other"
    word: str = ""
    """What the block calls its language."""
    is_python: bool = False
    is_inline: bool = False
    """Whether it is a part of a line of prose: a mention, unless there is no other code."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A mark that begins a block. `end` is where the content begins."""

    start: int
    end: int
    kind: Literal["fence", "tag"]
    language: Language
    word: str
    closing: re.Pattern[str]
    """Marks that may end the block."""
    own: re.Pattern[str]
    """Those of them that belong to it."""
    is_at_line: bool
    """Whether it begins a line. One that does not, and has no code behind it, is only spoken of."""


class TooManyMarks(Exception):
    """A text that is nothing but fences and tags."""


@dataclass(slots=True)
class Reader:
    """Cuts one text into pieces. The text has no carriage returns."""

    text: str
    tags: tuple[str, str] | None
    judge: Judge
    pieces: list[Piece] = field(default_factory=list)
    spoken_of: list[Piece] = field(default_factory=list)
    """What looked like a block, and is a part of the prose: it is not Python, and began within a
    line or has no end."""
    is_unfinished_thought: bool = False
    _reasoned_pieces: int = 0
    _prose: int = 0

    def read(self) -> list[Piece]:
        """Raises TooManyMarks."""
        opener = self._opener
        place = count = 0
        while (found := opener.search(self.text, place)) is not None:
            place = self._at(found)
            count += 1
            if count > MAX_MARKS:
                raise TooManyMarks
        self._prose_until(len(self.text))
        reasoned = [
            replace(piece, kind="reasoning") for piece in self.pieces[: self._reasoned_pieces]
        ]
        return reasoned + self.pieces[self._reasoned_pieces :]

    @property
    def _opener(self) -> re.Pattern[str]:
        return _opener(self.tags[0] if self.tags and not is_known(self.tags[0]) else None)

    @property
    def _ends(self) -> str:
        return f"{re.escape(self.tags[1])}|{_ENDS}" if self.tags else _ENDS

    def _at(self, found: re.Match[str]) -> int:
        """Deal with one mark. Gives where to go on."""
        if found["reason"]:
            return self._reasoning(found)
        if found["reasoned"]:
            return self._reasoned(found)
        opening = self._opening(found)
        if opening is None:
            return self._inline_fence(found) or found.end()
        if opening.language == "other":
            return self._other(opening)
        if self.judge.is_exhausted and not opening.is_at_line:
            return opening.end
        piece, is_closed = self._block(opening)
        is_block = (
            piece.is_python
            or opening.is_at_line
            and (is_closed or opening.language != "unsaid" or self.judge.is_exhausted)
        )
        if not is_block:
            if piece.code:
                self.spoken_of.append(piece)
            return opening.end
        return self._add(piece)

    def _add(self, piece: Piece) -> int:
        self._prose_until(piece.start)
        self.pieces.append(piece)
        self._prose = piece.end
        return piece.end

    def _prose_until(self, end: int) -> None:
        if end > self._prose:
            self.pieces.append(Piece("prose", self._prose, end))
            self._prose = end

    # -- reasoning

    def _reasoning(self, found: re.Match[str]) -> int:
        closed = _REASONED.search(self.text, found.end())
        if closed is None:
            if self._before(found.start()).strip():
                return found.end()  # spoken of, in the middle of a line
            self.is_unfinished_thought = True
        return self._add(
            Piece("reasoning", found.start(), len(self.text) if closed is None else closed.end())
        )

    def _reasoned(self, found: re.Match[str]) -> int:
        """The end of reasoning whose beginning was in the prompt: all that came before it was
        thought, code included."""
        if self.text[found.start() - 1 : found.start()] == "`":
            return found.end()  # spoken of
        self._prose_until(found.end())
        self._reasoned_pieces = len(self.pieces)
        self.spoken_of.clear()
        return found.end()

    # -- openings

    def _opening(self, found: re.Match[str]) -> Opening | None:
        opening = self._one_opening(found)
        # Marks inside of marks, <code> with a fence in it or the other way around, are one: the
        # innermost is what the code ends with.
        for _ in range(2):
            if opening is None or opening.language in ("json", "other"):
                break
            inner = self._opener.match(self.text, _skip_blanks(self.text, opening.end))
            nested = (
                None
                if inner is None or inner["reason"] or inner["reasoned"]
                else self._one_opening(inner)
            )
            if (
                nested is None
                or opening.kind == nested.kind == "fence"
                and nested.language == "unsaid"
            ):
                break  # a bare fence after a fence is its end
            language = (
                nested.language
                if nested.language == "other" or opening.language == "unsaid"
                else opening.language
            )
            opening = replace(
                nested,
                start=opening.start,
                language=language,
                is_at_line=opening.is_at_line or nested.is_at_line,
            )
        return opening

    def _one_opening(self, found: re.Match[str]) -> Opening | None:
        if found["fence"]:
            return self._fence(found)
        at_line = _is_start_of_line(self._before(found.start()))
        if found["custom"]:
            assert self.tags is not None
            own = re.escape(self.tags[1])
            return Opening(
                found.start(),
                found.end(),
                "tag",
                "python",
                "",
                *_patterns(f"{own}|{_ENDS}", own),
                at_line,
            )
        tag = TAGS[next(i for i in range(len(TAGS)) if found[f"tag{i}"] is not None)]
        said = _ATTRIBUTE_LANGUAGE.search(found[0])
        own = re.escape(tag.closing)
        closing = rf"{own}|`{{3,}}|{self._ends}"
        language = tag.language if said is None else _language(said[1])
        return Opening(
            found.start(),
            found.end(),
            "tag",
            language,
            said[1] if said else "",
            *_patterns(closing, own),
            at_line,
        )

    def _fence(self, found: re.Match[str]) -> Opening | None:
        fence = found["fence"]
        end = self._line_end(found.end())
        if end is None:
            return None
        info = self.text[found.end() : end]
        before = self._before(found.start())
        at_line = _is_start_of_line(before)
        if len(fence) > _LONGEST_FENCE or ("`" in info if fence[0] == "`" else not at_line):
            return None  # code within a line, or operators of Python
        # Not in the middle of a run: a long one that is still too short would else be tried from
        # each of its characters.
        own = (
            rf"(?<!`)`{{{len(fence)},}}"
            if fence[0] == "`"
            else rf"^[ \t]*~{{{len(fence)},}}[ \t]*$"
        )
        language, word, code = _info(info)
        begin = min(end + 1, len(self.text))
        if (
            code is not None
            and language != "other"
            and does_something(self.judge.tree(info[code:].strip()))
        ):
            begin = found.end() + code
        if not at_line and begin > end and info.strip() != word:
            return None  # words behind a fence that is spoken of
        start = (
            found.start() - len(before) if at_line else found.start()
        )  # the mark of a list's item goes with its block
        at_line = at_line or language == "python"
        return Opening(
            start, begin, "fence", language, word, *_patterns(f"{own}|{self._ends}", own), at_line
        )

    def _inline_fence(self, found: re.Match[str]) -> int:
        """```print(1)``` within a line. Gives where it ends, 0 if there is none."""
        fence = found["fence"]
        end = self._line_end(found.end())
        close = (
            -1
            if fence[0] != "`"
            else self.text.find(
                fence, found.end(), found.end() + _LONGEST_LINE if end is None else end
            )
        )
        if close < 0:
            return 0
        inside = self.text[found.end() : close]
        said = re.match(rf"(?:{PYTHON_WORD.pattern})[ \t]+", inside, re.IGNORECASE)
        code, tree = tidied(inside[said.end() if said else 0 :].strip(), self.judge)
        stop = close + len(fence)
        alone = (
            _is_start_of_line(self._before(found.start())) and not self._rest_of_line(stop).strip()
        )
        language: Language = "python" if said else "unsaid"
        return self._add(
            Piece(
                "block",
                found.start(),
                stop,
                code,
                language,
                "",
                tree is not None,
                not (alone and said),
            )
        )

    # -- ends

    def _other(self, opening: Opening) -> int:
        """A block of another language ends at its first mark, and is prose."""
        ends = opening.own.finditer(self.text, opening.end)
        found = next(
            (end for end in ends if opening.kind == "tag" or self._is_line_of_its_own(end)), None
        )
        stop, end = (len(self.text),) * 2 if found is None else found.span()
        return self._add(
            Piece(
                "block",
                opening.start,
                end,
                self.text[opening.end : stop].strip(),
                "other",
                opening.word,
            )
        )

    def _block(self, opening: Opening) -> tuple[Piece, bool]:
        """The block that begins there, and whether it has an end."""
        judged = self._judged_json if opening.language == "json" else self._judged
        found, code = self._best_end(opening, judged)
        stop, end = (len(self.text),) * 2 if found is None else (found.start(), self._after(found))
        text, is_python = code if code is not None else judged(opening, stop)
        is_one_line = "\n" not in self.text[
            opening.end : min(stop, opening.end + _LONGEST_LINE)
        ].strip("\n")
        alone = (
            _is_start_of_line(self._before(opening.start)) and not self._rest_of_line(end).strip()
        )
        inline = opening.kind == "tag" and is_one_line and not alone
        return (
            Piece(
                "block", opening.start, end, text, opening.language, opening.word, is_python, inline
            ),
            found is not None,
        )

    def _judged(self, opening: Opening, stop: int) -> tuple[str, bool]:
        raw = self.text[opening.end : stop]
        code, tree = tidied(
            _PART_OF_AN_END.sub("", raw) if stop == len(self.text) else raw, self.judge
        )
        return code, tree is not None

    def _judged_json(self, opening: Opening, stop: int) -> tuple[str, bool]:
        raw = self.text[opening.end : stop].strip()
        self.judge.attempts += 1
        self.judge.parsed += len(raw)
        return raw, not self.judge.is_exhausted and is_json(raw)

    def _best_end(
        self, opening: Opening, judged: Callable[[Opening, int], tuple[str, bool]]
    ) -> tuple[re.Match[str] | None, tuple[str, bool] | None]:
        """The end of a block, None for the end of the text; and the code, where it was found to be
        Python."""
        ends = _Ends()
        tries = 0
        for found, where in marks(self.text, opening.end, opening.closing, self.judge):
            outside = where == "outside"
            if tries < MAX_TRIES and (outside or opening.language == "json"):
                tries += 1
                code = judged(opening, found.start())
                if code[1]:
                    return found, code
            elif outside:
                break
            ends.note(
                found,
                outside,
                opening.own.match(found[0]) is None or self._is_line_of_its_own(found),
            )
            if found.start() - opening.end > MAX_CODE and True in ends.lines:
                return (
                    ends.likely,
                    None,
                )  # too long to be parsed: that it is outside of strings and comments has to do
        if (
            ends.last_hidden is not None
            and ends.first is None
            and self.text[ends.last_hidden.end() :].strip()
        ):
            # No end but in strings and comments: the block has none, and those are parts of it.
            # Unless nothing follows the last of them: then it stands behind a comment.
            code = judged(opening, len(self.text))
            if code[1]:
                return None, code
        for found in ends.hidden:
            code = judged(opening, found.start())
            if code[1]:
                return found, code
        if self.judge.is_exhausted:  # marks alone decide
            return (
                next(
                    (
                        end
                        for end in opening.closing.finditer(self.text, opening.end)
                        if self._is_line_of_its_own(end)
                    ),
                    None,
                ),
                None,
            )
        return ends.likely, None

    def _is_line_of_its_own(self, found: re.Match[str]) -> bool:
        if self._before(found.start()).strip():
            return False
        rest = _AFTER_END.sub("", self._rest_of_line(found.end())).strip()
        return not rest or self._begins_another(found)

    def _begins_another(self, found: re.Match[str]) -> bool:
        """Whether a fence that ends a block is also the beginning of the next one, as its line
        names a language."""
        if not found[0].startswith("`"):
            return False
        rest = self._rest_of_line(found.end())
        language, word, code = _info(rest)
        if language == "python":
            return code is None
        return (
            language != "unsaid"
            and rest.rstrip() == word
            and not self._before(found.start()).strip()
        )

    def _after(self, found: re.Match[str]) -> int:
        """Where the text goes on after an end. What begins something else is not a part of it."""
        return (
            found.start()
            if _REASONED.match(found[0]) or self._begins_another(found)
            else found.end()
        )

    # -- lines

    def _before(self, place: int) -> str:
        """What stands before a place on its line, or the last of it."""
        far = max(0, place - _LONGEST_LINE)
        return self.text[max(self.text.rfind("\n", far, place) + 1, far) : place]

    def _line_end(self, place: int) -> int | None:
        """Where the line ends; None if it goes on too far to be that of a fence."""
        end = self.text.find("\n", place, place + _LONGEST_LINE)
        return (
            end if end >= 0 else len(self.text) if len(self.text) <= place + _LONGEST_LINE else None
        )

    def _rest_of_line(self, place: int) -> str:
        end = self._line_end(place)
        return self.text[place : place + _LONGEST_LINE if end is None else end]


@dataclass(slots=True)
class _Ends:
    """What was seen of the marks that may end a block, of which there may be very many."""

    hidden: list[re.Match[str]] = field(default_factory=list)
    """The first of those in strings and comments."""
    last_hidden: re.Match[str] | None = None
    first: re.Match[str] | None = None
    """The first outside of strings and comments."""
    lines: dict[bool, re.Match[str]] = field(default_factory=dict)
    """The first that has a line of its own, outside of strings and comments and inside."""

    def note(self, found: re.Match[str], outside: bool, is_line: bool) -> None:
        if is_line:
            self.lines.setdefault(outside, found)
        if outside:
            self.first = self.first or found
            return
        self.last_hidden = found
        if len(self.hidden) < MAX_TRIES:
            self.hidden.append(found)

    @property
    def likely(self) -> re.Match[str] | None:
        """The end of a block that is Python nowhere."""
        return self.lines.get(True) or self.lines.get(False) or self.first


_REASONED: Final = re.compile(REASONING_CLOSING, re.IGNORECASE)
_ENDS: Final = rf"{CLOSING}|{REASONING_CLOSING}"
_AFTER_END: Final = re.compile(_ENDS, _FLAGS)
_PART_OF_AN_END: Final = re.compile(
    r"(?:\n[ \t]*`{1,2}|</[a-z_]{0,20}|<\|[a-z_]{0,20}\|?)\s*\Z", re.IGNORECASE
)
"""What a stop sequence or a limit of tokens leaves of an end."""

_BLANKS: Final = re.compile(r"\s{0,50}")
_LIST_ITEM: Final = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,4}[.)])[ \t]+)?")


def _skip_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _is_start_of_line(before: str) -> bool:
    found = _LIST_ITEM.match(before)
    return found is not None and found.end() == len(before)


@lru_cache(maxsize=64)
def _opener(custom: str | None) -> re.Pattern[str]:
    """What may begin a block or reasoning. The group says which it is."""
    own = re.escape(custom) if custom else r"(?!)"
    tags = "|".join(f"(?P<tag{i}>{tag.opening})" for i, tag in enumerate(TAGS))
    fences = r"(?P<fence>`{3,}|~{3,})"
    return re.compile(
        rf"(?P<custom>{own})|{fences}|(?P<reason>{REASONING_OPENING})|(?P<reasoned>{REASONING_CLOSING})|{tags}",
        _FLAGS,
    )


def is_known(mark: str) -> bool:
    """Whether a mark that a caller names begins blocks in any case."""
    return _opener(None).match(mark.strip()) is not None


@lru_cache(maxsize=256)
def _patterns(closing: str, own: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(closing, _FLAGS), re.compile(own, _FLAGS)


# -- what stands behind a fence

_WORD: Final = re.compile(r"[ \t]*(?:\{[ \t]*\.?)?([A-Za-z_][\w+#.-]*)(?=[ \t]|$|[{:,;}])")
# No text may fit an attribute in two ways: a long line of those would take for ever.
_ATTRIBUTE: Final = (
    r"""(?:\{[^}\n]*\}|:[^\s,;}]+|[\w.-]+(?:=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'(),;}]+))?)"""
)
_ATTRIBUTES: Final = re.compile(rf"[ \t,;}}]*(?:{_ATTRIBUTE}[ \t,;}}]+)*(?:{_ATTRIBUTE})?")
_ATTRIBUTE_LANGUAGE: Final = re.compile(
    r"(?:lang|language|class|type)[ \t]*=[ \t]*[\"']?(?:language-|text/x-)?([\w+#-]+)",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(r"(?<=[a-z])[\d.]+$", re.IGNORECASE)


def _language(word: str) -> Language:
    if PYTHON_WORD.fullmatch(word) or PYTHON_WORD.fullmatch(_VERSION.sub("", word)):
        return "python"
    return "json" if word.lower() in JSON_WORDS else "other"


def _info(info: str) -> tuple[Language, str, int | None]:
    """The language, the word for it, and where code begins on this line: None if the rest is
    attributes or nothing."""
    info = info.rstrip()
    word = _WORD.match(info)
    rest = 0 if word is None else word.end()
    language: Language = "unsaid" if word is None else _language(word[1])
    code = None if _ATTRIBUTES.fullmatch(info, rest) else rest
    return language, "" if word is None else word[1], code
