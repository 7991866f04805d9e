# aim: learn who else is there
# mechanism: what the server counts
# server: tenancy
# plain: naive

def attack():
    counted = ask("GET", "/metrics").body
    return theirs.sandbox.encode() in counted and "metrics name sandboxes of others"


judge(attack)
