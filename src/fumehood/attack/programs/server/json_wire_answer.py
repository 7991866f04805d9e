# aim: have the server fail, or think for long, about a body
# mechanism: an answer to a call with a typed value of nonsense
# server: body
# plain: naive

def attack():
    body = b'{"value": {"$wire": ["decimal", "' + b"9" * 200_000 + b'e999999999"]}}'
    ask("POST", f"{here}/calls/{theirs.call}", body, Content_Type="application/json")


judge(attack)
