"""Read an inventory, find what has to be ordered, and write a report."""
import csv
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Item:
    name: str
    stock: int
    minimum: int
    price: float

    @property
    def missing(self):
        return max(0, self.minimum - self.stock)


def load(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield Item(row["name"], int(row["stock"]), int(row["minimum"]), float(row["price"]))


def report(items, out=sys.stdout):
    total = 0.0
    for item in sorted(items, key=lambda item: -item.missing * item.price):
        if item.missing:
            cost = item.missing * item.price
            total += cost
            print(f"{item.name:<10}{item.missing:>5}{cost:>10.2f}", file=out)
    print(f"{'total':<10}{total:>15.2f}", file=out)


def main():
    Path("inventory.csv").write_text("name,stock,minimum,price\nbolt,5,50,0.10\ngear,9,3,12\nbelt,0,4,7.5\n")
    items = list(load("inventory.csv"))
    report(items)
    with open("report.txt", "w") as out:
        report(items, out)
    print(Path("report.txt").stat().st_size)


if __name__ == "__main__":
    main()
