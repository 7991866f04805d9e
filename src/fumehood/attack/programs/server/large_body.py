# aim: have the server hold more than it may
# mechanism: a body larger than any may be, with its length and without
# server: body
# plain: naive

def attack():
    said = answer_in(raw(f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nContent-Length: 999999999\r\n\r\n".encode(), b" " * 1000))
    with line() as held:
        held.send(f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        taken = held.flood(b"10000\r\n" + b" " * 65536 + b"\r\n", 2000)
    return taken and f"a body of 130 MB was taken ({said.status})"


judge(attack)
