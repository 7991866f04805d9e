import io
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator


def app(environ, start_response):
    name = environ["PATH_INFO"].strip("/") or "world"
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read(length)
    start_response("200 OK", [("Content-Type", "text/plain"), ("X-Length", str(length))])
    return [f"hello {name} ".encode(), body]


def call(path, body=b"", method="GET"):
    environ = {"PATH_INFO": path, "REQUEST_METHOD": method, "CONTENT_LENGTH": str(len(body)),
               "wsgi.input": io.BytesIO(body)}
    setup_testing_defaults(environ)
    seen = {}

    def start_response(status, headers, exc_info=None):
        seen.update(status=status, headers=dict(headers))
        return lambda data: None

    result = app(environ, start_response)
    return seen["status"], seen["headers"]["X-Length"], b"".join(result)


print(call("/ann"), call("/", b"data", "POST"), callable(validator(app)))
