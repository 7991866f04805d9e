# needs: flask_restful
import unittest
from flask import Flask
from flask_restful import Resource, Api
def task_func(p, t):
    app = Flask(__name__, template_folder=t); api = Api(app)
    class R(Resource):
        def get(self): return {"p": p}
    api.add_resource(R, "/r")
    return app
class T(unittest.TestCase):
    def test(self):
        app = task_func("x", "templates"); self.assertEqual(app.test_client().get("/r").get_json(), {"p": "x"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
