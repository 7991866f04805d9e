# aim: have what is no request answered as one
# mechanism: a word, another version, TLS, a null in the address, spaces in names
# server: head
# plain: naive

NONSENSE = ["NONSENSE\r\n\r\n", "GET /health HTTP/9.9\r\n\r\n", "GET /health\x00 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /health HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: x\r\n : x\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]


def attack():
    good = [text for text in NONSENSE if 200 <= answer_in(raw(text.encode("latin-1"))).status < 300]
    return good and f"{good[0]!r} was answered"


judge(attack)
