"""Dataclasses: construction, defaults, ordering, hashing, `replace` and `asdict`."""

from dataclasses import asdict, astuple, dataclass, field, replace


@dataclass(frozen=True, order=True)
class Price:
    amount: int
    currency: str = "EUR"


@dataclass
class Line:
    article: str
    price: Price
    count: int = 1
    notes: list = field(default_factory=list)

    @property
    def total(self):
        return self.price.amount * self.count


@dataclass(slots=True)
class Order:
    number: int
    lines: list
    total: int = field(init=False)

    def __post_init__(self):
        self.total = sum(line.total for line in self.lines)


def orders(count):
    for number in range(count):
        lines = [Line(f"article {n}", Price((number * 37 + n) % 101), n + 1) for n in range(4)]
        yield Order(number, lines)


def bookkeeping(count):
    book = list(orders(count))
    prices = [line.price for order in book for line in order.lines]
    distinct = set(prices)
    dearest, cheapest = max(prices), min(prices)
    later = sum(first < second for first, second in zip(prices, prices[1:]))
    same = sum(line == replace(line, count=2) for order in book for line in order.lines)
    plain = [asdict(order) for order in book[::3]]
    rows = [astuple(price) for price in sorted(distinct)]
    total = sum(order["lines"][0]["price"]["amount"] for order in plain)
    return len(distinct), repr(dearest), repr(cheapest), later, same, total, rows[:2]


bookkeeping(3_400)
