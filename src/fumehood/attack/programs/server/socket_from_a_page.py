# aim: open a WebSocket from a page of a browser
# mechanism: an upgrade of another version, with a bad key, and by another method
# server: websocket
# plain: naive

def attack():
    for lines in ("Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short"):
        answer = raw(f"GET {here}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-API-Key: {mine.key}\r\n{lines}\r\n\r\n".encode())
        if b" 101 " in answer[:20]:
            return "it was upgraded"


judge(attack)
