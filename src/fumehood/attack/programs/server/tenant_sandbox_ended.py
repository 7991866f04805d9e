# aim: end another key's sandbox
# mechanism: DELETE of the sandbox
# server: tenancy
# plain: owner

def attack():
    ask("DELETE", there)


judge(attack)
