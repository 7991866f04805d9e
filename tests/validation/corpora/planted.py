"""Secrets and personal data planted in ordinary outputs: what must be found.

Everything is made of random characters when this runs, with the check digits that such things have;
nothing here is or was anybody's. The prefixes are put together from pieces so that nobody's scanner
takes this file for a leak.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pandas as pd

from fumehood.validation import checksums

from . import ordinary

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "_-"
UPPER = string.ascii_uppercase
DIGITS = string.digits


class Thing(NamedTuple):
    """Something to plant. `key` is what a program would call it."""

    kind: str
    key: str
    text: str


def some(r: random.Random, letters: str, n: int) -> str:
    while True:
        text = "".join(r.choice(letters) for _ in range(n))
        if (
            letters is not ALNUM
            or n < 12
            or (
                any(map(str.isdigit, text))
                and any(map(str.isupper, text))
                and any(map(str.islower, text))
            )
        ):
            return text


def until(make: Callable[[], str], check: Callable[[str], bool]) -> str:
    while True:
        text = make()
        if check(text):
            return text


def jwt(r: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': some(r, DIGITS, 8), 'name': 'n'})}.{some(r, URLSAFE[:-1], 43)}"


def private_key(r: random.Random) -> str:
    name = r.choice(["RSA ", "EC ", "", "OPENSSH ", "DSA "])
    lines = [some(r, ALNUM + "+/", 64) for _ in range(r.randint(3, 20))] + [
        some(r, ALNUM, 20) + "=="
    ]
    return (
        f"-----BEGIN {name}PRIVATE"
        " KEY-----\n" + "\n".join(lines) + f"\n-----END {name}PRIVATE KEY-----"
    )


def password(r: random.Random) -> str:
    return r.choice(
        [
            some(r, ALNUM, r.randint(8, 20)),
            some(r, ALNUM + "!$%*+?@^~", r.randint(8, 16)) + "7a",
            f"{r.choice(ordinary.NAMES)}{r.randint(10, 9999)}!",
        ]
    )


SECRETS: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "AWS key id": ("aws_access_key_id", lambda r: "AK" + "IA" + some(r, UPPER + "234567", 16)),
    "AWS secret": ("aws_secret_access_key", lambda r: some(r, ALNUM, 40)),
    "GitHub": (
        "github",
        lambda r: r.choice(["gh" + "p_", "gh" + "s_", "gh" + "o_"]) + some(r, ALNUM, 36),
    ),
    "GitHub fine-grained": (
        "github",
        lambda r: "github" + "_pat_" + some(r, ALNUM, 22) + "_" + some(r, ALNUM, 59),
    ),
    "GitLab": ("gitlab", lambda r: "gl" + "pat-" + some(r, ALNUM, 20)),
    "Slack": (
        "slack",
        lambda r: (
            "xoxb-" + some(r, DIGITS, 12) + "-" + some(r, DIGITS, 12) + "-" + some(r, ALNUM, 24)
        ),
    ),
    "Slack webhook": (
        "hook",
        lambda r: (
            "https://hooks.slack"
            ".com/services/T"
            + some(r, UPPER, 8)
            + "/B"
            + some(r, UPPER, 10)
            + "/"
            + some(r, ALNUM, 24)
        ),
    ),
    "Stripe": (
        "stripe",
        lambda r: (
            r.choice(["sk", "rk"])
            + "_"
            + r.choice(["live", "test"])
            + "_"
            + some(r, ALNUM, r.choice([24, 99]))
        ),
    ),
    "OpenAI": (
        "openai",
        lambda r: "sk" + r.choice(["-proj-", "-", "-svcacct-"]) + some(r, ALNUM, 48),
    ),
    "OpenAI, old": (
        "openai",
        lambda r: "sk" + "-" + some(r, ALNUM, 20) + "T3Blbk" + "FJ" + some(r, ALNUM, 20),
    ),
    "Anthropic": (
        "anthropic",
        lambda r: "sk" + "-ant-api03-" + some(r, ALNUM, 80) + "-" + some(r, ALNUM, 8) + "AA",
    ),
    "Hugging Face": ("hf", lambda r: "h" + "f_" + some(r, string.ascii_letters, 34)),
    "npm": ("npm", lambda r: "np" + "m_" + some(r, ALNUM, 36)),
    "PyPI": ("pypi", lambda r: "py" + "pi-AgEIcHlwaS5vcmc" + some(r, ALNUM, 120)),
    "Google": ("google", lambda r: "AI" + "za" + some(r, ALNUM, 35)),
    "JWT": ("session", jwt),
    "bearer": ("header", lambda r: "Authorization: Bearer " + some(r, ALNUM, 40)),
    "basic": (
        "header",
        lambda r: (
            "Authorization: Basic "
            + base64.b64encode(f"user:{some(r, ALNUM, 14)}".encode()).decode()
        ),
    ),
    "Azure": (
        "storage",
        lambda r: (
            "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + some(r, ALNUM, 86) + "=="
        ),
    ),
    "Telegram": ("bot", lambda r: some(r, "123456789", 9) + ":AA" + some(r, ALNUM, 33)),
    "SendGrid": ("mailer", lambda r: "S" + "G." + some(r, ALNUM, 22) + "." + some(r, ALNUM, 43)),
    "Twilio": ("twilio", lambda r: "S" + "K" + some(r, HEX, 32)),
    "Databricks": ("databricks", lambda r: "da" + "pi" + some(r, HEX, 32)),
    "DigitalOcean": ("cloud", lambda r: "do" + "p_v1_" + some(r, HEX, 64)),
    "Shopify": ("shop", lambda r: "shp" + "at_" + some(r, HEX, 32)),
    "Vault": ("vault", lambda r: "hv" + "s." + some(r, ALNUM, 90)),
    "private key": ("pem", private_key),
    "connection string": (
        "database_url",
        lambda r: (
            f"{r.choice(['postgresql', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://app:{some(r, ALNUM, 12)}@db.internal:5432/main"
        ),
    ),
    "address with password": (
        "url",
        lambda r: f"https://deploy:{some(r, ALNUM, 16)}@git.example.org/team/repo.git",
    ),
    "password": ("password", password),
    "api_key": ("api_key", lambda r: some(r, r.choice([ALNUM, HEX]), 32)),
    "client_secret": ("client_secret", lambda r: some(r, ALNUM, 32)),
    "DB_PASSWORD": ("DB_PASSWORD", password),
    "access_token": ("access_token", lambda r: some(r, ALNUM, 40)),
}


def card(r: random.Random) -> str:
    start, length = r.choice(
        [
            ("4", 16),
            ("51", 16),
            ("55", 16),
            ("2300", 16),
            ("34", 15),
            ("37", 15),
            ("6011", 16),
            ("3530", 16),
            ("36", 14),
        ]
    )
    digits = until(lambda: start + some(r, DIGITS, length - len(start)), checksums.payment_card)
    if length == 15:
        return r.choice([digits, f"{digits[:4]} {digits[4:10]} {digits[10:]}"])
    between = r.choice(["", " ", "-"])
    return (
        between.join(digits[place : place + 4] for place in range(0, length, 4))
        if length == 16
        else digits
    )


def iban(r: random.Random) -> str:
    country, form = r.choice(
        [
            ("DE", "d" * 18),
            ("GB", "llll" + "d" * 14),
            ("FR", "d" * 23),
            ("NL", "llll" + "d" * 10),
            ("ES", "d" * 20),
            ("CH", "d" * 17),
            ("NO", "d" * 11),
            ("PL", "d" * 24),
        ]
    )
    text = until(
        lambda: (
            country
            + some(r, DIGITS, 2)
            + "".join(r.choice(DIGITS if c == "d" else UPPER) for c in form)
        ),
        checksums.iban,
    )
    return r.choice([text, " ".join(text[place : place + 4] for place in range(0, len(text), 4))])


def date6(r: random.Random) -> str:
    return f"{r.randint(0, 99):02}{r.randint(1, 12):02}{r.randint(1, 28):02}"


def day6(r: random.Random) -> str:
    return f"{r.randint(1, 28):02}{r.randint(1, 12):02}{r.randint(0, 99):02}"


def numbers(
    n: int, check: Callable[[str], bool], form: str = "", first: str = DIGITS
) -> Callable[[random.Random], str]:
    """Random digits that pass, sometimes with separators: in `form` each # is a digit."""

    def make(r: random.Random) -> str:
        digits = until(lambda: r.choice(first) + some(r, DIGITS, n - 1), check)
        if not form or r.random() < 0.4:
            return digits
        left = iter(digits)
        return "".join(next(left) if c == "#" else c for c in form)

    return make


