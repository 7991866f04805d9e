# aim: discard another key's snapshot
# mechanism: DELETE of the snapshot
# server: tenancy
# plain: owner

def attack():
    ask("DELETE", f"/v1/snapshots/{theirs.snapshot}")


judge(attack)
