"""Ordinary outputs of an agent's cells, none of which holds a secret or anybody's data: what must
not be flagged.

Most are made by running what agents run: numpy, pandas, json, difflib, hashlib. Others are put
together from parts. `by_hand.txt` beside this file was written by hand. The same seed gives the
same samples. Half of them, by turns, were looked at while the tables were made; the figure that is
reported is of the other half.
"""

from __future__ import annotations

import ast
import base64
import datetime
import difflib
import hashlib
import io
import json
import pprint
import random
import textwrap
import traceback
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
SEPARATOR = "\n%%%%\n"
WORDS = """time person year way day thing man world life hand part child eye woman place work week case point government company number group problem
fact be have do say get make go know take see come think look want give use find tell ask work seem feel try leave call good new first last long great
little own other old right big high different small large next early young important few public bad same able river stone market engine orbit signal
vector kernel matrix tensor column index buffer window socket thread lambda cache cluster sensor voltage carbon protein enzyme ledger invoice parcel""".split()
NAMES = "Anna Bo Chen Dina Emil Fatima Goran Hana Ivan Jun Kofi Lena Mads Nia Omar Pia Quinn Rosa Sven Tara Uma Viktor Wei Xenia Yara Zoe".split()
CITIES = "Oslo Lima Kyoto Turin Porto Lagos Quito Perth Delhi Basel Graz Gdansk Lyon Malmo Leeds Boston Denver Austin Nairobi Hanoi".split()

Make = Callable[[random.Random], str]
FAMILIES: dict[str, Make] = {}


def family(make: Make) -> Make:
    FAMILIES[make.__name__] = make
    return make


def prose(r: random.Random, length: int = 12) -> str:
    return " ".join(r.choice(WORDS) for _ in range(length)).capitalize() + "."


def generator(r: random.Random) -> np.random.Generator:
    return np.random.default_rng(r.randrange(1 << 32))


@family
def integers(r: random.Random) -> str:
    return "\n".join(str(r.randrange(10 ** r.randint(1, 14))) for _ in range(r.randint(1, 25)))


@family
def powers_and_factorials(r: random.Random) -> str:
    import math

    n = r.randint(5, 60)
    return f"{n}! = {math.factorial(n)}\n2**{n} = {2**n}\n{n} fibonacci: {[int(1.618**k / 2.236 + 0.5) for k in range(n)]}"


@family
def floats(r: random.Random) -> str:
    return "\n".join(repr(r.gauss(0, 10 ** r.randint(0, 9))) for _ in range(r.randint(1, 30)))


@family
def arrays_of_floats(r: random.Random) -> str:
    return str(generator(r).normal(0, 10 ** r.randint(0, 5), (r.randint(2, 12), r.randint(2, 8))))


@family
def arrays_of_integers(r: random.Random) -> str:
    return str(generator(r).integers(0, 10 ** r.randint(1, 7), (r.randint(2, 12), r.randint(2, 9))))


@family
def four_digit_matrices(r: random.Random) -> str:
    return str(generator(r).integers(1000, 9999, (r.randint(2, 9), r.choice([3, 4, 4, 5, 8]))))


@family
def described_tables(r: random.Random) -> str:
    g = generator(r)
    return str(
        pd.DataFrame(
            {
                r.choice(WORDS) + str(k): g.normal(100 * k, 10**k, 200)
                for k in range(r.randint(1, 6))
            }
        ).describe()
    )


@family
def printed_tables(r: random.Random) -> str:
    g, n = generator(r), r.randint(3, 30)
    table = pd.DataFrame(
        {
            "name": [r.choice(NAMES) for _ in range(n)],
            "city": [r.choice(CITIES) for _ in range(n)],
            "amount": g.gamma(2, 100, n).round(2),
            "count": g.integers(0, 100000, n),
            "when": pd.date_range(
                f"20{r.randint(10, 25)}-01-01", periods=n, freq=r.choice(["D", "h", "15min"])
            ),
        }
    )
    return r.choice(
        [
            table.to_string,
            table.to_csv,
            lambda: str(table),
            lambda: table.to_json(orient="records", date_format="iso"),
        ]
    )()


