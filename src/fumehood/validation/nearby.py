"""What stands around a number: a word that names it, a word that calls it something else, other
numbers."""

from __future__ import annotations

import re

Span = tuple[int, int]

_BEFORE, _AFTER = 160, 32
"""How far from a number a word that names it may be, in characters."""

_OTHER = re.compile(
    r"(?i)(?:(?<![a-z])|_)(?:id|uuid|guid|order|invoice|sku|part|isbn|issn|ean|gtin|upc|barcode|serial|ref|reference|ticket|tracking|version|build"
    r"|commit|hash|timestamp|ts|time|epoch|seq|sequence|offset|seed|lot|batch|model|product|item|article|doi|pmid|port|transaction|txn|trace|span"
    r"|request|session|record|row|asset|job|event|message|msg|device|sensor"
    r"|container|shipment|parcel|range)s?(?:[ _-]?(?:no|nr|num|number|id|code|key))?"
    r"\.?[\"']?\s{0,2}[:=#]?\s{0,3}[\"'#(\[]?$"
)
"""Before a number: it is called something else."""


_TAG = re.compile(r"<[^<>]{0,200}>\s*")


def near(words: re.Pattern[str], text: str, start: int, end: int) -> bool:
    """Whether such a word stands near. The tags of HTML do not count as distance: the head of a
    column may be far above."""
    if words.search(text, max(start - _BEFORE, 0), start) or words.search(text, end, end + _AFTER):
        return True
    before = text[max(start - _BEFORE * 8, 0) : start]
    return "</" in before and bool(words.search(_TAG.sub(" ", before)[-_BEFORE:]))


def is_called_otherwise(text: str, start: int) -> bool:
    """Whether the word right before a number says that it is something else."""
    return bool(_OTHER.search(text[max(start - 32, 0) : start].rpartition("\n")[2]))


def near_before(words: re.Pattern[str], text: str, start: int) -> bool:
    """A word in the same line, or else in a heading: a line or two above."""
    return bool(words.search(text, max(start - 60, 0), start))


_NUMBER_BEFORE = re.compile(r"[\d\])][ ,]{1,4}$|\[ {0,6}$")
_NUMBER_AFTER = re.compile(r"[ ,]{1,4}[\d\[(]| {0,6}\]")


def is_among_numbers(text: str, start: int, end: int) -> bool:
    """Four numbers of four digits in a row of numbers."""
    return bool(
        _NUMBER_BEFORE.search(text[max(start - 8, 0) : start]) or _NUMBER_AFTER.match(text, end)
    )


def has_edges(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if before[-1:].isalnum() or after[:1].isalnum() or before[-1:] == "_" or after[:1] == "_":
        return False
    joined = "-./:"
    return not (before[-1:] in joined and before[:1].isalnum() and before[-1:] != ":") and not (
        after[:1] in joined and after[1:].isalnum() and after[:1]
    )
