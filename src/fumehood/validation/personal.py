"""PersonalData: e-mail addresses, telephone numbers, payment cards, bank accounts, national ids.

Text is read once for runs of digits, and everything that is a number is looked for only there: most text has few. What a number is
called decides much. A word that names the kind makes up for a form that tells nothing; a word that names something else (an order, a
version, an id) speaks against a number that only happens to pass the check.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from fumehood.validation import checksums
from fumehood.validation.identities import IDENTITIES, Identity
from fumehood.validation.validators import PLACES, Action, Match, Validator

LABELS: dict[str, str] = {
    "email": "e-mail",
    "phone": "phone number",
    "card": "payment card",
    "iban": "IBAN",
    **{row.kind: row.label for row in IDENTITIES},
}
"""The kinds, by the names that `kinds=` and `actions=` take, with what stands in their place."""

_BEFORE, _AFTER = 160, 32
"""How far from a number a word that names it may be, in characters."""

Span = tuple[int, int]

_DIGITS = re.compile(r"[\d+(](?:[ .\-/()\u00a0\u2011\u2013]{0,2}\d){6,}+[A-Z]?")
_LETTERED = re.compile(r"[A-Z]{1,6}[ -]?\d[A-Z\d](?:[A-Z\d]|[ -](?=[A-Z\d])){4,40}+")
_HETU = re.compile(r"\d{6}[-+A]\d{3}[0-9A-Y]")
_MIXED = frozenset({"uk_nino", "it_codice_fiscale", "mx_curp", "sg_nric", "es_dni", "in_pan"})
"""Ids that may begin with letters."""

_OTHER = re.compile(
    r"(?i)(?:(?<![a-z])|_)(?:id|uuid|guid|order|invoice|sku|part|isbn|issn|ean|gtin|upc|barcode|serial|ref|reference|ticket|tracking|version|build"
    r"|commit|hash|timestamp|ts|time|epoch|seq|sequence|offset|seed|lot|batch|model|product|item|article|doi|pmid|port|transaction|txn|trace|span"
    r"|request|session|record|row|asset|job|event|message|msg|device|sensor|container|shipment|parcel|range)s?(?:[ _-]?(?:no|nr|num|number|id|code|key))?"
    r"\.?[\"']?\s{0,2}[:=#]?\s{0,3}[\"'#(\[]?$"
)
"""Before a number: it is called something else."""


class PersonalData(Validator):
    """Data that belongs to a person. `kinds` and `countries` choose what is looked for: `kinds=("email", "card")`, `countries=("US", "DE")`
    (national ids and national ways to write telephone numbers; all, if not given). `actions` gives kinds an action of their own:
    `PersonalData(actions={"email": "report", "phone": "allow"})`."""

    name = "PersonalData"
    reads_all = True
    least = 6

    def __init__(
        self,
        action: Action = "redact",
        *,
        kinds: Iterable[str] | None = None,
        countries: Iterable[str] | None = None,
        actions: Mapping[str, Action] | None = None,
        where: Iterable[str] | str = tuple(PLACES),
    ) -> None:
        chosen = frozenset(LABELS if kinds is None else (kinds,) if isinstance(kinds, str) else kinds)
        for kind in (*chosen, *(actions or {})):
            if kind not in LABELS:
                raise ValueError(f"PersonalData: there is no kind {kind!r}; there are {', '.join(LABELS)}")
        known = {row.country for row in IDENTITIES}
        allowed = known if countries is None else {c.upper() for c in ((countries,) if isinstance(countries, str) else countries)}
        allowed = {"UK" if c == "GB" else c for c in allowed}
        if allowed - known:
            raise ValueError(
                f"PersonalData: there are no rows for {', '.join(sorted(allowed - known))}; there are some for {', '.join(sorted(known))}"
            )
        super().__init__(action, where, {LABELS[kind]: given for kind, given in (actions or {}).items()})
        self.kinds = frozenset(kind for kind in chosen if self.action_for(LABELS[kind]) != "allow")
        rows = [row for row in IDENTITIES if row.kind in self.kinds and row.country in allowed]
        self._by_digits = [row for row in rows if row.kind not in _MIXED | {"fi_hetu"} or row.kind == "es_dni"]
        self._hetu = [row for row in rows if row.kind == "fi_hetu"]
        self._by_letters = [row for row in rows if row.kind in _MIXED]
        self._regions = frozenset(allowed)

    def find(self, text: str, where: str) -> Iterator[Match]:
        if "email" in self.kinds and "@" in text:
            for start, end in emails(text):
                yield Match(start, end, LABELS["email"])
        runs = [found.span() for found in _DIGITS.finditer(text)]
        if runs:
            yield from self._numbers(text, runs)
        for row in self._hetu:
            for found in _HETU.finditer(text):
                yield from _of_row(row, text, *found.span())
        if self._by_letters or "iban" in self.kinds:
            for found in _LETTERED.finditer(text):
                yield from self._lettered(text, *found.span())

    def _numbers(self, text: str, runs: list[Span]) -> Iterator[Match]:
        if "card" in self.kinds:
            for start, end in cards(text, runs):
                yield Match(start, end, LABELS["card"])
        # Words are looked for in all of the text before they are looked for near every number.
        lowered = text.lower()
        rows = [row for row in self._by_digits if row.written is not None or any(map(lowered.__contains__, row.hints))]
        for start, end in runs:
            if _is_table_of_decimals(text, start, end):
                continue
            if "phone" in self.kinds:
                for first, last in phones(text, start, end, self._regions):
                    yield Match(first, last, LABELS["phone"])
            if end - start >= _SHORTEST_ID:
                for row in rows:
                    yield from _of_row(row, text, start, end)

    def _lettered(self, text: str, start: int, end: int) -> Iterator[Match]:
        if "iban" in self.kinds:
            found = iban_at(text, start, end)
            if found:
                yield Match(*found, LABELS["iban"])
        for row in self._by_letters:
            yield from _of_row(row, text, start, end)


def _of_row(row: Identity, text: str, start: int, end: int) -> Iterator[Match]:
    for found in row.regex.finditer(text, max(start - 1, 0), min(end + 2, len(text))):
        plain = _SEPARATORS.sub("", found[0]) if row.kind != "fi_hetu" else found[0]
        if not row.check(plain):
            continue
        is_written = row.written is not None and bool(row.written.match(found[0]))
        if (is_written and not is_called_otherwise(text, found.start())) or near(row.words, text, *found.span()):
            yield Match(*found.span(), row.label)


_SHORTEST_ID = 8
_SEPARATORS = re.compile(r"[ .\-/+]")
_DECIMALS = re.compile(r"[+(]?\d{1,6}(?:\.\d{1,20})?(?:[ \-]{1,2}\d{1,7}\.\d{1,20})+")


def _is_table_of_decimals(text: str, start: int, end: int) -> bool:
    """Most runs of digits are rows of decimal numbers, and none of those is anybody's."""
    return bool(_DECIMALS.fullmatch(text, start, end))