@family
def order_tables(r: random.Random) -> str:
    n = r.randint(3, 15)
    table = pd.DataFrame(
        {
            "order_id": [r.randrange(10**9, 10**10) for _ in range(n)],
            "sku": [
                f"{r.choice('ABCDEF')}{r.choice('XYZ')}-{r.randrange(10000, 99999)}"
                for _ in range(n)
            ],
            "quantity": [r.randint(1, 50) for _ in range(n)],
            "price": [round(r.uniform(1, 900), 2) for _ in range(n)],
        }
    )
    return r.choice([str(table), table.to_csv(index=False), table.to_html(), table.to_json()])


@family
def hashes(r: random.Random) -> str:
    algorithm = r.choice(["md5", "sha1", "sha256", "sha512", "blake2b"])
    return "\n".join(
        f"{hashlib.new(algorithm, r.randbytes(20)).hexdigest()}  {r.choice(WORDS)}.{r.choice(['csv', 'tar.gz', 'py'])}"
        for _ in range(r.randint(1, 12))
    )


@family
def uuids(r: random.Random) -> str:
    return "\n".join(
        f"{r.choice(WORDS)}_id={uuid.UUID(int=r.getrandbits(128), version=4)}"
        for _ in range(r.randint(1, 10))
    )


@family
def git_logs(r: random.Random) -> str:
    lines = []
    for _ in range(r.randint(2, 12)):
        commit = r.randbytes(20).hex()
        lines.append(
            r.choice(
                [
                    f"{commit[:7]} {prose(r, 6)}",
                    f"commit {commit}\nDate:   Mon Mar {r.randint(1, 28)} 12:{r.randint(10, 59)}:07 2024 +0200\n\n    {prose(r, 7)}\n",
                ]
            )
        )
    return "\n".join(lines)


@family
def pictures(r: random.Random) -> str:
    data = b"\x89PNG\r\n\x1a\n" + r.randbytes(r.randint(300, 3000))
    return f'<img src="data:image/png;base64,{base64.b64encode(data).decode()}" alt="{r.choice(WORDS)}">'


@family
def base64_lines(r: random.Random) -> str:
    return base64.encodebytes(r.randbytes(r.randint(50, 1500))).decode()


@family
def diffs(r: random.Random) -> str:
    old = [prose(r, 6) for _ in range(12)]
    new = [line if r.random() < 0.7 else prose(r, 6) for line in old]
    return "\n".join(difflib.unified_diff(old, new, "a/notes.txt", "b/notes.txt", lineterm=""))


CODE = '''
def {a}_{b}({c}, password_field="pwd", *, token_count: int = 0) -> dict[str, str]:
    """Return the {c} of {a}; api_key is read from the environment."""
    api_key = os.environ["{A}_API_KEY"]
    secret = getpass.getpass("Password: ")
    headers = {{"Authorization": f"Bearer {{api_key}}", "X-Count": str(token_count)}}
    for {c} in range({n}):
        if not re.match(r"^[\\w.]+@[\\w.]+$", str({c})):
            raise ValueError(f"bad {c}: {{{c}}}")
    y = x @ w.T + b@c.mean(0)
    return connect(user=user, password=password, secret=secret, url=f"postgres://{{user}}:{{password}}@{{host}}/db", timeout={n})
'''


@family
def code(r: random.Random) -> str:
    a, b, c = r.sample(WORDS, 3)
    return CODE.format(a=a, b=b, c=c, A=a.upper(), n=r.randint(1, 10**6))


@family
def syntax_trees(r: random.Random) -> str:
    a, b = r.sample(WORDS, 2)
    return ast.dump(
        ast.parse(f"{a}_ = [{b}_ ** {r.randint(2, 99)} for {b}_ in range({r.randint(1, 10**6)})]"),
        indent=1,
    )


@family
def tracebacks(r: random.Random) -> str:
    table: dict[str, int] = {}
    try:
        r.choice(
            [
                lambda: table[r.choice(WORDS)],
                lambda: 1 / len(table),
                lambda: int(r.choice(WORDS)),
                lambda: np.ones(3) @ np.ones(r.randint(4, 99)),
            ]
        )()
    except Exception:
        return traceback.format_exc()
    return ""


def something(r: random.Random, depth: int) -> Any:
    if depth == 0 or r.random() < 0.3:
        return r.choice(
            [
                None,
                True,
                r.random(),
                r.randint(-1000, 10**6),
                r.choice(WORDS),
                prose(r, 4),
                f"2024-0{r.randint(1, 9)}-1{r.randint(0, 9)}T08:00:00Z",
            ]
        )
    return r.choice(
        [
            [something(r, depth - 1) for _ in range(r.randint(0, 4))],
            {r.choice(WORDS): something(r, depth - 1) for _ in range(r.randint(0, 5))},
        ]
    )


