import sqlite3

connection = sqlite3.connect(":memory:")
connection.row_factory = sqlite3.Row
connection.executescript(
    """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, stock INTEGER CHECK (stock >= 0));
    INSERT INTO item (name, stock) VALUES ('bolt', 100), ('nut', 250), ('gear', 7);
    """
)


def take(name, count):
    with connection:
        connection.execute("UPDATE item SET stock = stock - ? WHERE name = ?", (count, name))


take("bolt", 30)
try:
    take("gear", 8)
except sqlite3.IntegrityError as error:
    print("refused:", error)
for row in connection.execute("SELECT * FROM item ORDER BY id"):
    print(row["id"], row["name"], row["stock"], row.keys())
print(connection.execute("SELECT COUNT(*), SUM(stock) FROM item").fetchone()[:])
connection.close()
