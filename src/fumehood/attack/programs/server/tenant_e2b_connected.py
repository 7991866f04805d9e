# aim: have the token of another key's sandbox
# mechanism: E2B's control API: connect, resume, info
# server: tenancy
# plain: owner

def attack():
    for path, body in (("/connect", {"timeout": 600}), ("/resume", {"timeout": 600})):
        ask("POST", f"/sandboxes/{theirs.sandbox}{path}", body)
    ask("GET", f"/sandboxes/{theirs.sandbox}")


judge(attack)
