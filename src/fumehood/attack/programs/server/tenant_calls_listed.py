# aim: see what another key's code asks its owner
# mechanism: the list of open calls
# server: tenancy
# plain: owner

def attack():
    ask("GET", f"/v1/sandboxes/{theirs.calling}/calls")


judge(attack)
