# aim: have code be given the answer to a call that it did not make
# mechanism: an answer with a made-up id, and with one of another sandbox
# server: calls
# plain: naive

def attack():
    for call in ("0" * 24, theirs.call, "../../run", "%2e%2e"):
        if ask("POST", f"{here}/calls/{call}", {"value": 1}).is_good:
            return "an answer to nothing was taken"


judge(attack)
