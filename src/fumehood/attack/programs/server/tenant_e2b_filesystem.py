# aim: look around in, and change, another key's files
# mechanism: every call of E2B's file system
# server: tenancy
# plain: owner

def attack():
    for name, body in {"Stat": {"path": "secret.txt"}, "ListDir": {"path": "/home/user"}, "MakeDir": {"path": "made"}, "Move": {"source": "secret.txt", "destination": "x"}, "Remove": {"path": "x"}}.items():
        ask("POST", f"/filesystem.Filesystem/{name}", body, E2b_Sandbox_Id=theirs.sandbox)


judge(attack)
