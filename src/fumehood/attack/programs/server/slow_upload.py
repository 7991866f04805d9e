# aim: keep a connection for ever
# mechanism: a file of which a part comes
# server: body
# plain: naive

def attack():
    with line() as held:
        held.send(f"PUT {here}/files/content?path=x HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nContent-Length: 1000\r\n\r\nxxx".encode())
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
