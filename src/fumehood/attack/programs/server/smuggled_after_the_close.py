# aim: have a request answered that comes after the last
# mechanism: a request behind one that says that it is the last
# server: head
# plain: naive

def attack():
    one = f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {mine.key}\r\nConnection: close\r\n\r\n"
    return answers_in(raw((one + one).encode())) > 1 and "what came after the last was answered"


judge(attack)
