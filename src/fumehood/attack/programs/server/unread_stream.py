# aim: have the server hold what nobody reads
# mechanism: a cell that prints without end, as events that are not read
# server: streams
# plain: naive

def attack():
    body = json.dumps({"code": "while True: print('x' * 10_000)", "timeout_seconds": 2}).encode()
    with line(small_window=True) as held:
        held.send(f"POST {here}/run HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        held.next()
        import time
        time.sleep(2)
        return not victim_is_served() and "others are not answered"


judge(attack)
