# aim: have the server hold more than it may
# mechanism: a frame that says that it has a gigabyte, and a good part of it
# server: websocket
# plain: naive

def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.send(frame(b"", length=1 << 30))
        taken = live.flood(b" " * 65536, 2000)
        return taken and "130 MB of a frame were taken"


judge(attack)
