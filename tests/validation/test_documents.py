"""Displays are documents of their formats before and after."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from fumehood.results import Execution
from fumehood.validation import PersonalData, Validation

VALIDATION = Validation([PersonalData()])
MAIL, GONE = "bob@example.com", "[e-mail]"


def cleaned(bundle: dict[str, Any]) -> dict[str, Any]:
    checked = VALIDATION.check(Execution(displays=({"text/plain": "first"}, bundle)))
    assert VALIDATION.check(checked) is checked
    assert checked.displays[0] == {"text/plain": "first"}
    made = checked.displays[1]
    assert isinstance(made, dict)
    return made


@pytest.mark.parametrize("mime", ["application/json", "application/vnd.plotly.v1+json"])
def test_json_is_json_afterwards_numbers_included(mime: str) -> None:
    made = cleaned({mime: json.dumps({"card": 4111111111111111, MAIL: [MAIL, 1.5, None]})})
    assert json.loads(made[mime]) == {"card": "[payment card]", GONE: [GONE, 1.5, None]}


def test_html_and_drawings_are_well_formed_afterwards() -> None:
    html = (
        f'<table><tr><td title="{MAIL}">{MAIL}</td><td>bob&#64;example&period;com</td><td>a &amp;'
        " b</td></tr></table>"
    )
    made = cleaned({"text/html": html})["text/html"]
    assert (
        made == f'<table><tr><td title="{GONE}">{GONE}</td><td>{GONE}</td><td>a &amp;'
        " b</td></tr></table>"
    )
    ElementTree.fromstring(made)
    ElementTree.fromstring(
        cleaned({"image/svg+xml": f"<svg><text>{MAIL}</text></svg>"})["image/svg+xml"]
    )


def test_formats_in_which_nothing_is_found_are_the_same_objects() -> None:
    bundle = {
        "text/html": "<b>&#64; nothing</b>",
        "application/json": '{"a":   1}',
        "text/markdown": "**x**",
    }
    execution = Execution(displays=(bundle,))
    assert VALIDATION.check(execution) is execution
    made = cleaned({**bundle, "text/plain": MAIL})
    assert made == {**bundle, "text/plain": GONE}


def test_pictures_cannot_be_looked_into() -> None:
    bundle = {
        "image/png": MAIL.encode(),
        "image/jpeg": "Ym9iQGV4YW1wbGUuY29t",
        "application/pdf": MAIL.encode(),
    }
    assert cleaned(bundle) is bundle
