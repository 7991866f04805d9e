import unittest

import numpy as np


def moving_average(values, width):
    """The mean of each window of `width` values."""
    if width < 1 or width > len(values):
        raise ValueError("width out of range")
    return np.convolve(values, np.ones(width), "valid") / width


class TestMovingAverage(unittest.TestCase):
    def test_simple(self):
        np.testing.assert_allclose(moving_average([1, 2, 3, 4], 2), [1.5, 2.5, 3.5])

    def test_shapes(self):
        for width in (1, 3, 5):
            with self.subTest(width=width):
                self.assertEqual(len(moving_average(np.zeros(5), width)), 6 - width)

    def test_range(self):
        with self.assertRaisesRegex(ValueError, "out of range"):
            moving_average([1, 2], 3)


suite = unittest.TestLoader().loadTestsFromTestCase(TestMovingAverage)
result = unittest.TextTestRunner(verbosity=0).run(suite)
print(result.testsRun, result.wasSuccessful())
