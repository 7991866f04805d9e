# aim: keep a connection for ever
# mechanism: a head that does not end
# server: head
# plain: naive

def attack():
    with line() as held:
        held.send(b"GET /health HTTP/1.1\r\nHost: loc")
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
