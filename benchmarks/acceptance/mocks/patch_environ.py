import os
import unittest
from unittest import mock


def database_url():
    """The URL from the environment, or the default one."""
    user = os.environ.get("DB_USER", "guest")
    return f"db://{user}@{os.getenv('DB_HOST', 'localhost')}"


class TestUrl(unittest.TestCase):
    def test_default(self):
        with mock.patch.dict(os.environ, clear=True):
            self.assertEqual(database_url(), "db://guest@localhost")

    @mock.patch.dict(os.environ, {"DB_USER": "ann", "DB_HOST": "db1"})
    def test_set(self):
        self.assertEqual(database_url(), "db://ann@db1")

    @mock.patch("os.getenv", return_value="patched")
    def test_getenv(self, getenv):
        self.assertTrue(database_url().endswith("@patched"))
        getenv.assert_called_with("DB_HOST", "localhost")

    def test_restored(self):
        self.assertNotIn("DB_USER", os.environ)


unittest.main(exit=False, verbosity=2)
