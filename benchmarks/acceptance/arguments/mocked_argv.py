import argparse
import unittest
from unittest.mock import patch


def parse():
    parser = argparse.ArgumentParser(prog="app")
    parser.add_argument("name")
    parser.add_argument("--times", type=int, default=1)
    return parser.parse_args()


def main():
    args = parse()
    return " ".join([args.name] * args.times)


class TestMain(unittest.TestCase):
    def test_argv(self):
        with patch("sys.argv", ["app", "hi", "--times", "3"]):
            self.assertEqual(main(), "hi hi hi")

    def test_namespace(self):
        with patch("argparse.ArgumentParser.parse_args", return_value=argparse.Namespace(name="x", times=2)):
            self.assertEqual(main(), "x x")

    def test_missing(self):
        with patch("sys.argv", ["app"]), self.assertRaises(SystemExit) as caught:
            main()
        self.assertEqual(caught.exception.code, 2)


unittest.main(exit=False)
