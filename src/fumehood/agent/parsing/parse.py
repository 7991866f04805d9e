"""From a model's text to the code that is run.

What is code, in this order:

 1. a text that is nothing but Python: it calls, assigns, defines or imports something. Prose can be
 Python by accident (`Answer: 42`);
 2. blocks that say they are Python: fences with a word for it (marks.py has the words), and tags
 such as <code>;
 3. blocks that say nothing, those that are Python; if none is, all of them, and the executor tells
 the model what is wrong with them.
    One that follows a line such as "Output:" is what the model thinks its code prints;
 4. a block of JSON, if it is the only one, or a text that is JSON: a call of a tool that has code
 among its arguments;
 5. what follows "Code:" at the beginning of a line, if it is Python; code within a line of prose,
 unless it is no more than a name;
 6. blocks that are not Python and began within a line or have no end.

Several blocks of one kind are one program, in their order, with a blank line between. What is in
<think> is thought and never run.

Where a block ends. A mark that ends blocks may be a part of the code: in a string, in a comment.
Python has no backtick and no `</` outside of these. So the text is read as Python, and the first
end mark outside of strings and comments up to which the block parses (`ast.parse`) is its end. If
there is none, it is the first such mark inside: what looked like a string was something else. If
the block does not parse at any of them, it is broken, and ends at the first end mark that has a
line of its own, or else at the first. A block without an end goes on to the end of the text: the
model was stopped.

What this costs. For each block at most MAX_TRIES ends outside of strings and comments are parsed,
and as many inside; for a whole text the parser is asked at most MAX_ATTEMPTS times, about
MAX_PARSED characters or the text TIMES_OVER. After that marks alone decide: a block ends at the
first end mark that has a line of its own. A block of more than MAX_CODE characters is read for
strings and comments and not parsed. A text with more than MAX_MARKS marks is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fumehood.agent.parsing.advice import Advice
from fumehood.agent.parsing.blocks import Piece, Reader, TooManyMarks
from fumehood.agent.parsing.calls import call_in_json, code_in_json
from fumehood.agent.parsing.marks import (
    LABELLED_CODE,
    LABELLED_OUTPUT,
    MARKER,
    REASONING_CLOSING,
    REASONING_OPENING,
)
from fumehood.agent.parsing.python import (
    BLANK,
    MAX_CODE,
    Judge,
    does_something,
    is_mere_name,
    tidied,
)

_REASONING_TAG: Final = re.compile(f"{REASONING_OPENING}|{REASONING_CLOSING}", re.IGNORECASE)
_GAPS: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a model wrote: `thought` is the prose, `code` what is to be run."""

    thought: str
    code: str


def parse(text: str, code_block_tags: tuple[str, str] | None = None) -> Parsed:
    """The thought and the code in a model's text. Raises AgentParsingError, whose text tells the
    model what to write instead.

    `code_block_tags` are marks, opening and closing, that set off code in addition to all those
    that are known.
    """
    return _Parsing(text, code_block_tags).parsed()


def parse_code_blobs(text: str, code_block_tags: tuple[str, str] | None = None) -> str:
    """The code in a model's text. Raises AgentParsingError, whose text tells the model what to
    write instead."""
    return parse(text, code_block_tags).code


