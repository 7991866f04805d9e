# aim: change a file of another key's sandbox
# mechanism: PUT of its content
# server: tenancy
# plain: owner

def attack():
    ask("PUT", f"{there}/files/content?path=secret.txt", b"changed")


judge(attack)
