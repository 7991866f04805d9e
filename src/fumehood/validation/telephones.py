"""Telephone numbers: as they are written for abroad, in a few countries' own ways, and anything
plausible after a word that says so."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from fumehood.validation.nearby import (
    Span,
    has_edges,
    is_among_numbers,
    is_called_otherwise,
    near_before,
)

_NOT_DIGITS = re.compile(r"\D")

_CODES = frozenset(
    "1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63"
    " 64 65 66 81 82 84 86 90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227"
    " 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245 248 249 250 251 252"
    " 253 254 255 256 257 258 260 261 262 263 264 265 266 267 268 269 297 298 299 350 351 352 353"
    " 354 355 356 357 358 359 370 371 372 373 374 375 376 377 378 380 381 382 383 385 386 387 389"
    " 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599"
    " 670 672 673 674 675 676 677 678 679 680 682 685 686 687 689 691 692 850 852 853 855 856 880"
    " 886 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975976 977 992 993 994 995"
    " 996 998".split()
)
"""Codes of countries, as they follow the plus."""

_INTERNATIONAL = re.compile(r"\+\d(?:(?:[ .\-/\u00a0\u2011]|\)[ \-]?|[ \-]?\()?\d){6,14}(?!\d)")
_LOCAL_FORMS: tuple[tuple[frozenset[str], str, str], ...] = (
    (
        frozenset({"US", "CA"}),
        r"(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])[2-9]\d{2}[-.]\d{4}",
        "(415) 555-2671, 415-555-2671",
    ),
    (frozenset({"UK"}), r"\(?0[127]\d{2,4}\)? \d{3,4} ?\d{3,4}", "020 7946 0958, 07700 900123"),
    (frozenset({"FR"}), r"0[1-9](?:([ .])\d{2})(?:\1\d{2}){3}", "01 23 45 67 89"),
)
"""Ways to write a number that tell without a word: where, how, an example. Others need a word
before them."""


@functools.cache
def _local_forms(regions: frozenset[str]) -> re.Pattern[str] | None:
    forms = [form for countries, form, _example in _LOCAL_FORMS if countries & regions]
    return re.compile("|".join(forms)) if forms else None


_PHONE_WORDS = re.compile(
    r"(?i)(?<![a-z])(?:tel|telephone|telefon\w*|telef|t[ée]l[ée]phone|t[ée]l|tlf"
    r"|phones?|phone[ _-]?(?:no|nr|num|number)|handy\w*|mobil\w*|cell|cellular|fax"
    r"|whats ?app|sms|m[óo]vil|celular|portable|gsm|hotline|rufnummer|電話|电话|전화)(?:["
    r" _-]?(?:no|nr|num|number))?(?![a-z])"
)
_WEAK_PHONE_WORDS = re.compile(
    r"(?i)(?<![a-z])(?:call|dial|ring|contact|reach|anruf\w*|appele[rz]|llam\w+)(?![a-z])"
)
"""Words that speak of telephones only together with a number that is written in groups."""
_HINTS = (
    "tel tél tlf phone handy mobil cell fax whats sms movil móvil celular portable gsm hotline"
    " rufnummer 電話 电话 전화 call dial ring contact reach anruf appel llam"
).split()
"""How those words begin: one of these must be in a text before they are looked for near every
number."""


def is_phone_word(name: str) -> bool:
    return bool(_PHONE_WORDS.search(name))


def speaks_of_telephones(lowered: str) -> bool:
    return any(map(lowered.__contains__, _HINTS))


_SOME_NUMBER = re.compile(
    r"\(?\d(?:(?:[ .\-/\u00a0\u2011\u2013]|\)[ \-]?|[ \-]?\()?\d){6,14}+(?!\d)"
)


def phones(
    text: str, start: int, end: int, regions: frozenset[str], is_named: bool = True
) -> Iterator[Span]:
    """Numbers in one run of digits. `is_named`: whether the text speaks of telephones at all."""
    if text[start] == "+":
        found = _INTERNATIONAL.match(text, start, end)
        if found and _is_international(text, found) and not text[start - 1 : start].isalnum():
            yield found.span()
        return
    forms = _local_forms(regions)
    for found in forms.finditer(text, start, end) if forms else ():
        if (
            has_edges(text, *found.span())
            and not is_called_otherwise(text, found.start())
            and not is_among_numbers(text, *found.span())
        ):
            yield found.span()
    for some in _SOME_NUMBER.finditer(text, start, end) if is_named else ():
        first, number = some.start(), some[0]
        if not _is_plausible(number) or not has_edges(text, *some.span()):
            continue
        is_grouped = not number.isdigit() and "." not in number
        said = (
            near_before(_PHONE_WORDS, text, first)
            or is_grouped
            and near_before(_WEAK_PHONE_WORDS, text, first)
        )
        if said and not is_called_otherwise(text, first):
            yield some.span()


def _is_international(text: str, found: re.Match[str]) -> bool:
    digits = _NOT_DIGITS.sub("", found[0])
    if not 8 <= len(digits) <= 15 or not any(digits[:n] in _CODES for n in (1, 2, 3)):
        return False
    if text[found.end() : found.end() + 1].isalpha() or re.match(
        r"\.\d", text[found.end() : found.end() + 2]
    ):
        return False
    if near_before(_PHONE_WORDS, text, found.start()):
        return True
    # A signed number: +12345678.9, or one of a column of them.
    is_bare = len(digits) + 1 == len(found[0])
    if is_bare and (
        len(digits) < 10
        or _SIGNED.search(text, max(found.start() - 40, 0), min(found.end() + 40, len(text)))
    ):
        return False
    return found[0].count(".") != 1 or len(found[0]) - len(digits) > 2


_SIGNED = re.compile(r"(?:^|\s)-\d")


_YEARS = re.compile(r"(?:19|20)\d\d[-./](?:\d\d[-./]\d\d(?:[ .].*)?|(?:19|20)\d\d)")


def _is_plausible(number: str) -> bool:
    digits = _NOT_DIGITS.sub("", number)
    if not 7 <= len(digits) <= 13 or len(set(digits)) < 3 or _YEARS.fullmatch(number):
        return False
    return "." not in number or (" " not in number and number.count(".") > 1 and len(digits) > 8)
