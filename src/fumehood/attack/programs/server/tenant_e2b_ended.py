# aim: end, stop, or hurry another key's sandbox
# mechanism: E2B's control API
# server: tenancy
# plain: owner

def attack():
    ask("POST", f"/sandboxes/{theirs.sandbox}/timeout", {"timeout": 600})
    ask("POST", f"/sandboxes/{theirs.sandbox}/pause", {})
    ask("DELETE", f"/sandboxes/{theirs.sandbox}")


judge(attack)
