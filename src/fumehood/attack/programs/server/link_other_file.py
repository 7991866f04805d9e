# aim: read a file with a link that was made for another
# mechanism: the path of a link is another
# server: links
# plain: naive

def attack():
    answer = request("GET", link_to(path="secret.txt"))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
