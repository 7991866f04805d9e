import os
import sqlite3
from contextlib import closing

DATABASE = "library.db"


def setup():
    with closing(sqlite3.connect(DATABASE)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS book (title TEXT, author TEXT, year INTEGER)")
        db.executemany(
            "INSERT INTO book VALUES (?, ?, ?)",
            [("Emma", "Austen", 1815), ("Ulysses", "Joyce", 1922), ("Persuasion", "Austen", 1817)],
        )


def by_author(author):
    with closing(sqlite3.connect(DATABASE)) as db:
        return db.execute("SELECT title, year FROM book WHERE author = ? ORDER BY year", (author,)).fetchall()


setup()
print(by_author("Austen"), by_author("Woolf"))
print(os.path.exists(DATABASE), open(DATABASE, "rb").read(15))
with closing(sqlite3.connect(DATABASE)) as db:
    try:
        with db:
            db.execute("DELETE FROM book")
            raise RuntimeError("changed my mind")
    except RuntimeError:
        pass
    print(db.execute("SELECT COUNT(*) FROM book").fetchone())
os.remove(DATABASE)
