# aim: see which sandboxes another key has
# mechanism: the list of sandboxes, of both APIs
# server: tenancy
# plain: owner

def attack():
    for path in ("/v1/sandboxes", "/sandboxes", "/v2/sandboxes?limit=100&state=running,paused"):
        ask("GET", path)


judge(attack)
