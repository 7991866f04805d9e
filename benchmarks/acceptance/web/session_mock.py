import json
from unittest.mock import MagicMock

import requests


class ApiClient:
    def __init__(self, base, session=None):
        self.base, self.session = base.rstrip("/"), session or requests.Session()

    def pages(self, path):
        url = f"{self.base}/{path}"
        while url:
            response = self.session.get(url, headers={"Accept": "application/json"})
            response.raise_for_status()
            body = response.json()
            yield from body["items"]
            url = body.get("next")


def response(body, status=200):
    made = requests.Response()
    made.status_code = status
    made._content = json.dumps(body).encode()
    made.url = "http://mock"
    return made


session = MagicMock()
session.get.side_effect = [
    response({"items": [1, 2], "next": "http://api/p2"}),
    response({"items": [3]}),
    response({}, 503),
]
client = ApiClient("http://api/", session)
print(list(client.pages("items")), [call.args[0] for call in session.get.call_args_list])
try:
    list(client.pages("items"))
except requests.HTTPError as error:
    print(error)
prepared = requests.Request("POST", "http://x/y", params={"a": [1, 2]}, json={"k": "v"}).prepare()
print(prepared.url, prepared.body, prepared.headers["Content-Type"])
