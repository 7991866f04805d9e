# aim: have the server hold more than it may
# mechanism: a small gzip in place of a body that is small
# server: body
# plain: naive

def attack():
    packed = packed_zeros(300 << 20)
    answer = ask("POST", "/v1/sandboxes", packed, Content_Type="application/json", Content_Encoding="gzip")
    return answer.is_good and "a body of 300 MB was unpacked"


judge(attack)
