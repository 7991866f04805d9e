import unittest
from unittest.mock import patch


def fetch_price(symbol):
    raise ConnectionError("no network")


def portfolio_value(holdings):
    return sum(count * fetch_price(symbol) for symbol, count in holdings.items())


class TestPortfolio(unittest.TestCase):
    @patch("__main__.fetch_price")
    def test_value(self, fetch):
        fetch.side_effect = {"A": 10.0, "B": 2.5}.__getitem__
        self.assertEqual(portfolio_value({"A": 2, "B": 4}), 30.0)
        self.assertEqual(fetch.call_count, 2)

    @patch(__name__ + ".fetch_price", return_value=1)
    def test_name(self, fetch):
        self.assertEqual(portfolio_value({"X": 3}), 3)

    def test_unpatched(self):
        with self.assertRaises(ConnectionError):
            portfolio_value({"A": 1})


if __name__ == "__main__":
    unittest.main(exit=False)
