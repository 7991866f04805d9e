import csv
from itertools import chain
from pathlib import Path


def merge(sources, target, key):
    """Join CSV files with different columns on a key."""
    tables = []
    for source in sources:
        with source.open(newline="") as file:
            tables.append({row[key]: row for row in csv.DictReader(file)})
    columns = list(dict.fromkeys(chain.from_iterable(next(iter(t.values())).keys() for t in tables)))
    keys = sorted(set().union(*tables))
    with target.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="?", lineterminator="\n")
        writer.writeheader()
        for one in keys:
            row = {}
            for table in tables:
                row.update(table.get(one, {key: one}))
            writer.writerow(row)


Path("ages.csv").write_text("id,age\n1,30\n2,41\n")
Path("names.csv").write_text('id,name\n2,"Bob, Jr."\n3,Cy\n')
merge([Path("ages.csv"), Path("names.csv")], Path("merged.csv"), "id")
print(Path("merged.csv").read_text(), end="")
