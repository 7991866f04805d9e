import csv
import io
import math
from collections import Counter

DATA = """outlook,windy,play
sunny,no,no
sunny,yes,no
overcast,no,yes
rain,no,yes
rain,yes,no
overcast,yes,yes
sunny,no,yes
"""


def entropy(rows):
    counts = Counter(row["play"] for row in rows)
    return -sum(n / len(rows) * math.log2(n / len(rows)) for n in counts.values())


def build(rows, features):
    if entropy(rows) == 0 or not features:
        return Counter(row["play"] for row in rows).most_common(1)[0][0]

    def gain(feature):
        groups = Counter(row[feature] for row in rows)
        rest = sum(n / len(rows) * entropy([r for r in rows if r[feature] == v]) for v, n in groups.items())
        return entropy(rows) - rest

    best = max(features, key=gain)
    return best, {
        value: build([row for row in rows if row[best] == value], [f for f in features if f != best])
        for value in sorted({row[best] for row in rows})
    }


def show(tree, indent=0):
    if isinstance(tree, str):
        print(" " * indent + "->", tree)
    else:
        for value, branch in tree[1].items():
            print(" " * indent + f"{tree[0]} = {value}")
            show(branch, indent + 2)


rows = list(csv.DictReader(io.StringIO(DATA)))
print(round(entropy(rows), 4))
show(build(rows, ["outlook", "windy"]))
