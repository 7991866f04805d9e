# aim: keep others from being told of events
# mechanism: very many WebSockets to one sandbox
# server: quotas, websocket
# plain: naive

import contextlib


def attack():
    with contextlib.ExitStack() as held:
        opened = 0
        for _ in range(20):
            live = held.enter_context(websocket(f"{here}/live", mine.key))
            opened += b"ready" in live.until(b"ready")
        return opened == 20 and "it has as many as it likes"


judge(attack)
