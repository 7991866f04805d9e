import unittest, http.server
from unittest.mock import MagicMock, patch
from io import BytesIO
import json
class PostRequestHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        try: data = json.loads(body)
        except ValueError:
            self.send_error(400, "Invalid JSON"); return
        self.send_response(200); self.end_headers(); self.wfile.write(json.dumps({"got": data}).encode())
class Sock:
    def __init__(self, raw): self.raw = raw; self.out = BytesIO()
    def makefile(self, mode, *a, **k): return BytesIO(self.raw) if "r" in mode else self.out
    def sendall(self, b): self.out.write(b)
class T(unittest.TestCase):
    def do(self, body):
        s = Sock(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        with patch.object(http.server.BaseHTTPRequestHandler, "log_message"):
            PostRequestHandler(s, ("127.0.0.1", 8080), MagicMock())
        return s.out.getvalue()
    def test_ok(self): self.assertIn(b'{"got": [1]}', self.do(b"[1]"))
    def test_bad(self): self.assertTrue(self.do(b"{").startswith(b"HTTP/1.0 400"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
