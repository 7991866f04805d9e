# aim: keep others from having snapshots, and fill the server's memory
# mechanism: as many snapshots and contexts as there can be
# server: quotas
# plain: naive

def attack():
    kept = sum(ask("POST", f"{here}/snapshots", {}).is_good for _ in range(12))
    begun = sum(ask("POST", f"{here}/contexts", {}).is_good for _ in range(12))
    return (kept == 12 or begun == 12) and "it has as many as it likes"


judge(attack)
