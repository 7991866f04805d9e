# Sales data from CSV text, grouped, summed and ranked.
import csv
import io
import json
import statistics
from collections import defaultdict
from datetime import datetime

DATA = """date,region,product,units,price
2024-01-05,North,Widget,10,2.50
2024-01-17,South,Gadget,3,10.00
2024-02-02,North,Gadget,7,10.00
2024-02-14,East,Widget,20,2.40
2024-02-28,South,Widget,5,2.50
2024-03-09,North,Widget,8,2.60
2024-03-30,East,Gizmo,1,99.90
"""

rows = [
    {**row, "date": datetime.strptime(row["date"], "%Y-%m-%d"), "revenue": int(row["units"]) * float(row["price"])}
    for row in csv.DictReader(io.StringIO(DATA))
]


def total_by(key):
    totals = defaultdict(float)
    for row in rows:
        totals[key(row)] += row["revenue"]
    return dict(sorted(totals.items(), key=lambda pair: pair[1], reverse=True))


by_region = total_by(lambda r: r["region"])
by_month = total_by(lambda r: r["date"].strftime("%b"))
by_product = total_by(lambda r: r["product"])
for title, table in [("Region", by_region), ("Month", by_month), ("Product", by_product)]:
    print(title)
    for name, amount in table.items():
        print(f"  {name:<8}{amount:>9.2f} {amount / sum(table.values()):>6.1%}")
revenues = [row["revenue"] for row in rows]
summary = {
    "mean": round(statistics.mean(revenues), 2),
    "median": statistics.median(revenues),
    "best": max(by_region, key=by_region.get),
    "growth": [round(b - a, 2) for a, b in zip(revenues, revenues[1:])],
}
print(json.dumps(summary))
summary["best"]
