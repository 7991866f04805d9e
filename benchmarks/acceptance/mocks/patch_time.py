import datetime
import time
import unittest
from unittest.mock import MagicMock, patch


def greeting():
    hour = datetime.datetime.now().hour
    return "good morning" if hour < 12 else "good evening"


def retry(function, attempts=3, delay=5):
    for attempt in range(attempts):
        try:
            return function()
        except OSError:
            time.sleep(delay * 2**attempt)
    raise TimeoutError("gave up")


class TestTime(unittest.TestCase):
    @patch("datetime.datetime")
    def test_greeting(self, fake):
        fake.now.return_value = MagicMock(hour=9)
        self.assertEqual(greeting(), "good morning")
        fake.now.return_value.hour = 20
        self.assertEqual(greeting(), "good evening")

    @patch("time.sleep")
    def test_retry(self, sleep):
        self.assertEqual(retry(MagicMock(side_effect=[OSError, OSError, "ok"])), "ok")
        self.assertEqual([call.args[0] for call in sleep.call_args_list], [5, 10])

    @patch("time.sleep", return_value=None)
    def test_gives_up(self, sleep):
        with self.assertRaisesRegex(TimeoutError, "gave up"):
            retry(MagicMock(side_effect=OSError))


unittest.main(exit=False)
