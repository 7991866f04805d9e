import io
import unittest


class Calculator:
    def divide(self, a, b):
        return a / b


class TestCalculator(unittest.TestCase):
    def setUp(self):
        self.calculator = Calculator()

    def test_divide(self):
        self.assertEqual(self.calculator.divide(6, 3), 2)

    def test_zero(self):
        self.calculator.divide(1, 0)


stream = io.StringIO()
suite = unittest.TestSuite()
suite.addTest(TestCalculator("test_divide"))
suite.addTests(unittest.defaultTestLoader.loadTestsFromName("TestCalculator.test_zero", __import__("__main__")))
result = unittest.TextTestRunner(stream=stream, failfast=True).run(suite)
print(result)
for test, text in result.errors:
    print(test.id(), text.strip().splitlines()[-1])
print(stream.getvalue().count("ERROR"), result.shouldStop, suite.countTestCases())
names = unittest.TestLoader().getTestCaseNames(TestCalculator)
print(names)
