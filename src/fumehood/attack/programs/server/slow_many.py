# aim: keep others out
# mechanism: very many heads that do not end
# server: head
# plain: naive

import contextlib


def attack():
    with contextlib.ExitStack() as held:
        for _ in range(200):
            held.enter_context(line()).send(b"GET /v1/key HTTP/1.1\r\n")
        return not victim_is_served() and "others are not answered"


judge(attack)
