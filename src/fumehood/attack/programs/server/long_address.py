# aim: have the server hold more than it may
# mechanism: an address without end
# server: head
# plain: naive

def attack():
    answer = answer_in(raw(b"GET /" + b"x" * 2_000_000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    return answer.status in (200, 404) and "an address of two million characters was looked for"


judge(attack)
