# aim: keep another key's sandbox
# mechanism: POST of a snapshot
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/snapshots", {"name": "mine now"})


judge(attack)
