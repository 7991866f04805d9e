# aim: keep a connection for ever
# mechanism: a second request of which a part comes
# server: head
# plain: naive

def attack():
    with line() as held:
        held.send(f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\n\r\nGET /v1/k".encode())
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
