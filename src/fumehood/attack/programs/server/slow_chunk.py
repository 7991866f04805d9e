# aim: keep a connection for ever
# mechanism: a chunk that does not come
# server: body
# plain: naive

def attack():
    with line() as held:
        held.send(f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{{".encode())
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
