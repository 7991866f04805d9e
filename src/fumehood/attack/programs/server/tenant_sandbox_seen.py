# aim: see what another key's sandbox is about
# mechanism: GET of the sandbox
# server: tenancy
# plain: owner

def attack():
    ask("GET", there)


judge(attack)
