# aim: have the server call an address that the attacker cannot reach
# mechanism: a tool that says where it is to be called
# server: calls
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    ask("POST", f"{here}/tools", {"tools": [{"name": "x", "description": "x", "inputs": {}, "url": address, "callback_url": address}]})


judge(attack)
