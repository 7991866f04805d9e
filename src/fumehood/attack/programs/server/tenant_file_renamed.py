# aim: move a file of another key's sandbox
# mechanism: POST of a rename
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/files/rename", {"old": "secret.txt", "new": "elsewhere.txt"})


judge(attack)
