import unittest
from unittest.mock import mock_open, patch


def count_lines(path):
    with open(path) as file:
        return sum(1 for _ in file)


def save(path, text):
    with open(path, "w") as file:
        file.write(text)


class TestFiles(unittest.TestCase):
    @patch("builtins.open", new_callable=mock_open, read_data="a\nb\nc\n")
    def test_count(self, opened):
        self.assertEqual(count_lines("anything.txt"), 3)
        opened.assert_called_once_with("anything.txt")

    def test_save(self):
        with patch("builtins.open", mock_open()) as opened:
            save("out.txt", "hello")
        opened.assert_called_once_with("out.txt", "w")
        opened().write.assert_called_once_with("hello")

    def test_error(self):
        with patch("builtins.open", side_effect=PermissionError("no")):
            self.assertRaises(PermissionError, count_lines, "x")


unittest.main(argv=["first-arg-is-ignored"], exit=False)
