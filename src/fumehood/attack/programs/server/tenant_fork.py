# aim: have a copy of another key's sandbox
# mechanism: POST of a fork, and a look into what comes of it
# server: tenancy
# plain: owner

def attack():
    made = ask("POST", f"{there}/fork", {"number": 1})
    if made.is_good:
        ask("GET", f"/v1/sandboxes/{made.json['sandboxes'][0]['id']}/variables/secret")


judge(attack)
