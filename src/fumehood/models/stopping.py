"""Stop sequences, kept by us: servers forget them, refuse them, or send them along; an answer never
holds one.

Text arrives in pieces, and a stop sequence may be spread over several. So the end of what has
arrived is held back for as long as it may be the beginning of a stop sequence. The same holds for
the first half of a character that JSON writes as two.
"""

from __future__ import annotations

from collections.abc import Sequence


def cut(text: str, stop_sequences: Sequence[str]) -> str:
    """The text up to the first place where one of the stop sequences begins."""
    places = [place for stop in stop_sequences if stop and (place := text.find(stop)) >= 0]
    return text[: min(places)] if places else text


def encodable(text: str) -> str:
    """The text with a replacement for every half character: a model can write those, and nothing
    can be sent with them in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class Cutter:
    """Text in pieces, up to the first stop sequence and no longer than `longest`. What has been let
    through is in `text`."""

    def __init__(self, stop_sequences: Sequence[str], longest: int) -> None:
        self._stops = [stop for stop in stop_sequences if stop]
        self._reach = max(map(len, self._stops), default=1) - 1
        self._room = longest
        self._held = ""
        self._pieces: list[str] = []
        self.ended_by: str | None = None
        """Why no more is let through, in the words that servers use: "stop", "length"."""

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def feed(self, piece: str) -> str:
        """What of the text so far is certain to be part of the answer, and was not given before."""
        if self.ended_by is not None:
            return ""
        known = self._held + piece
        kept = cut(known, self._stops)
        if len(kept) < len(known):
            self._held = ""
            self.ended_by = "stop"
            return self._let_through(kept)
        hold = self._to_hold(known)
        self._held = known[len(known) - hold :]
        return self._let_through(known[: len(known) - hold])

    def finish(self) -> str:
        """There is no more: what was held back is part of the answer."""
        held, self._held = self._held, ""
        return self._let_through(held)

    def _to_hold(self, known: str) -> int:
        """How many of the last characters may be the beginning of a stop sequence, or half a
        character."""
        for size in range(min(self._reach, len(known)), 0, -1):
            if any(known.endswith(stop[:size]) for stop in self._stops if len(stop) > size):
                return size
        return int("\ud800" <= known[-1:] <= "\udbff")

    def _let_through(self, text: str) -> str:
        text = encodable(text)
        if len(text) > self._room:
            text = text[: self._room]
            self.ended_by = "length"
        self._room -= len(text)
        if text:
            self._pieces.append(text)
        return text
