import unittest


class TestFailing(unittest.TestCase):
    """Some of these fail on purpose: the report is what counts."""

    def test_equal(self):
        self.assertEqual([1, 2, 3], [1, 2, 4])

    def test_error(self):
        {}["missing"]

    def test_passes(self):
        self.assertTrue(True)

    def test_sub(self):
        for number in (1, 2):
            with self.subTest("parity", number=number):
                self.assertEqual(number % 2, 0)

    @unittest.skip("not today")
    def test_skipped(self):
        raise AssertionError

    @unittest.expectedFailure
    def test_expected(self):
        self.assertIn("x", "abc")


if __name__ == "__main__":
    outcome = unittest.main(exit=False).result
    print(len(outcome.failures), len(outcome.errors), len(outcome.skipped), len(outcome.expectedFailures))
