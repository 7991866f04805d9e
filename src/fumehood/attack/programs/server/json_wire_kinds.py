# aim: have the server fail, or think for long, about a body
# mechanism: typed values of kinds that there are not, or that are given nonsense
# server: body
# plain: naive

def attack():
    body = b'{"variables": {"x": {"$wire": ["object", "os.system", "id"]}, "y": {"$wire": {"a": 1}}, "z": {"$wire": ["datetime", -1]}}}'
    ask("PUT", f"{here}/variables", body, Content_Type="application/json")


judge(attack)
