"""How much is found, and how much is flagged that should not be: the two figures that are promised,
on the corpora beside this file."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("pandas")
pytest.importorskip("detect_secrets")

from fumehood.results import Execution
from fumehood.validation import PersonalData, Secrets, Validation

from .corpora import ordinary, planted

VALIDATION = Validation([Secrets(), PersonalData()])


@pytest.mark.long
def test_less_than_one_in_a_hundred_ordinary_outputs_is_flagged() -> None:
    tuned, held_out = ordinary.halves()
    assert len(tuned) + len(held_out) >= 1500
    flagged = Counter(
        family for family, text in held_out if VALIDATION.check(Execution(logs=text)).findings
    )
    assert flagged.total() < len(held_out) / 100, flagged


@pytest.mark.long
def test_ordinary_outputs_of_another_seed_are_flagged_as_rarely() -> None:
    others = [*ordinary.samples(15, seed=11)]
    flagged = Counter(
        family for family, text in others if VALIDATION.check(Execution(logs=text)).findings
    )
    assert flagged.total() < len(others) / 100, flagged


@pytest.mark.long
def test_more_than_98_in_a_hundred_planted_things_are_found_and_none_is_left_in() -> None:
    samples = [*planted.samples()]
    assert len({text for _, _, text, _ in samples}) >= 600
    missed: Counter[tuple[str, str]] = Counter()
    for kind, place, text, thing in samples:
        checked = VALIDATION.check(Execution(logs=text))
        missed[kind, place] += not checked.findings or thing in checked.logs
        assert VALIDATION.check(checked) is checked, (kind, place, checked.logs)
    assert missed.total() < len(samples) * 0.02, +missed


@pytest.mark.long
def test_every_kind_of_thing_is_found_in_values_too() -> None:
    for kind, _place, _text, thing in planted.samples(each=1):
        key = (planted.SECRETS | planted.PEOPLE)[kind][0]
        value = {"rows": [{"n": 1, key: thing}]}
        assert thing not in repr(VALIDATION.check(Execution(value=value)).value), kind
        assert value == {"rows": [{"n": 1, key: thing}]}