def dated(
    rest: int,
    check: Callable[[str], bool],
    between: str = "",
    day: Callable[[random.Random], str] = date6,
    before: str = "",
) -> Callable[[random.Random], str]:
    def make(r: random.Random) -> str:
        text = until(
            lambda: (r.choice(before) if before else "") + day(r) + some(r, DIGITS, rest), check
        )
        place = 6 + bool(before)
        return text[:place] + between + text[place:]

    return make


PEOPLE: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "email": (
        "email",
        lambda r: (
            f"{r.choice(ordinary.NAMES).lower()}{r.choice(['.', '_', '', '+x.'])}{r.choice(ordinary.WORDS)}{r.choice(['', str(r.randint(1, 99))])}@{r.choice(ordinary.WORDS)}{r.choice(['', '-' + r.choice(ordinary.WORDS)])}.{r.choice(['com', 'org', 'de', 'co.uk', 'io', 'net', 'fr', 'edu', 'com.br'])}"
        ),
    ),
    "phone": (
        "phone",
        lambda r: r.choice(
            [
                lambda: f"+49 {r.randint(30, 899)} {r.randrange(10**6, 10**8)}",
                lambda: f"+1-{r.randint(201, 989)}-{r.randint(201, 989)}-{r.randint(1000, 9999)}",
                lambda: f"({r.randint(201, 989)}) {r.randint(201, 989)}-{r.randint(1000, 9999)}",
                lambda: f"{r.randint(201, 989)}-{r.randint(201, 989)}-{r.randint(1000, 9999)}",
                lambda: f"+44 20 7{r.randint(100, 999)} {r.randint(1000, 9999)}",
                lambda: (
                    f"+33 {r.randint(1, 9)} {r.randint(10, 99)} {r.randint(10, 99)} {r.randint(10, 99)} {r.randint(10, 99)}"
                ),
                lambda: f"+91 {r.randint(70000, 99999)} {r.randint(10000, 99999)}",
                lambda: f"+4{r.choice('13678')}{r.randrange(10**9, 10**10)}",
                lambda: f"0{r.randint(30, 899)} {r.randrange(10**6, 10**7)}",
            ]
        )(),
    ),
    "card": ("card", card),
    "iban": ("account", iban),
    "us_ssn": ("ssn", numbers(9, checksums.us_ssn, "###-##-####", "1234567")),
    "uk_nino": (
        "national_insurance",
        lambda r: (
            r.choice(["AB", "CE", "JK", "PY", "WZ"])
            + r.choice(["{}{}{}", " {} {} {} "]).format(
                *(f"{r.randrange(100):02}" for _ in range(3))
            )
            + r.choice("ABCD")
        ),
    ),
    "de_steuer_id": ("steuer_id", numbers(11, checksums.de_steuer_id)),
    "fr_nir": (
        "nir",
        lambda r: until(
            lambda: (
                r.choice("12") + f"{r.randrange(100):02}{r.randint(1, 12):02}" + some(r, DIGITS, 10)
            ),
            checksums.fr_nir,
        ),
    ),
    "es_dni": (
        "dni",
        lambda r: (
            (n := some(r, DIGITS, 8)) + r.choice(["", "-"]) + "TRWAGMYFPDXBNJZSQVHLCKE"[int(n) % 23]
        ),
    ),
    "it_codice_fiscale": (
        "codice_fiscale",
        lambda r: until(
            lambda: (
                some(r, UPPER, 6)
                + f"{r.randrange(100):02}"
                + r.choice("ABCDEHLMPRST")
                + f"{r.randint(1, 31):02}"
                + r.choice(UPPER)
                + some(r, DIGITS, 3)
                + r.choice(UPPER)
            ),
            checksums.it_codice_fiscale,
        ),
    ),
    "nl_bsn": ("bsn", numbers(9, checksums.nl_bsn)),
    "pl_pesel": ("pesel", dated(5, checksums.pl_pesel)),
    "se_personnummer": ("personnummer", dated(4, checksums.se_personnummer, "-")),
    "br_cpf": ("cpf", numbers(11, checksums.br_cpf, "###.###.###-##")),
    "in_aadhaar": ("aadhaar", numbers(12, checksums.verhoeff, "#### #### ####", "23456789")),
    "cn_resident": (
        "id_card",
        lambda r: until(
            lambda: (
                some(r, "123456", 1)
                + some(r, DIGITS, 5)
                + f"{r.randint(1940, 2015)}{r.randint(1, 12):02}{r.randint(1, 28):02}"
                + some(r, DIGITS, 3)
                + r.choice(DIGITS + "X")
            ),
            checksums.cn_resident,
        ),
    ),
    "ch_ahv": (
        "ahv",
        lambda r: (lambda d: f"{d[:3]}.{d[3:7]}.{d[7:11]}.{d[11:]}")(
            until(lambda: "756" + some(r, DIGITS, 10), checksums.ch_ahv)
        ),
    ),
    "be_register": (
        "rijksregisternummer",
        lambda r: (lambda d: f"{d[:2]}.{d[2:4]}.{d[4:6]}-{d[6:9]}.{d[9:]}")(
            until(lambda: date6(r) + some(r, DIGITS, 5), checksums.be_register)
        ),
    ),
    "fi_hetu": (
        "hetu",
        lambda r: until(
            lambda: (
                day6(r)
                + r.choice("-A")
                + some(r, DIGITS, 3)
                + r.choice("0123456789ABCDEFHJKLMNPRSTUVWXY")
            ),
            checksums.fi_hetu,
        ),
    ),
    "dk_cpr": ("cpr", dated(4, checksums.dk_cpr, "-", day6)),
    "no_number": ("fodselsnummer", dated(5, checksums.no_number, " ", day6)),
    "ca_sin": ("sin", numbers(9, checksums.ca_sin, "### ### ###", "12345679")),
    "au_tfn": ("tfn", numbers(9, checksums.au_tfn, "### ### ###")),
    "mx_curp": (
        "curp",
        lambda r: until(
            lambda: (
                r.choice(UPPER)
                + r.choice("AEIOU")
                + some(r, UPPER, 2)
                + date6(r)
                + r.choice("HM")
                + some(r, UPPER, 5)
                + some(r, DIGITS, 2)
            ),
            checksums.mx_curp,
        ),
    ),
    "kr_rrn": ("rrn", dated(7, lambda d: d[6] in "12" and checksums.kr_rrn(d), "-")),
    "jp_my_number": ("my_number", numbers(12, checksums.jp_my_number, "#### #### ####")),
    "za_id": (
        "sa_id_number",
        lambda r: until(
            lambda: date6(r) + some(r, DIGITS, 4) + r.choice("01") + some(r, DIGITS, 2),
            checksums.za_id,
        ),
    ),
    "tr_tckn": ("tckn", numbers(11, checksums.tr_tckn, "", "123456789")),
    "cl_rut": (
        "rut",
        lambda r: (lambda d: f"{d[:2]}.{d[2:5]}.{d[5:8]}-{d[8]}")(
            until(
                lambda: some(r, "12", 1) + some(r, DIGITS, 7) + r.choice(DIGITS + "K"),
                checksums.cl_rut,
            )
        ),
    ),
    "sg_nric": (
        "nric",
        lambda r: until(
            lambda: r.choice("STFG") + some(r, DIGITS, 7) + r.choice(UPPER), checksums.sg_nric
        ),
    ),
    "pt_nif": ("nif", numbers(9, checksums.pt_nif, "", "1235689")),
    "cz_rodne": ("rodne_cislo", dated(4, checksums.cz_rodne, "/")),
    "ro_cnp": ("cnp", dated(6, checksums.ro_cnp, "", date6, "12")),
    "ie_pps": (
        "pps",
        lambda r: until(
            lambda: some(r, DIGITS, 7) + r.choice("ABCDEFGHIJKLMNOPQRSTUVW"), checksums.ie_pps
        ),
    ),
    "at_svnr": ("svnr", numbers(10, checksums.at_svnr, "", "123456789")),
}
NAMED = {"AWS secret", "password", "api_key", "client_secret", "DB_PASSWORD", "access_token"}
"""Secrets that only their name tells from other text."""


