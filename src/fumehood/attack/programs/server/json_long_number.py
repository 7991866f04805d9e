# aim: have the server fail, or think for long, about a body
# mechanism: a number of very many digits
# server: body
# plain: naive

def attack():
    body = b'{"variables": {"x": ' + b"9" * 250_000 + b"}}"
    ask("PUT", f"{here}/variables", body, Content_Type="application/json")


judge(attack)
