# aim: have another key's sandbox end sooner
# mechanism: PUT of its timeout
# server: tenancy
# plain: owner

def attack():
    ask("PUT", f"{there}/timeout", {"timeout_seconds": 600})


judge(attack)
