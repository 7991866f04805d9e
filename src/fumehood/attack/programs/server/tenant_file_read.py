# aim: read a file of another key's sandbox
# mechanism: GET of its content
# server: tenancy
# plain: owner

def attack():
    ask("GET", f"{there}/files/content?path=secret.txt")


judge(attack)
