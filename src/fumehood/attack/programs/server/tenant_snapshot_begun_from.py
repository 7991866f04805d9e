# aim: begin where another key's snapshot is
# mechanism: a sandbox of one's own, made from the snapshot
# server: tenancy
# plain: owner

def attack():
    made = ask("POST", "/v1/sandboxes", {"snapshot": theirs.snapshot})
    if made.is_good:
        ask("GET", f"/v1/sandboxes/{made.json['id']}/variables/secret")


judge(attack)
