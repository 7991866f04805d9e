import os
import sqlite3
import unittest


class Todo:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE IF NOT EXISTS todo (id INTEGER PRIMARY KEY, text, done DEFAULT 0)")

    def add(self, text):
        with self.db:
            return self.db.execute("INSERT INTO todo (text) VALUES (?)", (text,)).lastrowid

    def finish(self, number):
        with self.db:
            if not self.db.execute("UPDATE todo SET done = 1 WHERE id = ?", (number,)).rowcount:
                raise LookupError(f"no todo {number}")

    def open(self):
        return [text for (text,) in self.db.execute("SELECT text FROM todo WHERE NOT done ORDER BY id")]


class TestTodo(unittest.TestCase):
    def setUp(self):
        self.path = "todo_test.db"
        self.todo = Todo(self.path)
        self.addCleanup(os.remove, self.path)
        self.addCleanup(self.todo.db.close)

    def test_add_and_finish(self):
        first = self.todo.add("write")
        self.todo.add("test")
        self.todo.finish(first)
        self.assertEqual(self.todo.open(), ["test"])

    def test_persists(self):
        self.todo.add("keep")
        self.assertEqual(Todo(self.path).open(), ["keep"])

    def test_unknown(self):
        with self.assertRaises(LookupError) as caught:
            self.todo.finish(42)
        self.assertEqual(str(caught.exception), "no todo 42")


if __name__ == "__main__":
    unittest.main(exit=False, verbosity=2)
