import sqlite3

db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE sale (day TEXT, region TEXT, amount INTEGER)")
rows = [(f"2024-01-{day:02}", region, (day * factor) % 17) for day in range(1, 8) for region, factor in (("n", 5), ("s", 7))]
db.executemany("INSERT INTO sale VALUES (?,?,?)", rows)
query = """
WITH daily AS (SELECT day, SUM(amount) AS total FROM sale GROUP BY day)
SELECT day, total,
       SUM(total) OVER (ORDER BY day) AS running,
       RANK() OVER (ORDER BY total DESC) AS place
FROM daily ORDER BY day
"""
for row in db.execute(query):
    print(*row)
recursive = "WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f LIMIT 10) SELECT a FROM f"
print([value for (value,) in db.execute(recursive)])
print(db.execute("SELECT region, GROUP_CONCAT(amount) FROM sale GROUP BY region").fetchall())
