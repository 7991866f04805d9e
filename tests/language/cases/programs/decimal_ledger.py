# A double-entry ledger in Decimal that must balance.
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def money(value):
    return Decimal(str(value)).quantize(CENT, rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class Entry:
    account: str
    amount: Decimal


@dataclass
class Ledger:
    entries: list = field(default_factory=list)

    def post(self, day, memo, *entries):
        if sum(e.amount for e in entries) != 0:
            raise ValueError(f"{memo!r} is off by {sum(e.amount for e in entries)}")
        self.entries += [(day, memo, e) for e in entries]

    def transfer(self, day, memo, source, target, amount):
        amount = money(amount)
        self.post(day, memo, Entry(source, -amount), Entry(target, amount))

    def balances(self):
        totals = defaultdict(Decimal)
        for _, _, entry in self.entries:
            totals[entry.account] += entry.amount
        return dict(totals)


ledger = Ledger()
ledger.transfer(date(2024, 1, 1), "salary", "income", "bank", 2500)
ledger.transfer(date(2024, 1, 3), "rent", "bank", "housing", "899.995")
ledger.transfer(date(2024, 1, 9), "coffee", "bank", "food", 3.1)
net, tax = money(Decimal("19.99") / Decimal("1.19")), None
tax = money("19.99") - net
ledger.post(
    date(2024, 1, 12), "book", Entry("bank", -money("19.99")), Entry("books", net), Entry("tax", tax)
)
try:
    ledger.post(date(2024, 2, 1), "mistake", Entry("bank", money(-5)), Entry("food", money("4.99")))
except ValueError as error:
    print(error)
for account, balance in sorted(ledger.balances().items()):
    print(f"{account:<10}{balance:>12,}")
days = sorted({day for day, _, _ in ledger.entries})
print((days[-1] - days[0]).days, ledger.entries[0][0].isoformat())
sum(ledger.balances().values())
