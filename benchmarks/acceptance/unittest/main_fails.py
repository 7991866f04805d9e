import unittest


class TestOne(unittest.TestCase):
    def test_wrong(self):
        self.assertAlmostEqual(0.1 + 0.2, 0.4, places=2, msg="sum of tenths")


if __name__ == "__main__":
    unittest.main()
