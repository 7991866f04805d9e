# aim: keep a connection for ever
# mechanism: a body of which a part comes
# server: body
# plain: naive

def attack():
    with line() as held:
        held.send(f'POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nContent-Length: 100\r\n\r\n{{"template'.encode())
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
