import json
import os
import shutil
import tempfile
import unittest


def task_func(directory):
    """Return the total of the "value" fields of all JSON files of a directory."""
    total = 0
    for name in sorted(os.listdir(directory)):
        if name.endswith(".json"):
            with open(os.path.join(directory, name)) as file:
                total += json.load(file).get("value", 0)
    return total


class TestCases(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp()

    def tearDown(self):
        shutil.rmtree(self.directory)

    def write(self, name, data):
        with open(os.path.join(self.directory, name), "w") as file:
            json.dump(data, file)

    def test_case_1(self):
        self.write("a.json", {"value": 2})
        self.write("b.json", {"value": 5})
        self.write("c.txt", {"value": 100})
        self.assertEqual(task_func(self.directory), 7)

    def test_case_2(self):
        self.assertEqual(task_func(self.directory), 0)

    def test_case_3(self):
        with open(os.path.join(self.directory, "bad.json"), "w") as file:
            file.write("{")
        with self.assertRaises(json.JSONDecodeError):
            task_func(self.directory)

    def test_case_4(self):
        with self.assertRaises(FileNotFoundError):
            task_func(os.path.join(self.directory, "none"))


if __name__ == "__main__":
    unittest.main(exit=False)
