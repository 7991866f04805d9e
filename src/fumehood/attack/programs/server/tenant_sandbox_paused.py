# aim: stop another key's sandbox
# mechanism: POST of a pause
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/pause")


judge(attack)
