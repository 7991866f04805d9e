# aim: end another key's context
# mechanism: DELETE of the context
# server: tenancy
# plain: owner

def attack():
    ask("DELETE", f"{there}/contexts/{theirs.context}")


judge(attack)
