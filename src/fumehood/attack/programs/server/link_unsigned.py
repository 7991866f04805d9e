# aim: read a file with a link that was made for another
# mechanism: a link without, and with an empty, signature
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(path="secret.txt", signature=""))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
