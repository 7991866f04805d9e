import csv, unittest, os, io, sys, random, statistics, itertools, operator
from collections import Counter, defaultdict, OrderedDict
from unittest.mock import mock_open, patch
def f(p):
    with open(p, newline="") as h: rows = list(csv.DictReader(h))
    return Counter(r["a"] for r in rows)
class T(unittest.TestCase):
    def test_mock(self):
        with patch("builtins.open", mock_open(read_data="a,b\n1,2\n1,3\n")): self.assertEqual(f("x.csv"), {"1": 2})
    def test_mock_write(self):
        m = mock_open()
        with patch("builtins.open", m):
            with open("o", "w") as h: h.write("x")
        m.assert_called_once_with("o", "w"); m().write.assert_called_once_with("x")
    @patch("os.listdir", return_value=["a.csv", "b.txt"])
    @patch("os.path.exists", return_value=True)
    def test_os(self, e, l): self.assertEqual([x for x in os.listdir("/q") if x.endswith(".csv")], ["a.csv"]); self.assertTrue(os.path.exists("/none"))
    @patch("builtins.input", side_effect=["1", "q"])
    def test_in(self, i): self.assertEqual([input(), input()], ["1", "q"])
    @patch("sys.stdout", new_callable=io.StringIO)
    def test_out(self, o): print("x"); self.assertEqual(o.getvalue(), "x\n")
    @patch("random.choice", side_effect=lambda s: s[0])
    def test_r(self, c): self.assertEqual(random.choice("abc"), "a")
    def test_missing(self):
        with self.assertRaises(FileNotFoundError): f("missing.csv")
    @unittest.skip("why")
    def test_skip(self): pass
    @unittest.expectedFailure
    def test_xf(self): self.fail()
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertLess(i, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
