# aim: run code in another key's context, from a sandbox of one's own
# mechanism: a cell of one's own sandbox, with the id of the other's context
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"{here}/run", {"code": "inner", "context": theirs.context})
    ask("POST", f"{there}/run", {"code": "inner", "context": theirs.context})


judge(attack)
