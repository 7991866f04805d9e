# aim: read a file of another key's sandbox
# mechanism: E2B's /files, with the token of a sandbox of one's own
# server: tenancy
# plain: owner

def attack():
    request("GET", "/files?path=secret.txt", headers={"E2b-Sandbox-Id": theirs.sandbox, "X-Access-Token": mine.token})


judge(attack)