@family
def json_values(r: random.Random) -> str:
    return json.dumps([something(r, 3), something(r, 3)], indent=r.choice([None, 2]))


@family
def reprs(r: random.Random) -> str:
    return pprint.pformat({r.choice(WORDS): something(r, 3) for _ in range(4)})


@family
def sensors(r: random.Random) -> str:
    start = r.randrange(1_400_000_000_000, 1_900_000_000_000)
    rows = [
        {
            "ts": start + 60_000 * k,
            "value": round(r.gauss(20, 3), 3),
            "device": f"dev-{r.randrange(10000):04}",
            "seq": r.randrange(10**12),
        }
        for k in range(r.randint(2, 15))
    ]
    return json.dumps(rows)


@family
def millisecond_times(r: random.Random) -> str:
    return "\n".join(
        str(r.randrange(1_000_000_000_000, 1_999_999_999_999)) for _ in range(r.randint(1, 20))
    )


@family
def microsecond_and_nanosecond_times(r: random.Random) -> str:
    return "\n".join(
        f"{r.randrange(10**9, 2 * 10**9)}{r.randrange(10**6):06}{r.choice(['', '000', str(r.randrange(100, 999))])} {r.choice(WORDS)}"
        for _ in range(r.randint(1, 12))
    )


@family
def sixteen_digit_ids(r: random.Random) -> str:
    key = r.choice(["id", "trace", "request_id", "user id", "event", ""])
    return "\n".join(
        f"{key}{'=' if key else ''}{r.randrange(10**15, 10**16)}" for _ in range(r.randint(1, 10))
    )


@family
def dates(r: random.Random) -> str:
    day = datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=r.randrange(10**9))
    steps = [day + datetime.timedelta(hours=k) for k in range(r.randint(1, 8))]
    return "\n".join(
        r.choice(
            [
                s.isoformat(),
                str(s),
                s.strftime("%d.%m.%Y %H:%M"),
                s.strftime("%m/%d/%Y"),
                s.strftime("%Y%m%d%H%M%S"),
                repr(s),
            ]
        )
        for s in steps
    )


@family
def network(r: random.Random) -> str:
    def ip() -> str:
        return ".".join(str(r.randrange(256)) for _ in range(4))

    return "\n".join(
        r.choice(
            [
                f"{ip()}:{r.randrange(65536)}",
                f"{ip()}/{r.randint(8, 32)}",
                ":".join(f"{r.randrange(256):02x}" for _ in range(6)),
                f"GET /{r.choice(WORDS)} {ip()} 200 {r.randrange(10**6)}",
            ]
        )
        for _ in range(r.randint(2, 15))
    )


@family
def versions(r: random.Random) -> str:
    return "\n".join(
        f"{r.choice(WORDS)}{r.choice(['==', '@', ' v', ' '])}{r.randint(0, 30)}.{r.randint(0, 99)}.{r.randint(0, 9999)}{r.choice(['', 'rc1', '.post2', '+cu121'])}"
        for _ in range(r.randint(3, 25))
    )


def with_ean_check(digits: str) -> str:
    total = sum(int(d) * (3 if place % 2 else 1) for place, d in enumerate(digits))
    return digits + str(-total % 10)


@family
def books_and_barcodes(r: random.Random) -> str:
    def one() -> str:
        code = with_ean_check(
            r.choice(["978", "979", "400", "500", "871"]) + f"{r.randrange(10**9):09}"
        )
        return r.choice(
            [
                f"ISBN {code[:3]}-{code[3]}-{code[4:8]}-{code[8:12]}-{code[12]}",
                f"EAN {code}",
                f"ISBN: {code}",
                code,
                f'"barcode": {code}',
            ]
        )

    return "\n".join(f"{one()}  {prose(r, 3)}" for _ in range(r.randint(1, 8)))


@family
def order_numbers(r: random.Random) -> str:
    forms = [
        "Order {}-{}-{}",
        "invoice no. {}{}{}",
        "Part no. {}-{}-{}",
        "ref {}/{}/{}",
        "SKU {}.{}.{}",
        "Tracking: 1Z{}{}{}",
    ]
    return "\n".join(
        r.choice(forms).format(
            r.randrange(100, 999), r.randrange(100, 999), r.randrange(1000, 9999)
        )
        for _ in range(r.randint(1, 6))
    )


