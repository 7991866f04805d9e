# aim: speak another protocol past whoever stands before the server
# mechanism: an upgrade to HTTP/2, and its preface at once
# server: head
# plain: naive

def attack():
    head = "GET /v1/key HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
    answers = [raw(head.encode() + b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9))]
    return any(b" 101 " in answer[:20] or answer.startswith(bytes(3)) for answer in answers) and "HTTP/2 is spoken"


judge(attack)
