"""PersonalData: e-mail addresses, telephone numbers, payment cards, bank accounts, national ids.

Text is read once for runs of digits, and everything that is a number is looked for only there: most
text has few. What a number is called decides much. A word that names the kind makes up for a form
that tells nothing; a word that names something else (an order, a version, an id) speaks against a
number that only happens to pass the check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from fumehood.asked import dictionary, shown
from fumehood.errors import PolicyError
from fumehood.validation.identities import IDENTITIES, Identity, with_edges
from fumehood.validation.mail import emails
from fumehood.validation.nearby import Span, is_called_otherwise, near
from fumehood.validation.payments import cards, iban_at
from fumehood.validation.telephones import phones, speaks_of_telephones
from fumehood.validation.validators import PLACES, Action, Match, Validator, names_in

LABELS: dict[str, str] = {
    "email": "e-mail",
    "phone": "phone number",
    "card": "payment card",
    "iban": "IBAN",
    **{row.kind: row.label for row in IDENTITIES},
}
"""The kinds, by the names that `kinds=` and `actions=` take, with what stands in their place."""

_DIGITS = re.compile(r"[\d+(](?:[ .\-/()\u00a0\u2011\u2013]{0,2}\d){6,}+[A-Z]?")
_LETTERED = re.compile(r"[A-Z]{1,6}[ -]?\d[A-Z\d](?:[A-Z\d]|[ -](?=[A-Z\d])){3,40}+")
_HETU = re.compile(r"\d{6}[-+A]\d{3}[0-9A-Y]")
_MIXED = frozenset({"uk_nino", "it_codice_fiscale", "mx_curp", "sg_nric", "es_dni", "in_pan"})
"""Ids that may begin with letters."""


class PersonalData(Validator):
    """Data that belongs to a person. `kinds` and `countries` choose what is looked for:
    `kinds=("email", "card")`, `countries=("US", "DE")` (national ids and national ways to write
    telephone numbers; all, if not given). `actions` gives kinds an action of their own:
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
        chosen = (
            frozenset(LABELS)
            if kinds is None
            else names_in((kinds,) if isinstance(kinds, str) else kinds)
        )
        actions = dictionary("PersonalData: actions", actions, "{'email': 'report'}")
        for kind in (*chosen, *actions):
            if kind not in LABELS:
                raise PolicyError(
                    f"PersonalData: there is no kind {shown(kind)}; there are {', '.join(LABELS)}"
                )
        known = {row.country for row in IDENTITIES}
        named = (
            names_in((countries,) if isinstance(countries, str) else countries)
            if countries is not None
            else known
        )
        allowed = {country.upper() for country in named}
        allowed = {"UK" if c == "GB" else c for c in allowed}
        if allowed - known:
            unknown = ", ".join(shown(country) for country in sorted(allowed - known)[:10])
            raise PolicyError(
                f"PersonalData: there are no rows for the country {unknown}; there are some for"
                f" {', '.join(sorted(known))}"
            )
        super().__init__(action, where, {LABELS[kind]: given for kind, given in actions.items()})
        self.kinds = frozenset(kind for kind in chosen if self.action_for(LABELS[kind]) != "allow")
        rows = [row for row in IDENTITIES if row.kind in self.kinds and row.country in allowed]
        self._by_digits = [
            row for row in rows if row.kind not in _MIXED | {"fi_hetu"} or row.kind == "es_dni"
        ]
        self._hetu = [row for row in rows if row.kind == "fi_hetu"]
        self._by_letters = [row for row in rows if row.kind in _MIXED]
        self._regions = frozenset(allowed)

    @cached_property
    def _gate(self) -> re.Pattern[str]:
        """The form of any of them: most runs of digits have none."""
        return with_edges("|".join(row.form for row in self._by_digits) or r"(?!)")

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
        lowered = text.lower()
        if "card" in self.kinds:
            for start, end in cards(text, runs, lowered):
                yield Match(start, end, LABELS["card"])
        # Words are looked for in all of the text before they are looked for near every number.
        rows = [
            row
            for row in self._by_digits
            if row.telling is not None or any(map(lowered.__contains__, row.hints))
        ]
        is_named = "phone" in self.kinds and speaks_of_telephones(lowered)
        for start, end in runs:
            if _is_table_of_decimals(text, start, end):
                continue
            if "phone" in self.kinds:
                for first, last in phones(text, start, end, self._regions, is_named):
                    yield Match(first, last, LABELS["phone"])
            if end - start >= _SHORTEST_ID and self._gate.search(
                text, max(start - 1, 0), min(end + 2, len(text))
            ):
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
        if (is_written and not is_called_otherwise(text, found.start())) or near(
            row.words, text, *found.span()
        ):
            yield Match(*found.span(), row.label)


_SHORTEST_ID = 8
_SEPARATORS = re.compile(r"[ .\-/+]")
_DECIMALS = re.compile(r"[+(]?\d{1,6}(?:\.\d{1,20})?(?:[ \-]{1,2}\d{1,7}\.\d{1,20})+")


def _is_table_of_decimals(text: str, start: int, end: int) -> bool:
    """Most runs of digits are rows of decimal numbers, and none of those is anybody's."""
    return bool(_DECIMALS.fullmatch(text, start, end))
