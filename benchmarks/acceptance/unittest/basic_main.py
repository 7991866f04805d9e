import unittest


def roman(number):
    """Convert a number from 1 to 3999 to Roman numerals."""
    if not 0 < number < 4000:
        raise ValueError(f"out of range: {number}")
    result = ""
    for value, text in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
                        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        count, number = divmod(number, value)
        result += text * count
    return result


class TestRoman(unittest.TestCase):
    def test_known(self):
        for number, text in ((1, "I"), (4, "IV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX")):
            with self.subTest(number=number):
                self.assertEqual(roman(number), text)

    def test_range(self):
        for number in (0, -1, 4000):
            with self.subTest(number=number), self.assertRaises(ValueError):
                roman(number)


if __name__ == "__main__":
    unittest.main(exit=False)
