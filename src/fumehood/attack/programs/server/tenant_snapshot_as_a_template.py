# aim: begin where another key's snapshot is
# mechanism: its id in place of a template's name, by E2B's API
# server: tenancy
# plain: owner

def attack():
    made = ask("POST", "/sandboxes", {"templateID": theirs.snapshot})
    if made.is_good:
        ask("GET", f"/v1/sandboxes/{made.json['sandboxID']}/variables/secret")


judge(attack)
