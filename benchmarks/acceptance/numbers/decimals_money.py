from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, getcontext, localcontext

CENT = Decimal("0.01")


def split_bill(total, people):
    """Split so that the cents add up."""
    share = (total / people).quantize(CENT, ROUND_HALF_UP)
    shares = [share] * (people - 1)
    return shares + [total - sum(shares)]


print(split_bill(Decimal("100"), 3), Decimal("0.1") + Decimal("0.2"), 0.1 + 0.2)
print(Decimal("2.675").quantize(CENT, ROUND_HALF_EVEN), round(Decimal("2.5")), Decimal(0.1))
with localcontext() as context:
    context.prec = 50
    print(Decimal(2).sqrt())
print(getcontext().prec, Decimal("1E+3").normalize(), Decimal("-1.5").as_tuple(), f"{Decimal('1234567.891'):,.2f}")
for expression in (lambda: Decimal(1) / 0, lambda: Decimal("abc")):
    try:
        expression()
    except (DivisionByZero, InvalidOperation) as error:
        print(type(error).__name__)
balance = Decimal("1000")
for year in range(3):
    balance = (balance * Decimal("1.035")).quantize(CENT)
print(balance, Context(prec=3).create_decimal("1.23456"))