_TAG = re.compile(r"<[^<>]{0,200}>\s*")


def near(words: re.Pattern[str], text: str, start: int, end: int) -> bool:
    """Whether such a word stands near. The tags of HTML do not count as distance: the head of a column may be far above."""
    if words.search(text, max(start - _BEFORE, 0), start) or words.search(text, end, end + _AFTER):
        return True
    before = text[max(start - _BEFORE * 8, 0) : start]
    return "</" in before and bool(words.search(_TAG.sub(" ", before)[-_BEFORE:]))


def is_called_otherwise(text: str, start: int) -> bool:
    """Whether the word right before a number says that it is something else."""
    return bool(_OTHER.search(text[max(start - 32, 0) : start].rpartition("\n")[2]))


# -- e-mail ------------------------------------------------------------------------------------------------------------------------------

_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-äöüßéèñçåøæÄÖÜÉ"
_DOMAIN = re.compile(r"(?:[A-Za-z0-9äöüßéèñçåøæ][A-Za-z0-9\-äöüßéèñçåøæ]{0,62}\.){1,8}([A-Za-z]{2,24})(?![A-Za-z0-9_(\[]|\.[A-Za-z0-9])")
_TOP = frozenset(
    "com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia post xxx app dev page web cloud online site store shop "
    "tech blog email mail live life world today news media agency studio design digital solutions services group company team work works software systems "
    "network academy school university college institute science health care clinic bank finance money capital fund insurance law legal consulting club "
    "social chat games video photo art music film london paris berlin hamburg koeln wien amsterdam brussels nyc tokyo moscow africa global international "
    "eco green energy farm food cafe bar restaurant house land city town xyz top icu vip one space fun wiki link click zone center expert guru ninja "
    "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu "
    "cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk hm hn hr ht hu id ie "
    "il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms "
    "mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk "
    "sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw".split()
)
"""Ends of domains that people have addresses under. Others count only where something says that an address follows: code like `q@k.mean` is
multiplication."""
_SAYS_MAIL = re.compile(r"(?i)mail|contact|kontakt|correo|courriel")
_NOBODY = frozenset({"git", "hg", "svn", "ssh"})
"""What stands before the @ in the address of a repository or a machine, not of a person."""


