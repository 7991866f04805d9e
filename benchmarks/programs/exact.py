"""Exact arithmetic: fractions, decimals with contexts, and whole numbers of many digits."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from math import comb, gcd


def harmonic(count):
    return sum((Fraction(1, n) for n in range(1, count + 1)), Fraction(0))


def bernoulli(count):
    numbers = [Fraction(1)]
    for n in range(1, count + 1):
        numbers.append(-sum((comb(n + 1, k) * number for k, number in enumerate(numbers)), Fraction(0)) / (n + 1))
    return numbers


def square_root(value, digits):
    with localcontext() as context:
        context.prec = digits
        guess = Decimal(value)
        for _ in range(digits.bit_length() + 4):
            guess = (guess + value / guess) / 2
        return guess


def savings(years):
    balance = Decimal("1000.00")
    cent = Decimal("0.01")
    for month in range(years * 12):
        rate = Decimal(month % 7 + 1) / 1200
        balance = (balance * (1 + rate)).quantize(cent, rounding=ROUND_HALF_EVEN) - month % 13
    return balance


def pell(count):
    """Successive best approximations of the square root of two, as whole numbers."""
    top, bottom = 1, 1
    common = 0
    for _ in range(count):
        top, bottom = top + 2 * bottom, top + bottom
        common += gcd(top, bottom)
    return top % 1_000_003, common


def compute(size):
    total = harmonic(size)
    return (
        total.numerator % 1_000_003,
        str(bernoulli(size // 8)[-2 if size // 8 % 2 else -1]),
        str(square_root(Decimal(2), size)),
        str(sum((savings(years) for years in range(1, size // 8)), Decimal(0))),
        pell(size),
    )


compute(800)
