# aim: have the server take what is no frame for one
# mechanism: a message within another
# server: websocket
# plain: naive

ping = b'{"type": "ping", "request": "forged"}'


def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.send(frame(b"{", last=False), frame(ping))
        return b"forged" in live.until(b"\x88") and "it was answered"


judge(attack)