def emails(text: str) -> Iterator[Span]:
    at = text.find("@")
    while at >= 0:
        head = text[max(at - 64, 0) : at]
        local = head[len(head.rstrip(_LOCAL)) :].lstrip(".-+%")
        domain = _DOMAIN.match(text, at + 1) if local else None
        if (
            domain is not None
            and not local.endswith(".")
            and local.lower() not in _NOBODY
            and text[at - len(local) - 2 : at - len(local)] != "//"
        ):
            start, end = at - len(local), domain.end()
            says = bool(_SAYS_MAIL.search(text, max(start - 40, 0), start)) or text[start - 1 : start] == "<"
            if says or domain[1].lower() in _TOP and not _is_code(local, domain[0]):
                yield start, end
                at = end - 1
        at = text.find("@", at + 1)


def _is_code(local: str, domain: str) -> bool:
    """One letter times the attribute of another: `A@B.it`. An address that short is nobody's."""
    return len(local) == 1 and domain.index(".") == 1 and len(domain) == 4


# -- cards -------------------------------------------------------------------------------------------------------------------------------

_CARD = re.compile(
    r"(?<![A-Za-z0-9])(?<![0-9A-Za-z][.\-])(?:\d{14,19}|\d{4}([ \-\u00a0])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ \-\u00a0])\d{6}\2\d{4,5})"
    r"(?![A-Za-z0-9])(?!\.\d|-[0-9A-Za-z])"
)
_CARD_WORDS = re.compile(
    r"(?i)card|karte|carte|tarjeta|cart[ãa]o|carta|kaart|visa|master|amex|american express|diners|discover|jcb|maestro|pan\b|cc\b|cvv|cvc|payment"
)
_MANY = 4
"""So many numbers of one form in a text can be judged together: if few of them are cards, none is one."""


def cards(text: str, runs: Iterable[Span]) -> Iterator[Span]:
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
        if near(_CARD_WORDS, text, start, end):
            yield start, end
        elif seen[form] >= _MANY and right[form] * 2 < seen[form] or is_called_otherwise(text, start):
            continue
        elif is_bare or not _is_among_numbers(text, start, end):
            yield start, end


_NOT_DIGITS = re.compile(r"\D")
_NUMBER_BEFORE = re.compile(r"[\d\])][ ,]{1,4}$|\[ {0,6}$")
_NUMBER_AFTER = re.compile(r"[ ,]{1,4}[\d\[(]| {0,6}\]")


def _is_among_numbers(text: str, start: int, end: int) -> bool:
    """Four numbers of four digits in a row of numbers."""
    return bool(_NUMBER_BEFORE.search(text[max(start - 8, 0) : start]) or _NUMBER_AFTER.match(text, end))


# -- IBAN --------------------------------------------------------------------------------------------------------------------------------


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
    if len(plain) < length or text[place : place + 1].isalnum() or not checksums.iban("".join(plain)):
        return None
    return start, place


# -- telephone numbers -------------------------------------------------------------------------------------------------------------------

_CODES = frozenset(
    "1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 "
    "211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245 248 249 250 251 252 "
    "253 254 255 256 257 258 260 261 262 263 264 265 266 267 268 269 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 376 "
    "377 378 380 381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599 670 672 673 "
    "674 675 676 677 678 679 680 682 685 686 687 689 691 692 850 852 853 855 856 880 886 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 "
    "976 977 992 993 994 995 996 998".split()
)
"""Codes of countries, as they follow the plus."""

_INTERNATIONAL = re.compile(r"\+\d(?:(?:[ .\-/\u00a0\u2011]|\)[ \-]?|[ \-]?\()?\d){6,14}(?!\d)")
_LOCAL_FORMS: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset({"US", "CA"}), r"(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])[2-9]\d{2}[-.]\d{4}", "(415) 555-2671, 415-555-2671"),
    (frozenset({"UK"}), r"\(?0[127]\d{2,4}\)? \d{3,4} ?\d{3,4}", "020 7946 0958, 07700 900123"),
    (frozenset({"FR"}), r"0[1-9](?:([ .])\d{2})(?:\1\d{2}){3}", "01 23 45 67 89"),
)
"""Ways to write a number that tell without a word: where, how, an example. Others need a word before them."""


