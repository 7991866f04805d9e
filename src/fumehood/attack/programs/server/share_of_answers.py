# aim: have the server hold more than it may
# mechanism: a cell whose value, output and displays are as large as they can be
# server: streams, jail
# plain: naive

def attack():
    for code in ("'x' * 60_000_000", "print('x' * 60_000_000)", "raise ValueError('x' * 60_000_000)", "[0] * 5_000_000"):
        if len(ask("POST", f"{here}/run", {"code": code}).body) > 50_000_000:
            return "60 MB came back"


judge(attack)
