# aim: have the server call an address that the attacker cannot reach
# mechanism: a sandbox that says whom to tell of its end
# server: calls
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    ask("POST", "/v1/sandboxes", {"webhook": address, "callback_url": address, "url": address})


judge(attack)
