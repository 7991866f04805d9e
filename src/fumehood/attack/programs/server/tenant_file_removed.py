# aim: remove a file of another key's sandbox
# mechanism: DELETE of the file
# server: tenancy
# plain: owner

def attack():
    ask("DELETE", f"{there}/files?path=secret.txt")


judge(attack)
