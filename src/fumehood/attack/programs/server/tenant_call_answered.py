# aim: answer in the owner's place
# mechanism: POST of an answer, with the ids of sandbox and call
# server: tenancy, calls
# plain: owner

def attack():
    ask("POST", f"/v1/sandboxes/{theirs.calling}/calls/{theirs.call}", {"value": "forged"})


judge(attack)
