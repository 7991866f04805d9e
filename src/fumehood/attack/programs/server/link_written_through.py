# aim: write a file on the server's machine
# mechanism: a symbolic link that the server writes to
# server: files
# plain: naive

def attack():
    run(f"import os\nos.symlink({scratch_path!r}, 'link')\nos.symlink({outside_dir!r}, 'way')")
    ask("PUT", f"{here}/files/content?path=link", b"written")
    ask("PUT", f"{here}/files/content?path=way/made", b"written")
    ask("POST", f"{here}/files/directory", {"path": "way/made"})


judge(attack)
