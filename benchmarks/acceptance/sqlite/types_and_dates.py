import json
import sqlite3
from datetime import date

sqlite3.register_adapter(dict, json.dumps)
sqlite3.register_adapter(date, date.isoformat)
sqlite3.register_converter("json", json.loads)
sqlite3.register_converter("day", lambda raw: date.fromisoformat(raw.decode()))
db = sqlite3.connect("typed.db", detect_types=sqlite3.PARSE_DECLTYPES)
db.execute("CREATE TABLE event (at DAY, payload JSON, raw BLOB, ratio REAL)")
db.execute(
    "INSERT INTO event VALUES (?, ?, ?, ?)", (date(2024, 2, 29), {"a": [1, 2]}, b"\x00\xff", 0.1 + 0.2)
)
row = db.execute("SELECT * FROM event").fetchone()
print(row)
print([column[0] for column in db.execute("SELECT at AS moment, raw FROM event").description])
print(db.execute("SELECT typeof(at), typeof(raw), date(at, '+1 year') FROM event").fetchone())
db.close()
