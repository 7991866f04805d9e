import csv
import os


def write_sales(path):
    rows = [
        {"region": "north", "product": "apples", "amount": "12.50"},
        {"region": "south", "product": "pears", "amount": "7.25"},
        {"region": "north", "product": "pears", "amount": "3.00"},
        {"region": "west", "product": "apples, red", "amount": "20.10"},
    ]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=["region", "product", "amount"])
        writer.writeheader()
        writer.writerows(rows)


def totals(path):
    result = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            result[row["region"]] = result.get(row["region"], 0.0) + float(row["amount"])
    return result


write_sales("sales.csv")
for region, total in sorted(totals("sales.csv").items()):
    print(f"{region}: {total:.2f}")
print(os.path.getsize("sales.csv"), "bytes")
os.remove("sales.csv")
print(os.path.exists("sales.csv"))
