"""Numbers of payment cards and bank accounts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from fumehood.validation import checksums
from fumehood.validation.nearby import Span, is_among_numbers, is_called_otherwise, near

_NOT_DIGITS = re.compile(r"\D")

_CARD = re.compile(
    r"(?<![A-Za-z0-9])(?<![0-9A-Za-z][.\-])(?:\d{14,19}"
    r"|\d{4}([ \-\u00a0])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ \-\u00a0])\d{6}\2\d{4,5})"
    r"(?![A-Za-z0-9])(?!\.\d|-[0-9A-Za-z])"
)
_CARD_WORDS = re.compile(
    r"(?i)card|karte|carte|tarjeta|cart[ãa]o|carta|kaart|visa|master"
    r"|amex|american express|diners|discover|jcb|maestro|pan\b|cc\b|cvv|cvc|payment"
)
_CARD_HINTS = (
    "card kart cart tarjeta kaart visa master amex american diners discover jcb maestro pan cc cvv"
    " cvc payment".split()
)
_MANY = 4
"""So many numbers of one form in a text can be judged together: if few of them are cards, none is
one."""


def is_card_word(name: str) -> bool:
    return bool(_CARD_WORDS.search(name))


def cards(text: str, runs: Iterable[Span], lowered: str) -> Iterator[Span]:
    """Cards in runs of digits. Words that name them are looked for in all of the text before they
    are looked for near every number."""
    is_named = any(map(lowered.__contains__, _CARD_HINTS))
    candidates: list[tuple[Span, str, bool]] = []
    seen: Counter[tuple[int, bool]] = Counter()
    right: Counter[tuple[int, bool]] = Counter()
    for start, end in runs:
        if end - start < 14:
            continue
        for found in _CARD.finditer(text, start, min(end + 2, len(text))):
            digits = _NOT_DIGITS.sub("", found[0])
            form = (len(digits), digits == found[0])
            seen[form] += 1
            if checksums.payment_card(digits) and found.end() <= end:
                right[form] += 1
                candidates.append((found.span(), digits, form[1]))
    for (start, end), digits, is_bare in candidates:
        form = (len(digits), is_bare)
        if is_named and near(_CARD_WORDS, text, start, end):
            yield start, end
        elif (
            seen[form] >= _MANY and right[form] * 2 < seen[form] or is_called_otherwise(text, start)
        ):
            continue
        elif is_bare or seen[form] >= _MANY or not is_among_numbers(text, start, end):
            yield start, end


def iban_at(text: str, start: int, end: int) -> Span | None:
    """An IBAN that begins there: as many characters as its country's have, whatever follows."""
    if start and text[start - 1].isalnum():
        return None
    length = checksums.IBAN_LENGTHS.get(text[start : start + 2])
    if length is None:
        return None
    plain: list[str] = []
    place = start
    while len(plain) < length and place < len(text) and place - start < 48:
        c = text[place]
        if c.isascii() and c.isalnum():
            plain.append(c)
        elif c not in " -\u00a0":
            break
        place += 1
    if (
        len(plain) < length
        or text[place : place + 1].isalnum()
        or not checksums.iban("".join(plain))
    ):
        return None
    return start, place
