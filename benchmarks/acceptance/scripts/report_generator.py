"""Combine CSV, sqlite and a template into an HTML report."""
import csv
import html
import sqlite3
import string
from pathlib import Path

TEMPLATE = string.Template("<h1>$title</h1>\n<table>\n$rows\n</table>\n<p>$count rows, total $total</p>\n")


def load(db, path):
    with open(path, newline="") as file:
        rows = [(row["name"], float(row["amount"])) for row in csv.DictReader(file)]
    db.executemany("INSERT INTO payment VALUES (?, ?)", rows)
    return len(rows)


def render(db, title):
    rows = db.execute("SELECT name, SUM(amount), COUNT(*) FROM payment GROUP BY name ORDER BY 2 DESC").fetchall()
    body = "\n".join(f"<tr><td>{html.escape(name)}</td><td>{total:.2f}</td></tr>" for name, total, _ in rows)
    return TEMPLATE.substitute(title=title, rows=body, count=sum(row[2] for row in rows), total=f"{sum(row[1] for row in rows):.2f}")


Path("a.csv").write_text("name,amount\nAnn,10\nBob & Co,5.5\n")
Path("b.csv").write_text("name,amount\nAnn,2.25\n")
db = sqlite3.connect("payments.db")
with db:
    db.execute("CREATE TABLE payment (name TEXT, amount REAL)")
    print([load(db, path) for path in sorted(Path(".").glob("?.csv"))])
Path("report.html").write_text(render(db, "Payments"))
print(Path("report.html").read_text())
db.close()
