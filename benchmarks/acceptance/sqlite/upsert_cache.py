import hashlib
import sqlite3


class Cache:
    """Results of a slow function, by the hash of its argument."""

    def __init__(self, path="cache.sqlite3"):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("CREATE TABLE IF NOT EXISTS cache (key TEXT PRIMARY KEY, value, hits INTEGER DEFAULT 0)")

    def get(self, text, compute):
        key = hashlib.md5(text.encode()).hexdigest()
        found = self.db.execute("UPDATE cache SET hits = hits + 1 WHERE key = ? RETURNING value", (key,)).fetchone()
        if found:
            return found[0]
        value = compute(text)
        self.db.execute(
            "INSERT INTO cache (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )
        return value


calls = []
cache = Cache()
for text in ("one", "two", "one", "three", "one"):
    print(text, cache.get(text, lambda text: calls.append(text) or text[::-1]))
print(calls, cache.db.execute("SELECT value, hits FROM cache ORDER BY value").fetchall())
