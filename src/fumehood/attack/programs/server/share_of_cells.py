# aim: keep others from being served
# mechanism: as many cells at once, in as many contexts, as there can be
# server: quotas
# plain: naive

def attack():
    import threading
    ask("POST", f"{here}/contexts", {})
    busy = [threading.Thread(target=ask, args=("POST", f"{here}/run", {"code": "while True: pass", "timeout_seconds": 2})) for _ in range(24)]
    for each in busy:
        each.start()
    for each in busy:
        each.join(60)
    return not victim_is_served() and "the victim is not served"


judge(attack)
