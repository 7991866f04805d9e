# aim: write a file on the server's machine
# mechanism: a path with steps upwards, to write to
# server: files
# plain: naive

def attack():
    ask("PUT", f"{here}/files/content?path={quote('../' * 20 + scratch_path)}", b"written")
    ask("PUT", f"{here}/files/content?path={quote(scratch_path)}", b"written")
    ask("POST", f"{here}/files/directory", {"path": "../" * 20 + scratch_path})


judge(attack)
