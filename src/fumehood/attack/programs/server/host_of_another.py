# aim: have one request taken for another host's
# mechanism: two hosts, a host in the address, none at all
# server: head
# plain: naive

def attack():
    two = answer_in(raw(f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nX-API-Key: {mine.key}\r\nConnection: close\r\n\r\n".encode()))
    return two.is_good and "two hosts are one too few for it"


judge(attack)
