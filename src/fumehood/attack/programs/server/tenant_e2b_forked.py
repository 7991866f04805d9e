# aim: have copies of another key's sandbox
# mechanism: E2B's control API: fork, snapshot
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"/sandboxes/{theirs.sandbox}/fork", {"count": 1})
    ask("POST", f"/sandboxes/{theirs.sandbox}/snapshots", {"name": "mine"})


judge(attack)