# -- where they are planted


def as_json(r: random.Random, thing: Thing) -> str:
    return json.dumps(
        {r.choice(ordinary.WORDS): r.random(), thing.key: thing.text, "note": ordinary.prose(r, 4)},
        indent=r.choice([None, 2]),
    )


def as_repr(r: random.Random, thing: Thing) -> str:
    return repr({"n": r.randint(1, 99), thing.key: thing.text, r.choice(ordinary.WORDS): None})


def as_table(r: random.Random, thing: Thing) -> str:
    table = pd.DataFrame(
        {
            "name": r.sample(ordinary.NAMES, 2),
            thing.key: ["n/a", thing.text],
            "score": [r.random(), r.random()],
        }
    )
    return r.choice([table.to_csv(index=False), table.to_string(), table.to_html()])


def in_prose(r: random.Random, thing: Thing) -> str:
    return f"{ordinary.prose(r, 6)} The {thing.key} of {r.choice(ordinary.NAMES)} is {thing.text}. {ordinary.prose(r, 5)}"


def in_code(r: random.Random, thing: Thing) -> str:
    return f'import os\n{thing.key} = "{thing.text}"\nprint(connect({thing.key}))\n'


def in_log(r: random.Random, thing: Thing) -> str:
    return f"2024-05-0{r.randint(1, 9)} 10:00:00,123 INFO {r.choice(ordinary.WORDS)}: {thing.key}={thing.text} status=200"


