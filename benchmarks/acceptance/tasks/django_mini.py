# needs: django
import unittest
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
if not settings.configured:
    settings.configure(DEFAULT_CHARSET="utf-8", SECRET_KEY="x")
def task_func(data):
    r = HttpResponse(data, content_type="application/json"); r["MD5"] = "1"; return r
class T(unittest.TestCase):
    def test(self):
        r = task_func('{"a":1}'); self.assertEqual((r.status_code, r["MD5"], r.content), (200, "1", b'{"a":1}'))


if __name__ == "__main__":
    unittest.main(verbosity=2)
