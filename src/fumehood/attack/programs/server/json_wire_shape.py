# aim: have the server fail, or think for long, about a body
# mechanism: a typed array that says that it is larger than all memory
# server: body
# plain: naive

def attack():
    body = b'{"variables": {"x": {"$wire": ["ndarray", "<f8", [1000000000, 1000000000], "AAAA"]}, "y": {"$wire": ["bytes", 99999999999]}, "z": {"$wire": ["range", 0, 1, 0]}}}'
    ask("PUT", f"{here}/variables", body, Content_Type="application/json")


judge(attack)
