# aim: remove a variable of another key's sandbox
# mechanism: DELETE of the variable
# server: tenancy
# plain: owner

def attack():
    ask("DELETE", f"{there}/variables/secret")


judge(attack)