@functools.cache
def _local_forms(regions: frozenset[str]) -> re.Pattern[str] | None:
    forms = [form for countries, form, _example in _LOCAL_FORMS if countries & regions]
    return re.compile("|".join(forms)) if forms else None


_PHONE_WORDS = re.compile(
    r"(?i)(?<![a-z])(?:tel|telephone|telefon\w*|telef|t[ée]l[ée]phone|t[ée]l|tlf|phones?|phone[ _-]?(?:no|nr|num|number)|handy\w*|mobil\w*|cell|cellular|fax"
    r"|whats ?app|sms|m[óo]vil|celular|portable|gsm|hotline|rufnummer|電話|电话|전화)(?:[ _-]?(?:no|nr|num|number))?(?![a-z])"
)
_WEAK_PHONE_WORDS = re.compile(r"(?i)(?<![a-z])(?:call|dial|ring|text|contact|reach|anruf\w*|appele[rz]|llam\w+)(?![a-z])")
"""Words that speak of telephones only together with a number that is written in groups."""
_SOME_NUMBER = re.compile(r"\(?0?\d(?:[ .\-/()\u00a0\u2011\u2013]{0,2}\d){6,14}(?!\d)")


def phones(text: str, start: int, end: int, regions: frozenset[str]) -> Iterator[Span]:
    if text[start] == "+":
        found = _INTERNATIONAL.match(text, start, end)
        if found and _is_international(text, found) and not text[start - 1 : start].isalnum():
            yield found.span()
        return
    forms = _local_forms(regions)
    for found in forms.finditer(text, start, end) if forms else ():
        if _has_edges(text, *found.span()) and not is_called_otherwise(text, found.start()) and not _is_among_numbers(text, *found.span()):
            yield found.span()
    some = _SOME_NUMBER.match(text, start, end)
    if some is None or not _is_plausible(some[0]) or not _has_edges(text, *some.span()):
        return
    is_grouped = not some[0].isdigit() and "." not in some[0]
    if near_before(_PHONE_WORDS, text, start) or is_grouped and near_before(_WEAK_PHONE_WORDS, text, start):
        if not is_called_otherwise(text, start):
            yield some.span()


def near_before(words: re.Pattern[str], text: str, start: int) -> bool:
    """A word in the same line, or else in a heading: a line or two above."""
    return bool(words.search(text, max(start - 60, 0), start))


def _has_edges(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if before[-1:].isalnum() or after[:1].isalnum() or before[-1:] == "_" or after[:1] == "_":
        return False
    joined = "-./:"
    return not (before[-1:] in joined and before[:1].isalnum() and before[-1:] != ":") and not (
        after[:1] in joined and after[1:].isalnum() and after[:1]
    )


def _is_international(text: str, found: re.Match[str]) -> bool:
    digits = _NOT_DIGITS.sub("", found[0])
    if not 8 <= len(digits) <= 15 or not any(digits[:n] in _CODES for n in (1, 2, 3)):
        return False
    if text[found.end() : found.end() + 1].isalpha() or re.match(r"\.\d", text[found.end() : found.end() + 2]):
        return False
    if near_before(_PHONE_WORDS, text, found.start()):
        return True
    # A signed number: +12345678.9, or one of a column of them.
    is_bare = len(digits) + 1 == len(found[0])
    if is_bare and (len(digits) < 10 or _SIGNED.search(text, max(found.start() - 40, 0), min(found.end() + 40, len(text)))):
        return False
    return found[0].count(".") != 1 or len(found[0]) - len(digits) > 2


_SIGNED = re.compile(r"(?:^|\s)-\d")


def _is_plausible(number: str) -> bool:
    digits = _NOT_DIGITS.sub("", number)
    if not 7 <= len(digits) <= 13 or len(set(digits)) < 3 or re.fullmatch(r"(?:19|20)\d\d[-./]\d\d[-./]\d\d(?:[ .].*)?", number):
        return False
    return "." not in number or (" " not in number and number.count(".") > 1 and len(digits) > 8)
