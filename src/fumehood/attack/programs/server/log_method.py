# aim: write a line of the access log
# mechanism: a method and headers that hold line ends and quotes
# server: log
# plain: naive
# host: log

def attack():
    forged = '"}%0a{"time":"forged","request":"forged"}'
    for method in ('GET"', "G'ET", "{}", "TRACE", "X" * 300):
        raw(f"{method} /{forged} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: {forged}\r\nX-Request-Id: {forged}\r\nReferer: {forged}\r\nConnection: close\r\n\r\n".encode())
    request("GET", "/" + quote('"}\n{"time":"forged","request":"forged"}\n'))


judge(attack)
