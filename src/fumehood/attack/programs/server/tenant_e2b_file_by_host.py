# aim: read a file of another key's sandbox
# mechanism: its name as the host's, with the token of a sandbox of one's own
# server: tenancy
# plain: owner

def attack():
    request("GET", "/files?path=secret.txt", headers={"Host": f"49983-{theirs.sandbox}.sandboxes.example", "X-Access-Token": mine.token})


judge(attack)
