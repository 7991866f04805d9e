# aim: read a variable of another key's context
# mechanism: GET of the variable, with the ids of sandbox and context
# server: tenancy
# plain: owner

def attack():
    ask("GET", f"{there}/variables/inner?context={theirs.context}")


judge(attack)
