import json
import re
from http import HTTPStatus
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit


class App:
    def __init__(self):
        self.routes = []

    def route(self, pattern, method="GET"):
        def add(function):
            regex = re.compile(re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", pattern) + "$")
            self.routes.append((method, regex, function))
            return function
        return add

    def handle(self, method, target):
        url = urlsplit(target)
        query = {key: values[-1] for key, values in parse_qs(url.query).items()}
        for wanted, regex, function in self.routes:
            if wanted == method and (match := regex.match(url.path)):
                try:
                    return HTTPStatus.OK, json.dumps(function(**match.groupdict(), **query))
                except LookupError as error:
                    return HTTPStatus.NOT_FOUND, str(error)
                except TypeError:
                    return HTTPStatus.BAD_REQUEST, ""
        return HTTPStatus.METHOD_NOT_ALLOWED, ""


app = App()


@app.route("/users/<name>")
def user(name, upper="no"):
    if name == "zed":
        raise LookupError("no such user")
    return {"name": name.upper() if upper == "yes" else name}


@app.route("/sum/<a>/<b>")
def add(a, b):
    return int(a) + int(b)


for target in ("/users/ann", "/users/bob?upper=yes", "/users/zed", "/sum/2/40", "/users/a?bad=1", "/none"):
    status, body = app.handle("GET", target)
    print(int(status), status.phrase, body)
cookie = SimpleCookie("session=abc; theme=dark")
cookie["session"]["httponly"] = True
print(cookie["theme"].value, cookie["session"].OutputString())
