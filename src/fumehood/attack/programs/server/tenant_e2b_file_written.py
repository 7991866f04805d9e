# aim: change a file of another key's sandbox
# mechanism: E2B's /files, as raw bytes and as a form
# server: tenancy
# plain: owner

def attack():
    form = b'--x\r\nContent-Disposition: form-data; name="file"; filename="secret.txt"\r\n\r\nchanged\r\n--x--\r\n'
    ask("POST", "/files?path=secret.txt", b"changed", E2b_Sandbox_Id=theirs.sandbox, Content_Type="application/octet-stream")
    ask("POST", "/files", form, E2b_Sandbox_Id=theirs.sandbox, Content_Type="multipart/form-data; boundary=x")


judge(attack)
