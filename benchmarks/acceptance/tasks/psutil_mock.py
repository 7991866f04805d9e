import psutil, unittest, time
from unittest.mock import patch, MagicMock
def f(name): return [p.info["name"] for p in psutil.process_iter(["name"]) if p.info["name"] == name]
class T(unittest.TestCase):
    @patch("psutil.process_iter")
    def test(self, it):
        m = MagicMock(); m.info = {"name": "x"}; it.return_value = [m]; self.assertEqual(f("x"), ["x"])
    @patch("psutil.cpu_percent", return_value=7.5)
    def test2(self, c): self.assertEqual(psutil.cpu_percent(1), 7.5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
