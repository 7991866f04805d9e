import unittest, matplotlib.pyplot as plt, numpy as np
from unittest.mock import patch
def f(d):
    plt.hist(d, bins=3); plt.xlabel("v"); plt.show()
class T(unittest.TestCase):
    @patch("matplotlib.pyplot.show")
    def test_show(self, show):
        f([1, 2, 3]); show.assert_called_once(); self.assertEqual(plt.gca().get_xlabel(), "v"); plt.close("all")
    @patch("matplotlib.pyplot.hist")
    @patch("matplotlib.pyplot.show")
    def test_hist(self, show, hist): f([1]); hist.assert_called_once_with([1], bins=3)
    def test_after_show(self):
        f([1, 2]); print(plt.get_fignums()); plt.close("all")
    @patch("matplotlib.pyplot.savefig")
    def test_save(self, s): plt.plot([1]); plt.savefig("x.png"); s.assert_called_with("x.png"); plt.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
