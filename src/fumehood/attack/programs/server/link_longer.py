# aim: use a link after its time
# mechanism: a link whose end was put off
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(signature_expiration="99999999999"))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
