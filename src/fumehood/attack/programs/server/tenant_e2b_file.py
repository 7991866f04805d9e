# aim: read a file of another key's sandbox
# mechanism: E2B's /files, with a key of one's own
# server: tenancy
# plain: owner

def attack():
    ask("GET", "/files?path=secret.txt", E2b_Sandbox_Id=theirs.sandbox)


judge(attack)
