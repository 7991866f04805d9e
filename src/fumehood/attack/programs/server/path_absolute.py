# aim: read a file of the server's machine
# mechanism: the whole path
# server: files
# plain: naive

def attack():
    for path in (secret_path, "//" + secret_path, "/home/user/" + secret_path, "/." + secret_path):
        ask("GET", f"{here}/files/content?path={quote(path)}")


judge(attack)
