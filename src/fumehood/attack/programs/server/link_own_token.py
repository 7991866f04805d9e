# aim: read a file with a link that was made for another
# mechanism: a link signed with the token of a sandbox of one's own, for the other
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(path="secret.txt", signature=signature("secret.txt", "read", "user", mine.token)), headers={"E2b-Sandbox-Id": theirs.sandbox})
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
