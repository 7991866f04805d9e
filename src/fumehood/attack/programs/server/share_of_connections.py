# aim: keep others from connecting
# mechanism: very many connections that are kept after their first request
# server: quotas
# plain: naive

import contextlib


def attack():
    with contextlib.ExitStack() as held:
        for _ in range(300):
            with contextlib.suppress(OSError):
                held.enter_context(line()).send(f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\n\r\n".encode())
        return not victim_is_served() and "others are not answered"


judge(attack)
