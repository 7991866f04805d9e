import unittest


class TestOne(unittest.TestCase):
    def test_ok(self):
        self.assertAlmostEqual(0.1 + 0.2, 0.3)


if __name__ == "__main__":
    unittest.main()
