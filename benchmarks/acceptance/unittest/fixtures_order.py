import unittest

LOG = []


def setUpModule():
    LOG.append("module up")


def tearDownModule():
    LOG.append("module down")


class Base(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        LOG.append(f"{cls.__name__} up")

    @classmethod
    def tearDownClass(cls):
        LOG.append(f"{cls.__name__} down")

    def setUp(self):
        LOG.append(f"  {self._testMethodName}")
        self.addCleanup(LOG.append, "  cleanup")

    def test_a(self):
        self.assertIs(None, None)


class Derived(Base):
    def test_b(self):
        self.skipTest("later")


unittest.main(exit=False, verbosity=2)
print("\n".join(LOG))
