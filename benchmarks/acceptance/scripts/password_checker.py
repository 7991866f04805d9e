import re
import unittest


def task_func(password):
    """
    Rate a password.

    Parameters:
    - password (str): The password.

    Returns:
    - str: 'weak', 'medium' or 'strong'.

    Requirements:
    - re

    Example:
    >>> task_func("abc")
    'weak'
    """
    if not isinstance(password, str):
        raise TypeError("password must be a string")
    score = sum(bool(re.search(pattern, password)) for pattern in (r"[a-z]", r"[A-Z]", r"\d", r"[^\w\s]", r".{12}"))
    return "weak" if score < 3 or len(password) < 8 else "medium" if score < 5 else "strong"


class TestCases(unittest.TestCase):
    def test_case_1(self):
        self.assertEqual(task_func("password"), "weak")

    def test_case_2(self):
        self.assertEqual(task_func("Passw0rd"), "medium")

    def test_case_3(self):
        self.assertEqual(task_func("C0rrect-Horse-Battery"), "strong")

    def test_case_4(self):
        with self.assertRaises(TypeError):
            task_func(12345678)

    def test_case_5(self):
        self.assertEqual(task_func(""), "weak")


def run_tests():
    suite = unittest.TestSuite()
    suite.addTest(unittest.makeSuite(TestCases)) if hasattr(unittest, "makeSuite") and False else suite.addTest(
        unittest.defaultTestLoader.loadTestsFromTestCase(TestCases)
    )
    unittest.TextTestRunner().run(suite)


if __name__ == "__main__":
    run_tests()
