# aim: have the server take what is no frame for one
# mechanism: a frame without a mask, as a page that talks to a proxy's cache would like to send
# server: websocket
# plain: naive

ping = b'{"type": "ping", "request": "forged"}'


def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.send(frame(ping, masked=False))
        return b"forged" in live.until(b"\x88") and "it was answered"


judge(attack)