@family
def ranges_and_codes(r: random.Random) -> str:
    return "\n".join(
        r.choice(
            [
                "lines {}-{} of {}",
                "chr1:{}-{} ({} bp)",
                "bytes {}-{}/{}",
                "{} {} {}",
                "{}, {}, {}",
                "({}, {}, {})",
                "box {} {} {} 0",
            ]
        ).format(*(r.randrange(10 ** r.randint(2, 8)) for _ in range(3)))
        for _ in range(r.randint(2, 12))
    )


SENTENCES = """Die Summe der Quadrate beträgt {n}, das sind {f} Prozent mehr als im Vorjahr.
La moyenne des {n} mesures est de {f} ; l'écart type reste stable.
El total de ventas fue de {n} unidades y el promedio {f} por tienda.
Il valore massimo è {n}, raggiunto il 14 marzo; la media è {f}.
合計は {n} 件で、平均は {f} でした。
Всего найдено {n} записей, среднее значение {f}.
Het gemiddelde over {n} metingen is {f}, zonder uitschieters.
Suma wynosi {n}, a mediana {f}; brak wartości odstających.
Toplam {n} kayıt işlendi, ortalama {f} olarak bulundu.
The model reached {f} accuracy after {n} steps, and the password reset flow was not touched.
There were {n} tokens in the prompt; the token limit is {n}. Secrets are not stored here.
Call the function with {n} arguments; text me the results, or phone home, whichever is first. Total {f}.
The key is in the dictionary: key={n}, and the secret to speed is caching ({f} s).
Please contact the administrator if the card is declined; {n} cards were dealt, {f} per hand.""".splitlines()


@family
def prose_in_languages(r: random.Random) -> str:
    return "\n".join(
        r.choice(SENTENCES).format(
            n=r.randrange(10 ** r.randint(1, 8)), f=round(r.uniform(0, 1000), r.randint(1, 6))
        )
        for _ in range(r.randint(1, 5))
    )


@family
def expressions(r: random.Random) -> str:
    forms = [
        r"\d{3}-\d{2}-\d{4}",
        r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}",
        r"(?P<user>[\w.+-]+)@(?P<host>[\w-]+\.[\w.-]+)",
        r"^\+?1?\d{9,15}$",
        r"(?:password|passwd)\s*[:=]\s*(\S+)",
        r"^(?:4[0-9]{12}(?:[0-9]{3})?)$",
    ]
    return "\n".join(
        f"re.compile(r'{r.choice(forms)}')  # {prose(r, 3)}" for _ in range(r.randint(1, 4))
    )


@family
def listings(r: random.Random) -> str:
    rows = [
        f"-rw-r--r-- 1 user group {r.randrange(10**8):>9} Mar {r.randint(1, 28):>2} 12:{r.randint(10, 59)} {r.choice(WORDS)}_{r.randrange(10**6)}.{r.choice(['parquet', 'log', 'key.md', 'py'])}"
        for _ in range(r.randint(2, 15))
    ]
    return f"total {r.randrange(10**6)}\n" + "\n".join(rows)


@family
def logs_with_times(r: random.Random) -> str:
    return "\n".join(
        f"2024-{r.randint(1, 12):02}-{r.randint(1, 28):02} {r.randint(0, 23):02}:{r.randint(0, 59):02}:{r.randint(0, 59):02},{r.randrange(1000):03} [{r.randrange(10**5)}] INFO {r.choice(WORDS)}: {prose(r, 6)} took {r.random():.6f}s"
        for _ in range(r.randint(2, 15))
    )


@family
def phone_like_sequences(r: random.Random) -> str:
    forms = [
        "{:03}-{:04}",
        "{}x{}",
        "{} - {}",
        "{:.3f} {:.4f}",
        "+{} -{}",
        "{}/{}",
        "({}, {})",
        "+{}.{}",
        "{}:{}",
        "p. {}-{}",
        "{:,} of {:,}",
    ]
    return "\n".join(
        r.choice(forms).format(r.randrange(100, 9999), r.randrange(1000, 99999))
        for _ in range(r.randint(2, 14))
    )


