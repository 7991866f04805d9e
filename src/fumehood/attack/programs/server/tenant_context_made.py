# aim: have variables of one's own beside another key's files
# mechanism: POST of a context
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/contexts", {})


judge(attack)
