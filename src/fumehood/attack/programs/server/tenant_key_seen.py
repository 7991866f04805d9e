# aim: see what another key has
# mechanism: what a key is told of itself
# server: gate
# plain: owner

def attack():
    ask("GET", "/v1/key")


judge(attack)
