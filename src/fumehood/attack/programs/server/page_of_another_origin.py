# aim: ask from a page of a browser with the user's rights
# mechanism: a request before the request, as browsers send them
# server: gate
# plain: naive

def attack():
    for method in ("OPTIONS", "GET"):
        answer = request(method, "/v1/sandboxes", key=mine.key, headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-api-key"})
        if b"access-control-allow" in answer.head.lower():
            return "another origin is allowed"


judge(attack)
