# needs: flask
import unittest
from flask import Flask, request, jsonify, render_template_string, session
def make():
    app = Flask(__name__); app.secret_key = "k"
    @app.route("/")
    def i(): return "Hello"
    @app.route("/j", methods=["POST"])
    def j(): return jsonify(request.get_json())
    @app.route("/t/<name>")
    def t(name): return render_template_string("<b>{{ n }}</b>", n=name)
    @app.route("/s")
    def s(): session["n"] = session.get("n", 0) + 1; return str(session["n"])
    return app
class T(unittest.TestCase):
    def setUp(self): self.c = make().test_client()
    def test_i(self): self.assertEqual(self.c.get("/").data, b"Hello")
    def test_j(self): self.assertEqual(self.c.post("/j", json={"a": 1}).get_json(), {"a": 1})
    def test_t(self): self.assertEqual(self.c.get("/t/<x>").data, b"<b>&lt;x&gt;</b>")
    def test_s(self): self.c.get("/s"); self.assertEqual(self.c.get("/s").data, b"2")
    def test_404(self): self.assertEqual(self.c.get("/no").status_code, 404)


if __name__ == "__main__":
    unittest.main(verbosity=2)
