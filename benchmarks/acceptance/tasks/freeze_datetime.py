import unittest
from datetime import datetime
from unittest.mock import patch
import datetime as dt_module
def stamp(): return datetime.now().strftime("%Y")
class T(unittest.TestCase):
    @patch("__main__.datetime")
    def test(self, d): d.now.return_value = dt_module.datetime(1999, 1, 1); self.assertEqual(stamp(), "1999")
    def test_time(self):
        with patch("time.time", return_value=5): import time; self.assertEqual(time.time(), 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
