# aim: have the server hold more than it may
# mechanism: very many tools, and descriptions without end
# server: calls, quotas
# plain: naive

def attack():
    many = [{"name": f"tool_{n}", "description": "x", "inputs": {}} for n in range(1_000)]
    long = [{"name": "long", "description": "x" * 250_000, "inputs": {}}]
    return any([ask("POST", f"{here}/tools", {"tools": tools}).is_good for tools in (many, long)]) and "it takes as many as it is told"


judge(attack)
