# aim: read a file with a link that was made for another
# mechanism: a link signed with nothing, which only a sandbox without a token would take
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(path="secret.txt", signature=signature("secret.txt", "read", "user", "", int(link["signature_expiration"]))))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
