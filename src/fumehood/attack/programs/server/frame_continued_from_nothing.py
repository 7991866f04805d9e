# aim: have the server take what is no frame for one
# mechanism: the rest of a message that never began, and a message behind it
# server: websocket
# plain: naive

ping = b'{"type": "ping", "request": "forged"}'


def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.send(frame(b"x", kind=CONTINUATION), frame(ping))
        return b"forged" in live.until(b"\x88") and "it was answered"


judge(attack)
