import io
import json
import unittest
import urllib.error
import urllib.request
from unittest.mock import patch


def temperature(city):
    """The temperature of a city, by a web service."""
    request = urllib.request.Request(f"https://weather.example/{city}", headers={"User-Agent": "demo"})
    try:
        with urllib.request.urlopen(request, timeout=3) as response:
            return json.load(response)["celsius"]
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


class TestTemperature(unittest.TestCase):
    @patch("urllib.request.urlopen")
    def test_known(self, urlopen):
        urlopen.return_value = io.BytesIO(b'{"celsius": 21.5}')
        self.assertEqual(temperature("oslo"), 21.5)
        self.assertEqual(urlopen.call_args.args[0].full_url, "https://weather.example/oslo")

    @patch("urllib.request.urlopen", side_effect=urllib.error.HTTPError("u", 404, "no", {}, None))
    def test_unknown(self, _):
        self.assertIsNone(temperature("atlantis"))

    @patch("urllib.request.urlopen", side_effect=urllib.error.HTTPError("u", 500, "oops", {}, None))
    def test_broken(self, _):
        with self.assertRaises(urllib.error.HTTPError):
            temperature("x")


unittest.main(exit=False)
