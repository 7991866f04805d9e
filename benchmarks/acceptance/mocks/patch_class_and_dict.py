import json
import unittest
from unittest.mock import patch

LIMITS = {"size": 10, "depth": 2}


class Mailer:
    def __init__(self, host):
        self.host = host

    def send(self, to, text):
        raise OSError("no mail server")


def notify(users, text):
    mailer = Mailer("mail.example.com")
    sent = 0
    for user in users[: LIMITS["size"]]:
        sent += bool(mailer.send(user, json.dumps({"text": text})))
    return sent


class TestNotify(unittest.TestCase):
    def setUp(self):
        patcher = patch("__main__.Mailer", autospec=True)
        self.mailer = patcher.start()
        self.addCleanup(patcher.stop)

    def test_all(self):
        self.mailer.return_value.send.return_value = True
        self.assertEqual(notify(["a", "b"], "hi"), 2)
        self.mailer.assert_called_once_with("mail.example.com")

    @patch.dict(LIMITS, size=1)
    def test_limit(self):
        notify(["a", "b", "c"], "hi")
        self.assertEqual(self.mailer.return_value.send.call_count, 1)


class TestReal(unittest.TestCase):
    def test_fails(self):
        self.assertRaises(OSError, notify, ["a"], "hi")


unittest.main(exit=False)
