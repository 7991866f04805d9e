import math
import sqlite3
import statistics


class Median:
    def __init__(self):
        self.values = []

    def step(self, value):
        if value is not None:
            self.values.append(value)

    def finalize(self):
        return statistics.median(self.values) if self.values else None


db = sqlite3.connect(":memory:")
db.create_function("hypot", 2, math.hypot, deterministic=True)
db.create_aggregate("median", 1, Median)
db.create_collation("by_length", lambda a, b: (len(a) > len(b)) - (len(a) < len(b)))
db.execute("CREATE TABLE t (name TEXT, x REAL, y REAL)")
db.executemany("INSERT INTO t VALUES (?, ?, ?)", [("ccc", 3, 4), ("a", 6, 8), ("bb", 5, 12)])
print(db.execute("SELECT name, hypot(x, y) FROM t ORDER BY name COLLATE by_length").fetchall())
print(db.execute("SELECT median(x), median(y) FROM t").fetchone())
try:
    db.execute("SELECT nothing(x) FROM t")
except sqlite3.OperationalError as error:
    print(error)
