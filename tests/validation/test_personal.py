"""Personal data is found where its form tells, or where a word names it; the same digits elsewhere
are left alone."""

from __future__ import annotations

import random

import pytest

from fumehood.errors import PolicyError
from fumehood.results import Execution
from fumehood.validation import PersonalData, Validation
from fumehood.validation.identities import IDENTITIES

from .corpora import planted

VALIDATION = Validation([PersonalData()])


def cleaned(text: str, validation: Validation = VALIDATION) -> str:
    logs = validation.check(Execution(logs=text)).logs
    assert isinstance(logs, str)
    return logs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to bob.smith@example.com, now", "to [e-mail], now"),
        ("<a href='mailto:x@intranet.corp'>", "<a href='mailto:[e-mail]'>"),
        ("card 4111 1111 1111 1111 ok", "card [payment card] ok"),
        ("4111-1111-1111-1111", "[payment card]"),
        ("n=4111111111111111;", "n=[payment card];"),
        ("IBAN DE89 3704 0044 0532 0130 00.", "IBAN [IBAN]."),
        ("GB82WEST12345698765432,x", "[IBAN],x"),
        ("+49 30 901820", "[phone number]"),
        ("(415) 555-2671 or 415-555-2671", "[phone number] or [phone number]"),
        ("Tel.: 030 901820", "Tel.: [phone number]"),
        ("mobile=07700900123", "mobile=[phone number]"),
        ("219-09-9999", "[US social security number]"),
        ("bsn: 111222333", "bsn: [Dutch citizen number]"),
    ],
)
def test_what_belongs_to_a_person_goes(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "git@github.com:org/repo.git",
        "y = x@w.mean() + q@k.T",
        "lodash@4.17.21",
        "1718035200123",
        "0.4111111111111111",
        "id: 4111111111111111",
        "[[4111 1111 1111 1111]\n [1234 5678 9012 3456]]",
        "ISBN 978-0-306-40615-7",
        "Part no. 415-555-2671",
        "192.168.100.200:8080",
        "+123456.78 -99",
        "111222333",
        "2024-06-10 14:03:22",
        "call of 2024-06-10 or 1999-2001",
        "3d2f4111-1111-4111-8111-111111111111",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert cleaned(text) == text


def test_many_numbers_of_which_few_are_cards_are_no_cards() -> None:
    r = random.Random(5)
    numbers = "\n".join(str(r.randrange(10**15, 10**16)) for _ in range(400))
    assert cleaned(numbers) == numbers
    cards = "\n".join(planted.card(r) for _ in range(20))
    assert {*cleaned(cards).splitlines()} == {"[payment card]"}
    assert cleaned("4111 1111 1111 1111 " * 5) == "[payment card] " * 5


@pytest.mark.parametrize("row", IDENTITIES, ids=lambda row: row.kind)
def test_each_kind_of_id_is_found_by_its_name_and_only_one_that_tells_without(row: object) -> None:
    kind, label, word = row.kind, row.label, row.hints[0]  # type: ignore[attr-defined]
    if kind == "in_pan":
        example = "ABCPE1234F"
    else:
        word, make = planted.PEOPLE[kind]
        example = make(random.Random(1))
    only = Validation([PersonalData(kinds=[kind])])
    assert cleaned(f"{word} {example}", only) == f"{word} [{label}]"
    without = cleaned(f"x {example} y", only)
    tells = row.written is not None and row.written.match(example)  # type: ignore[attr-defined]
    assert without == (f"x [{label}] y" if tells else f"x {example} y")


def test_kinds_and_countries_choose_what_is_looked_for() -> None:
    text = "bob@example.com 219-09-9999 bsn 111222333"
    assert (
        cleaned(text, Validation([PersonalData(kinds=["email"])]))
        == "[e-mail] 219-09-9999 bsn 111222333"
    )
    assert (
        cleaned(text, Validation([PersonalData(countries=["NL"])]))
        == "[e-mail] 219-09-9999 bsn [Dutch citizen number]"
    )
    assert cleaned(
        text, Validation([PersonalData(actions={"email": "allow", "us_ssn": "report"})])
    ).startswith("bob@example.com 219-09-9999")


@pytest.mark.parametrize(
    "options",
    [
        *(
            {"kinds": ["mail"]},
            {"kinds": 3},
            {"kinds": [["email"]]},
            {"countries": ["XX"]},
            {"countries": [3]},
            {"countries": ""},
        ),
        *(
            {"actions": {"mail": "allow"}},
            {"action": "delete"},
            {"action": "x" * 5000},
            {"where": "nowhere"},
            {"where": b"logs"},
        ),
        *({"where": None}, {"where": [["logs"]]}),
    ],
    ids=lambda given: f"{given!r:.40}",
)
def test_a_kind_country_or_action_that_does_not_exist_is_an_error_that_lists_those_that_do(
    options: dict[str, object],
) -> None:
    with pytest.raises(
        PolicyError,
        match=(
            r"^PersonalData: (there are no rows|there is no kind|an action is one of|`where` takes"
            r" some of)"
        ),
    ):
        PersonalData(**options)  # type: ignore[arg-type]
