# An inventory report with formatted columns, totals and a restock list.
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter


@dataclass(frozen=True)
class Product:
    name: str
    category: str
    price: float
    quantity: int
    minimum: int = 5

    @property
    def value(self):
        return self.price * self.quantity


RAW = """
Laptop|electronics|999.99|4
Mouse|electronics|19.50|120
Desk|furniture|250|3|2
Chair|furniture|89.9|0
Pen|office|0.99|1000|100
"""


def parse(text):
    for line in filter(None, map(str.strip, text.splitlines())):
        name, category, price, quantity, *rest = line.split("|")
        yield Product(name, category, float(price), int(quantity), *map(int, rest))


products = sorted(parse(RAW), key=attrgetter("category", "name"))
print(f"{'Name':<10}{'Price':>10}{'Qty':>6}{'Value':>12}")
print("=" * 38)
for category, group in groupby(products, key=attrgetter("category")):
    print(f"-- {category.title()} --")
    subtotal = 0
    for p in group:
        print(f"{p.name:<10}{p.price:>10.2f}{p.quantity:>6}{p.value:>12,.2f}")
        subtotal += p.value
    print(f"{'subtotal':>26}{subtotal:>12,.2f}")
restock = {p.name: p.minimum - p.quantity for p in products if p.quantity < p.minimum}
print("Restock:", restock or "nothing")
total = round(sum(p.value for p in products), 2)
