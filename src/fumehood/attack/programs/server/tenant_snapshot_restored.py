# aim: go back to another key's snapshot
# mechanism: POST of a restore, in one's own sandbox and in the other's
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{here}/restore", {"snapshot": theirs.snapshot})
    ask("GET", f"{here}/variables/secret")
    run("changed = 1")
    ask("POST", f"{there}/restore", {"snapshot": theirs.snapshot})
    ask("GET", f"{there}/variables/secret")


judge(attack)