def in_configuration(r: random.Random, thing: Thing) -> str:
    return f"[{r.choice(ordinary.WORDS)}]\nhost = localhost\n{thing.key}: {thing.text}\nretries = {r.randint(1, 9)}\n"


def in_address(r: random.Random, thing: Thing) -> str:
    return f"GET https://api.example.org/v1/{r.choice(ordinary.WORDS)}?{thing.key}={thing.text}&page={r.randint(1, 9)} 200"


PLACES = (as_json, as_repr, as_table, in_prose, in_code, in_log, in_configuration, in_address)
NOT_IN = {
    "in_prose": NAMED,
    "as_table": NAMED,
    "in_address": {"private key"},
    "in_code": {"private key"},
}
"""Where it cannot stand: a password in a sentence is a word, and so is one in a column."""


def samples(each: int = 12, seed: int = 7) -> Iterator[tuple[str, str, str, str]]:
    """(kind, place, text, the thing planted in it)."""
    for kind, (key, make) in (SECRETS | PEOPLE).items():
        r = random.Random(f"{seed} {kind}")
        for number in range(each):
            places = [place for place in PLACES if kind not in NOT_IN.get(place.__name__, ())]
            place = places[number % len(places)]
            thing = Thing(kind, key, make(r))
            text = place(r, thing)
            around = ordinary.FAMILIES[
                r.choice(
                    [
                        "described_tables",
                        "git_logs",
                        "json_values",
                        "logs_with_times",
                        "prose_in_languages",
                        "hashes",
                    ]
                )
            ](r)
            yield (
                kind,
                place.__name__,
                r.choice([text, f"{around}\n{text}", f"{text}\n{around}"]),
                thing.text,
            )
