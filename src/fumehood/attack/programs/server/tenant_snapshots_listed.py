# aim: see which snapshots another key has
# mechanism: the list of snapshots, of both APIs, and of one sandbox
# server: tenancy
# plain: owner

def attack():
    for path in ("/v1/snapshots", "/snapshots", f"/v1/snapshots?sandbox={theirs.sandbox}"):
        ask("GET", path)


judge(attack)
