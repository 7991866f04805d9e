# aim: change a variable of another key's sandbox
# mechanism: PUT of variables
# server: tenancy
# plain: owner

def attack():
    ask("PUT", f"{there}/variables", {"variables": {"secret": "changed"}})


judge(attack)
