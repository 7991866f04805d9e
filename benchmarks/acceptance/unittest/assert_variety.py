import logging
import unittest
import warnings


class TestAsserts(unittest.TestCase):
    maxDiff = None

    def test_collections(self):
        self.assertCountEqual([3, 1, 2], [1, 2, 3])
        self.assertDictEqual({"a": 1}, {"a": 1})
        self.assertSetEqual({1}, {1})
        self.assertGreaterEqual(3, 3)
        self.assertIsInstance(1, int)

    def test_text(self):
        self.assertRegex("hello world", r"w\w+d$")
        self.assertMultiLineEqual("a\nb", "a\nb")

    def test_logs(self):
        with self.assertLogs("app", level="INFO") as caught:
            logging.getLogger("app").warning("disk at %d%%", 91)
        self.assertEqual(caught.output, ["WARNING:app:disk at 91%"])

    def test_warns(self):
        with self.assertWarns(DeprecationWarning):
            warnings.warn("old", DeprecationWarning)

    def test_raises_context(self):
        with self.assertRaises(ZeroDivisionError) as caught:
            1 / 0
        self.assertEqual(str(caught.exception), "division by zero")

    def test_long_diff(self):
        self.assertEqual("line one\nline two\nline three", "line one\nline 2\nline three")


unittest.main(exit=False, argv=["x", "-v"])
