# aim: run a command line in another key's sandbox
# mechanism: POST of a command
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/commands", {"line": "cat secret.txt"})


judge(attack)
