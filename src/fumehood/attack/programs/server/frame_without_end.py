# aim: have the server hold more than it may
# mechanism: a message in pieces that never ends
# server: websocket
# plain: naive

def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.send(frame(b'{"type": "', last=False))
        taken = live.flood(frame(b"x" * 65000, kind=CONTINUATION, last=False), 2000)
        return taken and "130 MB of a message were taken"


judge(attack)
