"""Check digits: the arithmetic that tells a number of some kind from any other. Each takes the
characters without separators."""

from __future__ import annotations

import datetime
from collections.abc import Sequence


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit)
        if place % 2:
            number = number * 2 - 9 if number > 4 else number * 2
        total += number
    return total % 10 == 0


_CARDS: tuple[tuple[int, int, tuple[int, ...], str], ...] = (
    (
        400000,
        499999,
        (16, 19),
        "Visa; its 13 digits are no longer given out, and look like a time in milliseconds",
    ),
    (510000, 559999, (16,), "Mastercard"),
    (222100, 272099, (16,), "Mastercard"),
    (340000, 349999, (15,), "American Express"),
    (370000, 379999, (15,), "American Express"),
    (601100, 601199, (16, 19), "Discover"),
    (644000, 659999, (16, 19), "Discover"),
    (352800, 358999, (16, 19), "JCB"),
    (300000, 305999, (14,), "Diners Club"),
    (360000, 369999, (14,), "Diners Club"),
    (380000, 399999, (14, 16), "Diners Club"),
    (620000, 629999, (16, 17, 18, 19), "UnionPay"),
    (810000, 817199, (16,), "UnionPay"),
    (220000, 220499, (16,), "Mir"),
    (508500, 508999, (16,), "RuPay"),
    (606985, 607984, (16,), "RuPay"),
)
"""From, to (six digits), lengths, whose."""


def payment_card(digits: str) -> bool:
    """A card's number: the issuer's range, the length that goes with it, and Luhn's check digit."""
    if not 14 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    issuer = int(digits[:6])
    return any(
        first <= issuer <= last and len(digits) in lengths for first, last, lengths, _ in _CARDS
    ) and luhn(digits)


IBAN_LENGTHS: dict[str, int] = {
    name: int(length)
    for name, length in (
        pair.split(":")
        for pair in (
            "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BI:27 BR:29 BY:28 CH:21 CR:22"
            " CY:28 CZ:24 DE:22 DJ:27 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FK:18 FO:18 FR:27 GB:22"
            " GE:22 GI:23 GL:18 GR:27 GT:28 HN:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30"
            " KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MN:20"
            " MR:27 MT:31 MU:30 NI:28 NL:18 NO:15 OM:23 PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 RS:22"
            " RU:33 SA:24 SC:31 SD:18 SE:24 SI:19 SK:24 SM:27 SO:23 ST:25 SV:28 TL:23 TN:24 TR:26"
            " UA:29 VA:22 VG:24 XK:20 YE:30"
        ).split()
    )
}


def iban(text: str) -> bool:
    if IBAN_LENGTHS.get(text[:2]) != len(text) or not (text.isascii() and text.isalnum()):
        return False
    turned = text[4:] + text[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def is_date(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def is_short_date(digits: str) -> bool:
    """YYMMDD of either century."""
    year, month, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    return is_date(1900 + year, month, day) or is_date(2000 + year, month, day)


_VERHOEFF_TIMES = (
    "0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043"
    " 8765932104 9876543210".split()
)
_VERHOEFF_TURN = "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258".split()  # noqa: E501


def verhoeff(digits: str) -> bool:
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_VERHOEFF_TIMES[check][int(_VERHOEFF_TURN[place % 8][int(digit)])])
    return check == 0


def iso_7064_11_10(digits: str) -> bool:
    product = 10
    for digit in digits[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def ean(digits: str) -> bool:
    return (10 - weighted(digits[:-1], (1, 3) * 10) % 10) % 10 == int(digits[-1])


# -- national ids


def us_ssn(digits: str) -> bool:
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    if (
        area == "000"
        or area == "666"
        or group == "00"
        or serial == "0000"
        or len(set(digits)) == 1
        or digits == "123456789"
    ):
        return False
    return area < "900" or int(group) in {
        *range(50, 66),
        *range(70, 89),
        90,
        91,
        92,
        *range(94, 100),
    }  # from 900 on those of taxpayers


def de_steuer_id(digits: str) -> bool:
    if digits[0] == "0":
        return False
    times = sorted(digits[:10].count(digit) for digit in set(digits[:10]))
    return times[-1] in (2, 3) and times[:-1].count(1) == len(times) - 1 and iso_7064_11_10(digits)


def fr_nir(text: str) -> bool:
    number = text[:13].replace("2A", "19").replace("2B", "18")
    month = int(text[3:5])
    return (
        number.isdigit()
        and (1 <= month <= 12 or 20 <= month <= 42 or month >= 50)
        and 97 - int(number) % 97 == int(text[13:])
    )


def es_dni(text: str) -> bool:
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1]


_CF_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23  # noqa: E501
), strict=True))  # fmt: skip


def it_codice_fiscale(text: str) -> bool:
    total = sum(
        _CF_ODD[c] if place % 2 == 0 else int(c, 36) - (10 if c.isalpha() else 0)
        for place, c in enumerate(text[:15])
    )
    return chr(ord("A") + total % 26) == text[15]