@family
def signed_columns(r: random.Random) -> str:
    return "\n".join(
        f"{r.gauss(0, 1e8):+.0f}   {r.gauss(0, 1e6):+.2f}   {r.uniform(-1, 1):+.6e}"
        for _ in range(r.randint(2, 12))
    )


@family
def coordinates(r: random.Random) -> str:
    return json.dumps(
        {
            "type": "LineString",
            "coordinates": [
                [round(r.uniform(-180, 180), 6), round(r.uniform(-90, 90), 6)]
                for _ in range(r.randint(2, 12))
            ],
        }
    )


@family
def svg_paths(r: random.Random) -> str:
    path = " ".join(
        f"{r.choice('ML')} {r.uniform(0, 600):.6f} {r.uniform(0, 400):.6f}"
        for _ in range(r.randint(4, 30))
    )
    return f'<svg viewBox="0 0 640 480"><path d="{path}" style="stroke: #{r.randrange(1 << 24):06x}"/></svg>'


@family
def table_information(r: random.Random) -> str:
    g, out = generator(r), io.StringIO()
    pd.DataFrame(
        {r.choice(WORDS) + str(k): g.integers(0, 9, 50) for k in range(r.randint(2, 8))}
    ).info(buf=out)
    return out.getvalue()


@family
def model_reports(r: random.Random) -> str:
    rows = [
        f"{r.choice(WORDS):>12}  {r.random():.2f}  {r.random():.2f}  {r.random():.2f}  {r.randrange(10**5):>8}"
        for _ in range(r.randint(2, 8))
    ]
    return (
        "              precision    recall  f1-score   support\n"
        + "\n".join(rows)
        + f"\nepoch {r.randint(1, 99)}/100 - loss: {r.random():.4f} - tokens: {r.randrange(10**9)}"
    )


@family
def schemas(r: random.Random) -> str:
    fields = {
        name: {"type": r.choice(["string", "integer", "null"]), "description": prose(r, 4)}
        for name in r.sample(
            [
                "password",
                "api_key",
                "token",
                "email",
                "phone",
                "name",
                "id",
                "secret",
                "iban",
                "ssn",
            ],
            4,
        )
    }
    return json.dumps(
        {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "password": None,
            "secret": r.choice(["required", "string"]),
        },
        indent=2,
    )


@family
def serialized_rows(r: random.Random) -> str:
    n = r.randint(2, 10)
    return "\n".join(
        ",".join(
            [
                str(r.randrange(10**11, 10**12)),
                r.choice(NAMES),
                r.choice(CITIES),
                f"{r.uniform(0, 1e4):.2f}",
                r.randbytes(8).hex(),
            ]
        )
        for _ in range(n)
    )


@family
def product_codes(r: random.Random) -> str:
    def letters(n: int) -> str:
        return "".join(r.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(n))

    return "\n".join(
        r.choice(
            [
                f"{letters(2)}{r.randrange(10**6):06}{letters(1)}",
                f"{r.randrange(10**8):08}{letters(1)}",
                f"{letters(3)}-{r.randrange(10**4):04}-{letters(2)}",
                f"{letters(5)}{r.randrange(10**4):04}{letters(1)}",
            ]
        )
        + f"  {r.randint(1, 99)} pcs"
        for _ in range(r.randint(2, 9))
    )


@family
def sequences(r: random.Random) -> str:
    return (
        ">seq"
        + str(r.randrange(1000))
        + "\n"
        + textwrap.fill("".join(r.choice("ACGT") for _ in range(r.randint(60, 900))), 60)
    )


def by_hand() -> list[str]:
    return (HERE / "by_hand.txt").read_text(encoding="utf-8").strip("\n").split(SEPARATOR)


def samples(each: int = 40, seed: int = 20240601) -> Iterator[tuple[str, str]]:
    """Every sample, with the name of its family. Those by hand come first."""
    yield from (("by_hand", text) for text in by_hand())
    for name, make in FAMILIES.items():
        r = random.Random(f"{seed} {name}")
        for _ in range(each):
            yield name, make(r)


def halves(
    each: int = 40, seed: int = 20240601
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The half that the tables were tuned on, and the one that the figure is of. No text is in
    both."""
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    for number, (name, text) in enumerate(samples(each, seed)):
        if text not in first and text not in second:
            (second if number % 2 else first)[text] = name
    return [(name, text) for text, name in first.items()], [
        (name, text) for text, name in second.items()
    ]
