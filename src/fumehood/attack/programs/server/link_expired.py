# aim: use a link after its time
# mechanism: a link of one's own sandbox whose time is over
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(path="x", signature_expiration="1000", signature=signature("x", "read", "user", mine.token, 1000)))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
