import json, re, unittest, urllib.request, urllib.error
from unittest.mock import patch, MagicMock
def task_func(url):
    with urllib.request.urlopen(url) as response:
        return json.loads(response.read().decode("utf-8"))
class TestCases(unittest.TestCase):
    @patch("urllib.request.urlopen")
    def test_ok(self, mock):
        r = MagicMock(); r.read.return_value = b'{"a": [1, 2]}'
        mock.return_value.__enter__.return_value = r
        self.assertEqual(task_func("http://x"), {"a": [1, 2]})
        mock.assert_called_once_with("http://x")
    @patch("urllib.request.urlopen", side_effect=urllib.error.URLError("no host"))
    def test_err(self, mock):
        with self.assertRaises(urllib.error.URLError): task_func("http://x")
    def test_bad_url(self):
        with self.assertRaises(ValueError): task_func("nothing")


if __name__ == "__main__":
    unittest.main(verbosity=2)
