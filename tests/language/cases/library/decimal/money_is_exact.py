# Decimal arithmetic is exact, rounds as asked and follows a local context.
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, DivisionByZero, InvalidOperation, getcontext, localcontext

print(Decimal("0.1") + Decimal("0.2"), 0.1 + 0.2, Decimal(1) / Decimal(3))
cents = Decimal("0.01")
print(Decimal("2.675").quantize(cents, ROUND_HALF_UP), Decimal("2.665").quantize(cents, ROUND_HALF_EVEN))
with localcontext() as context:
    context.prec = 5
    print(Decimal(2).sqrt(), Decimal(22) / 7)
print(getcontext().prec, Decimal("1.10").normalize(), Decimal("1E+3"), f"{Decimal('1234567.891'):,.2f}")
print(sum([Decimal("1.1")] * 3), max(Decimal(3), 2), Decimal("-5").as_tuple(), Decimal("NaN").is_nan())
for expression in (lambda: Decimal(1) / 0, lambda: Decimal("abc")):
    try:
        expression()
    except (DivisionByZero, InvalidOperation) as error:
        print(type(error).__name__)
try:
    Decimal(1) + 0.5
except TypeError as error:
    print(error)
Decimal("3.14").to_integral_value()
