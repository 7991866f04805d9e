# aim: have the server hold more than it may
# mechanism: headers without end
# server: head
# plain: naive

def attack():
    with line() as held:
        held.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
        taken = held.flood(b"a: b\r\n" * 10_000, 100)
        return taken and "a million headers were taken"


judge(attack)
