# aim: have the server fail, or think for long, about a body
# mechanism: a typed value of tuples in tuples
# server: body
# plain: naive

def attack():
    body = json.dumps({"variables": {"x": 0}}).replace("0", '{"$wire": ' + '["tuple", ' * 20_000 + "1" + "]" * 20_000 + "}").encode()
    ask("PUT", f"{here}/variables", body, Content_Type="application/json")


judge(attack)
