# aim: have the server fail, or think for long, about a body
# mechanism: JSON of lists in lists, as a variable's value
# server: body
# plain: naive

def attack():
    body = b'{"variables": {"x": ' + b"[" * 90_000 + b"]" * 90_000 + b"}}"
    ask("PUT", f"{here}/variables", body, Content_Type="application/json")


judge(attack)
