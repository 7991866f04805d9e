# aim: run code in another key's sandbox
# mechanism: POST of a cell whose events are asked for
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{there}/run", {"code": "print(secret)"}, Accept="text/event-stream")


judge(attack)
