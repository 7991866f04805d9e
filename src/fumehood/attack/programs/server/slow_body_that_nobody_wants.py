# aim: keep a connection for ever
# mechanism: a body of a request that was refused by its head
# server: body
# plain: naive

def attack():
    with line() as held:
        held.send(b'POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: wrong\r\nContent-Length: 100\r\n\r\n{"template')
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
