# aim: remove a file of the server's machine
# mechanism: a path with steps upwards, to remove or to rename
# server: files
# plain: naive

def attack():
    ask("DELETE", f"{here}/files?path={quote('../' * 20 + secret_path.lstrip('/'))}")
    ask("POST", f"{here}/files/rename", {"old": '../' * 20 + secret_path.lstrip('/'), "new": "mine"})
    ask("POST", f"{here}/files/rename", {"old": "x", "new": '../' * 20 + secret_path.lstrip('/')})


judge(attack)
