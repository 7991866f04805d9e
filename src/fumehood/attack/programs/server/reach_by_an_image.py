# aim: have the server call an address that the attacker cannot reach
# mechanism: a template that is an address
# server: calls
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    ask("POST", "/v1/sandboxes", {"template": address, "url": address})
    ask("POST", "/sandboxes", {"templateID": address, "url": address})


judge(attack)
