# aim: keep a connection for ever
# mechanism: a head that comes a byte at a time, each before anybody loses patience
# server: head
# plain: naive

import time


def attack():
    with line() as held:
        held.send(b"GET /health HTTP/1.1\r\nX: ")
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if not held.send(b"x") or held.next(0.2):
                return None
    return "the server waits as long as anything comes"


judge(attack)
