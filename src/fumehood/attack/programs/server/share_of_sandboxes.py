# aim: keep others from having sandboxes
# mechanism: as many sandboxes, and forks of them, as there can be
# server: quotas
# plain: naive

def attack():
    made = sum(ask("POST", "/v1/sandboxes", {}).is_good for _ in range(40))
    forked = ask("POST", f"{here}/fork", {"number": 32}).is_good
    return (made >= 40 or forked) and "it has as many as it likes"


judge(attack)
