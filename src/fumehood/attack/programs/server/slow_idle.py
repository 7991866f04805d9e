# aim: keep a connection for ever
# mechanism: a connection that is kept after its request, and says nothing more
# server: head
# plain: naive

def attack():
    with line() as held:
        held.send(f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\n\r\n".encode())
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
