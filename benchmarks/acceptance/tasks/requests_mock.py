import requests, unittest, json, os, tempfile
from unittest import mock
from unittest.mock import Mock, patch
def task_func(url, path):
    r = requests.get(url, timeout=5)
    r.raise_for_status()
    with open(path, "w") as f: json.dump(r.json(), f)
    return path
class TestCases(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
    def tearDown(self):
        for f in os.listdir(self.dir): os.remove(os.path.join(self.dir, f))
        os.rmdir(self.dir)
    @patch("requests.get")
    def test_ok(self, get):
        get.return_value = Mock(status_code=200, json=lambda: {"k": 1})
        p = task_func("https://a.b/c", os.path.join(self.dir, "o.json"))
        with open(p) as f: self.assertEqual(json.load(f), {"k": 1})
    @patch("requests.get")
    def test_http_error(self, get):
        get.return_value.raise_for_status.side_effect = requests.HTTPError("404")
        with self.assertRaises(requests.exceptions.HTTPError): task_func("https://a.b/c", "x")
    @patch("requests.Session.send")
    def test_session(self, send):
        resp = requests.Response(); resp.status_code = 200; resp._content = b'{"z": 2}'
        send.return_value = resp
        self.assertEqual(requests.Session().get("http://e.x/").json(), {"z": 2})
    def test_prepared(self):
        req = requests.Request("POST", "http://e.x/p", params={"q": "a b"}, json={"x": 1}).prepare()
        self.assertEqual((req.url, req.body, req.headers["Content-Type"]), ("http://e.x/p?q=a+b", b'{"x": 1}', "application/json"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
