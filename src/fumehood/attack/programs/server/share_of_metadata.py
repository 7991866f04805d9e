# aim: have the server hold more than it may
# mechanism: metadata and environment as large as a body
# server: body
# plain: naive

def attack():
    large = {str(n): "x" * 3_000 for n in range(90)}
    return any([ask("POST", "/v1/sandboxes", {name: large}).is_good for name in ("metadata", "env_vars")]) and "it takes as much as it is told"


judge(attack)
