# aim: read a variable of another key's sandbox
# mechanism: GET of the variable by the sandbox's id
# server: tenancy
# plain: owner

def attack():
    ask("GET", f"{there}/variables/secret")


judge(attack)
