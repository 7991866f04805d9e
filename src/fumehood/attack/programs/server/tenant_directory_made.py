# aim: make a directory in another key's sandbox
# mechanism: POST of a directory
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/files/directory", {"path": "made"})


judge(attack)