class _Parsing:
    def __init__(self, text: str, tags: tuple[str, str] | None) -> None:
        if tags is not None and (
            len(tags) != 2 or not all(isinstance(tag, str) and tag.strip() for tag in tags)
        ):
            raise ValueError(
                f"code_block_tags are two texts, what begins code and what ends it, not {tags!r}"
            )
        self.text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        self.tags = tags
        self.judge = Judge(len(self.text))
        self.advice = Advice(tags)

    def parsed(self) -> Parsed:
        if not self.text.strip(BLANK):
            raise self.advice.empty()
        self.is_long = len(self.text) > MAX_CODE
        if not self.is_long:
            code, tree = tidied(self.text, self.judge)
            if does_something(tree):
                return Parsed("", code)
            call = self._from_json(self.text, "")
            if call is not None:
                return call
        self.reader = Reader(self.text, self.tags, self.judge)
        try:
            self.pieces = self.reader.read()
        except TooManyMarks:
            raise self.advice.too_many_marks() from None
        self.blocks = [piece for piece in self.pieces if piece.kind == "block"]
        chosen = self._chosen()
        if chosen:
            return Parsed(self._thought(chosen), "\n\n".join(piece.code for piece in chosen))
        return (
            self._in_json()
            or self._labelled()
            or self._inline()
            or self._spoken_of()
            or self._nothing()
        )

    # -- which blocks are code

    def _chosen(self) -> list[Piece]:
        whole = [
            piece
            for piece in self.blocks
            if piece.code and not piece.is_inline and not self._is_output(piece)
        ]
        said = [piece for piece in whole if piece.language == "python"]
        if said:
            return said
        unsaid = [piece for piece in whole if piece.language == "unsaid"]
        if (
            len(self.blocks) == 1
            and unsaid
            and (code_in_json(unsaid[0].code) or call_in_json(unsaid[0].code))
        ):
            return []
        return [piece for piece in unsaid if piece.is_python] or unsaid

    def _is_output(self, piece: Piece) -> bool:
        """Whether a block is what the model thinks that its code prints: a line says so, and it
        does nothing."""
        if not LABELLED_OUTPUT.search(self.text[max(0, piece.start - 200) : piece.start]):
            return False
        tree = self.judge.tree(piece.code)
        return piece.language != "python" if tree is None else not does_something(tree)

    def _in_json(self) -> Parsed | None:
        if len(self.blocks) == 1:
            return self._from_json(self.blocks[0].code, self._thought(self.blocks))
        return (
            None
            if self.is_long or self.blocks
            else self._from_json(self._thought([], keeps_reasoning=False), self._reasoning())
        )

    def _from_json(self, text: str, thought: str) -> Parsed | None:
        found = code_in_json(text)
        code = "" if found is None else self._unwrapped(found[1])
        return (
            Parsed("\n\n".join(filter(None, (thought, found[0].strip()))), code)
            if found and code
            else None
        )

    def _unwrapped(self, code: str) -> str:
        """Code from JSON, which may have a fence around it all the same."""
        made, tree = tidied(code.replace("\r\n", "\n").replace("\r", "\n"), self.judge)
        if tree is not None:
            return made
        try:
            pieces = Reader(made, self.tags, self.judge).read()
        except TooManyMarks:
            pieces = []
        inside = [piece for piece in pieces if piece.kind == "block" and piece.language == "python"]
        return "\n\n".join(piece.code for piece in inside) or made

    def _labelled(self) -> Parsed | None:
        if self.is_long:
            return None
        prose = self._thought([], keeps_reasoning=False, keeps_markers=True)
        places = [0, *(found.end() for found in LABELLED_CODE.finditer(prose))]
        for place in (places[-1], 0):
            code, tree = tidied(_without_end(prose[place:]), self.judge)
            if does_something(tree):
                thought = _tidied_prose(prose[:place])
                return Parsed("\n\n".join(filter(None, (self._reasoning(), thought))), code)
        return None

    def _inline(self) -> Parsed | None:
        inline = [
            piece for piece in self.blocks if piece.is_inline and piece.is_python and piece.code
        ]
        alone = len(self.pieces) == 1
        found = [
            piece
            for piece in inline
            if (piece.language == "python" or alone)
            and (tree := self.judge.tree(piece.code)) is not None
            and not is_mere_name(tree)
        ]
        return (
            Parsed(self._thought(found), "\n\n".join(piece.code for piece in found))
            if found
            else None
        )

    def _spoken_of(self) -> Parsed | None:
        for piece in self.reader.spoken_of:
            if piece.language != "json":
                rest = self.text[: piece.start] + "\n" + self.text[piece.end :]
                return Parsed(_tidied_prose(_REASONING_TAG.sub("", rest)), piece.code)
        return None

    def _nothing(self) -> Parsed:
        if self.reader.is_unfinished_thought:
            raise self.advice.unfinished_thought()
        if any(
            piece.kind == "block" and piece.language in ("python", "unsaid") and not piece.code
            for piece in self.pieces
        ):
            raise self.advice.empty_block()
        prose = self._thought([], keeps_reasoning=False)
        if not prose:
            raise self.advice.only_drafts()
        calls = [piece.code for piece in self.blocks if call_in_json(piece.code)]
        raise self.advice.no_code(
            calls[0] if calls else prose, [piece.word for piece in self.blocks if piece.word]
        )

    # -- the thought

    def _thought(
        self, code: list[Piece], *, keeps_reasoning: bool = True, keeps_markers: bool = False
    ) -> str:
        """All that is not among these blocks. Blocks that are not code stay as they are; reasoning
        loses its tags."""
        left_out = {piece.start for piece in code}
        parts = []
        for piece in self.pieces:
            raw = self.text[piece.start : piece.end]
            if piece.kind == "reasoning":
                parts.append(_REASONING_TAG.sub("", raw) if keeps_reasoning else "")
            elif piece.kind == "prose":
                parts.append(raw if keeps_markers else MARKER.sub("", raw))
            elif piece.start not in left_out and (piece.code or piece.language == "other"):
                parts.append(raw)
        whole = "".join(parts)
        return whole if keeps_markers else _GAPS.sub("\n\n", whole).strip(BLANK)

    def _reasoning(self) -> str:
        parts = [
            self.text[piece.start : piece.end] for piece in self.pieces if piece.kind == "reasoning"
        ]
        return _REASONING_TAG.sub("", "\n\n".join(parts)).strip(BLANK)


def _tidied_prose(text: str) -> str:
    return _GAPS.sub("\n\n", MARKER.sub("", text)).strip(BLANK)


def _without_end(text: str) -> str:
    """Code that no mark began, without the marks that are left over around it."""
    lines = text.split("\n")
    whole = [n for n, line in enumerate(lines) if MARKER.sub("", line).strip(BLANK + "`")]
    if not whole:
        return ""
    return "\n".join([*lines[whole[0] : whole[-1]], MARKER.sub("", lines[whole[-1]]).rstrip("`")])
