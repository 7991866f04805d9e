# aim: fill the disk of the server
# mechanism: many files at once, of which the last piece does not come
# server: body, quotas
# plain: naive

import contextlib


def attack():
    with contextlib.ExitStack() as held:
        lines = [held.enter_context(line()) for _ in range(20)]
        taken = 0
        for each in lines:
            each.send(f"PUT {here}/files/content?path=x HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nContent-Length: 100000000\r\n\r\n".encode())
            taken += each.flood(bytes(1 << 20), 8)
        return taken == 20 and "160 MB are held for files that never come"


judge(attack)
