import os
import unittest

import pandas as pd


def task_func(path, column):
    """Read a CSV file and return the frame sorted by a column, largest first.

    Raises FileNotFoundError if the file is missing and KeyError if the column is.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"no file {path}")
    frame = pd.read_csv(path)
    if column not in frame:
        raise KeyError(column)
    return frame.sort_values(column, ascending=False, ignore_index=True)


class TestCases(unittest.TestCase):
    def setUp(self):
        self.path = "test_data.csv"
        pd.DataFrame({"a": [3, 1, 2], "b": ["x", "y", "z"]}).to_csv(self.path, index=False)

    def tearDown(self):
        os.remove(self.path)

    def test_sorted(self):
        self.assertEqual(task_func(self.path, "a")["a"].tolist(), [3, 2, 1])

    def test_frame(self):
        pd.testing.assert_frame_equal(
            task_func(self.path, "b"), pd.DataFrame({"a": [2, 1, 3], "b": ["z", "y", "x"]})
        )

    def test_missing_file(self):
        with self.assertRaises(FileNotFoundError):
            task_func("none.csv", "a")

    def test_missing_column(self):
        self.assertRaises(KeyError, task_func, self.path, "q")


if __name__ == "__main__":
    unittest.main(exit=False)
