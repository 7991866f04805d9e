# aim: have the server call an address that the attacker cannot reach
# mechanism: a request for an address elsewhere, as a proxy would pass on
# server: head
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    raw(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{tcp_port}\r\nConnection: close\r\n\r\nCONNECT 127.0.0.1:{tcp_port} HTTP/1.1\r\n\r\n".encode())
    ask("POST", "/v1/sandboxes", {"url": address})


judge(attack)
