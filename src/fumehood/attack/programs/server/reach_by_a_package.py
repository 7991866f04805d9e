# aim: have the server call an address that the attacker cannot reach
# mechanism: a package that is an address
# server: gate
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    ask("POST", f"{here}/install", {"packages": [address + "x-1-py3-none-any.whl", f"x @ {address}"], "url": address})


judge(attack)
