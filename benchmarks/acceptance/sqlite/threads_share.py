import sqlite3
import threading

PATH = "shared.db"
setup = sqlite3.connect(PATH)
setup.execute("CREATE TABLE hit (worker INTEGER, n INTEGER)")
setup.commit()
setup.close()


def work(number):
    db = sqlite3.connect(PATH, timeout=30)
    for n in range(5):
        with db:
            db.execute("INSERT INTO hit VALUES (?, ?)", (number, n))
    db.close()


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
db = sqlite3.connect(PATH)
print(db.execute("SELECT worker, COUNT(*) FROM hit GROUP BY worker").fetchall())
failure = []


def misuse():
    try:
        db.execute("SELECT 1")
    except sqlite3.ProgrammingError as error:
        failure.append(str(error).split(". ")[0])


thread = threading.Thread(target=misuse)
thread.start()
thread.join()
print(failure)
