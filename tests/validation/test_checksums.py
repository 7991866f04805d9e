"""Check digits: numbers that are published as examples pass, the same with a digit changed do
not."""

from __future__ import annotations

import importlib
import random

import pytest

from fumehood.validation import checksums

EXAMPLES = {
    "payment_card": [
        "4111111111111111",
        "5555555555554444",
        "378282246310005",
        "6011111111111117",
        "3530111333300000",
        "30569309025904",
    ],
    "iban": [
        "DE89370400440532013000",
        "GB82WEST12345698765432",
        "FR1420041010050500013M02606",
        "NL91ABNA0417164300",
        "NO9386011117947",
    ],
    "de_steuer_id": ["36574261809"],
    "fr_nir": ["295109912611193"],
    "es_dni": ["54362315K", "X2482300W"],
    "it_codice_fiscale": ["RCCMNL83S18D969H"],
    "nl_bsn": ["111222333"],
    "pl_pesel": ["44051401359"],
    "se_personnummer": ["8803200016"],
    "br_cpf": ["39053344705"],
    "verhoeff": ["234123412346"],
    "cn_resident": ["11010519491231002X"],
    "ch_ahv": ["7569217076985"],
    "be_register": ["85073003328"],
    "fi_hetu": ["131052-308T"],
    "ca_sin": ["123456782"],
    "au_tfn": ["123456782"],
    "mx_curp": ["BOXW310820HNERXN09"],
    "kr_rrn": ["9710139019902"],
    "tr_tckn": ["17291716060"],
    "cl_rut": ["125319092"],
    "sg_nric": ["S1234567D", "F1234567N"],
    "pt_nif": ["501964843"],
    "cz_rodne": ["7103192745"],
    "ro_cnp": ["1630615123457"],
    "ie_pps": ["1234567T", "1234567FA"],
    "at_svnr": ["1237010180"],
    "za_id": ["7503305044089"],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_published_example_passes_and_one_with_another_digit_does_not(name: str) -> None:
    check = getattr(checksums, name)
    for example in EXAMPLES[name]:
        assert check(example), example
        place = max(i for i, c in enumerate(example[:-1]) if c.isdigit() and i > 5)
        changed = [
            example[:place] + digit + example[place + 1 :]
            for digit in "0123456789"
            if digit != example[place]
        ]
        assert sum(map(check, changed)) <= 1, "a check digit finds nearly every wrong digit"


ORACLES = {
    "de_steuer_id": ("de.idnr", 11),
    "nl_bsn": ("nl.bsn", 9),
    "pl_pesel": ("pl.pesel", 11),
    "br_cpf": ("br.cpf", 11),
    "ca_sin": ("ca.sin", 9),
    "au_tfn": ("au.tfn", 9),
    "tr_tckn": ("tr.tckimlik", 11),
    "at_svnr": ("at.vnr", 10),
    "jp_my_number": ("jp.in_", 12),
    "cl_rut": ("cl.rut", 9),
}


@pytest.mark.parametrize("name", ORACLES)
def test_our_arithmetic_agrees_with_that_of_a_library_that_has_only_this(name: str) -> None:
    pytest.importorskip("stdnum")
    module, length = ORACLES[name]
    oracle, check, r = (
        importlib.import_module(f"stdnum.{module}"),
        getattr(checksums, name),
        random.Random(name),
    )
    for _ in range(2000):
        digits = "".join(r.choice("0123456789") for _ in range(length))
        assert bool(check(digits)) == oracle.is_valid(digits), digits
