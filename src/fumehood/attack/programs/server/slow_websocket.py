# aim: keep a connection for ever
# mechanism: a WebSocket without a key that never says who it is
# server: websocket
# plain: naive

def attack():
    with websocket(f"{here}/live") as live:
        return not live.hangs_up() and "the server waits for the first message for ever"


judge(attack)
