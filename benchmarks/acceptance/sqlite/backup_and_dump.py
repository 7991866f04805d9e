import sqlite3

source = sqlite3.connect("source.db")
source.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
source.executemany("INSERT INTO note (text) VALUES (?)", [("first",), ("it's second",), (None,)])
source.commit()
print("\n".join(source.iterdump()))
target = sqlite3.connect("backup.db")
source.backup(target)
print(target.execute("SELECT * FROM note").fetchall())
memory = sqlite3.connect(":memory:")
memory.executescript("\n".join(source.iterdump()))
print(memory.total_changes, memory.execute("SELECT MAX(id) FROM note").fetchone())
for connection in (source, target, memory):
    connection.close()
try:
    source.execute("SELECT 1")
except sqlite3.ProgrammingError as error:
    print(error)
