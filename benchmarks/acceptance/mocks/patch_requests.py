import unittest
from unittest.mock import Mock, patch

import requests


def get_user(number):
    response = requests.get(f"https://api.example.com/users/{number}", timeout=5)
    response.raise_for_status()
    return response.json()["name"]


class TestUser(unittest.TestCase):
    @patch("requests.get")
    def test_name(self, get):
        get.return_value = Mock(status_code=200, json=lambda: {"name": "Ann"})
        self.assertEqual(get_user(1), "Ann")
        get.assert_called_once_with("https://api.example.com/users/1", timeout=5)

    @patch("requests.get")
    def test_missing(self, get):
        get.return_value.raise_for_status.side_effect = requests.HTTPError("404 Not Found")
        with self.assertRaises(requests.HTTPError):
            get_user(2)

    @patch("requests.get", side_effect=requests.exceptions.Timeout)
    def test_timeout(self, _):
        self.assertRaises(requests.exceptions.RequestException, get_user, 3)


unittest.main(exit=False)