def nl_bsn(digits: str) -> bool:
    return int(digits) > 0 and weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def pl_pesel(digits: str) -> bool:
    month, day = int(digits[2:4]) % 20, int(digits[4:6])
    return (
        1 <= month <= 12
        and 1 <= day <= 31
        and weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0
    )


def se_personnummer(digits: str) -> bool:
    digits = digits[-10:]
    day = int(digits[4:6])
    return is_short_date(f"{digits[:4]}{day - 60 if day > 60 else day:02}") and luhn(digits)


def br_cpf(digits: str) -> bool:
    first = weighted(digits, range(10, 1, -1)) * 10 % 11 % 10
    second = weighted(digits[:10], range(11, 1, -1)) * 10 % 11 % 10
    return len(set(digits)) > 1 and digits[9:] == f"{first}{second}"


def cn_resident(text: str) -> bool:
    if (
        not is_date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
        or not "1900" <= text[6:10] <= "2100"
    ):
        return False
    return (
        "10X98765432"[
            weighted(text[:17], (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
        ]
        == text[17]
    )


def ch_ahv(digits: str) -> bool:
    return digits.startswith("756") and ean(digits)


def be_register(digits: str) -> bool:
    return (
        any(97 - int(century + digits[:9]) % 97 == int(digits[9:]) for century in ("", "2"))
        and int(digits[2:4]) <= 12
    )


def fi_hetu(text: str) -> bool:
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(text[:6] + text[7:10]) % 31] == text[
        10
    ] and is_short_date(text[4:6] + text[2:4] + text[:2])


def dk_cpr(digits: str) -> bool:
    return is_short_date(digits[4:6] + digits[2:4] + digits[:2])


def no_number(digits: str) -> bool:
    first = -weighted(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
    second = -weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return digits[9:] == f"{first}{second}"


def ca_sin(digits: str) -> bool:
    return digits[0] not in "08" and luhn(digits)


def au_tfn(digits: str) -> bool:
    return weighted(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0 and int(digits) > 0


def mx_curp(text: str) -> bool:
    order = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    total = sum(
        order.index(c) * weight for c, weight in zip(text[:17], range(18, 1, -1), strict=True)
    )
    return is_short_date(text[4:10]) and str(-total % 10) == text[17]


def kr_rrn(digits: str) -> bool:
    check = (11 - weighted(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    # Numbers of people born since October 2020 have no check digit.
    return is_short_date(digits[:6]) and (
        check == int(digits[12]) or digits[6] in "34" and "2010" <= digits[:4] < "4000"
    )


def jp_my_number(digits: str) -> bool:
    rest = weighted(digits, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest <= 1 else 11 - rest) == int(digits[11])


def za_id(digits: str) -> bool:
    return is_short_date(digits[:6]) and digits[10] in "012" and luhn(digits)


def tr_tckn(digits: str) -> bool:
    odd, even = sum(map(int, digits[0:9:2])), sum(map(int, digits[1:8:2]))
    return (
        digits[0] != "0"
        and (odd * 7 - even) % 10 == int(digits[9])
        and sum(map(int, digits[:10])) % 10 == int(digits[10])
    )


def cl_rut(text: str) -> bool:
    total = weighted(text[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3))
    return "0123456789K0"[11 - total % 11] == text[-1].upper()


def sg_nric(text: str) -> bool:
    total = weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(text[0], 0)
    letters = (
        "JZIHGFEDCBA" if text[0] in "ST" else "XWUTRQPNMLK" if text[0] in "FG" else "KLJNPQRTUWX"
    )
    place = total % 11
    return letters[10 - place if text[0] == "M" else place] == text[8]


def pt_nif(digits: str) -> bool:
    rest = weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest < 2 else 11 - rest) == int(digits[8])


def cz_rodne(digits: str) -> bool:
    return int(digits[2:4]) % 50 % 20 in range(1, 13) and (
        int(digits) % 11 == 0 or int(digits[:9]) % 11 == 10 and digits[9] == "0"
    )


def ro_cnp(digits: str) -> bool:
    rest = weighted(digits, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return (
        digits[0] != "0"
        and is_short_date(digits[1:7])
        and (1 if rest == 10 else rest) == int(digits[12])
    )


def ie_pps(text: str) -> bool:
    extra = (int(text[8], 36) - 9) * 9 if len(text) > 8 and text[8] != "W" else 0
    return "WABCDEFGHIJKLMNOPQRSTUV"[(weighted(text[:7], range(8, 1, -1)) + extra) % 23] == text[7]


def at_svnr(digits: str) -> bool:
    return digits[0] != "0" and (
        weighted(digits[:3], (3, 7, 9)) + weighted(digits[4:], (5, 8, 4, 2, 1, 6))
    ) % 11 == int(digits[3])
