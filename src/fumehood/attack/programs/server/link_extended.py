# aim: use a link after its time
# mechanism: the hash of a link, gone on with: more at its end than was signed
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(signature_expiration=link["signature_expiration"] + "%80" + "%00" * 40 + ":99999999999"))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
