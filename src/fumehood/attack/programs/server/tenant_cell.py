# aim: run code in another key's sandbox
# mechanism: POST of a cell
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/run", {"code": "secret"})


judge(attack)
