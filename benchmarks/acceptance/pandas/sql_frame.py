import sqlite3

import pandas as pd

frame = pd.DataFrame({"name": ["Ann", "Bob", "Cy"], "age": [31, 25, 47]})
with sqlite3.connect("people.db") as connection:
    print(frame.to_sql("people", connection, index=False))
    older = pd.read_sql("SELECT * FROM people WHERE age > ? ORDER BY age", connection, params=(30,))
    print(older)
    frame.assign(age=frame.age + 1).to_sql("people", connection, index=False, if_exists="append")
    print(pd.read_sql("SELECT name, COUNT(*) n, AVG(age) mean FROM people GROUP BY name", connection))
    try:
        frame.to_sql("people", connection)
    except ValueError as error:
        print(error)
connection.close()
