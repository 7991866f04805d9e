# aim: change a file with a link that was made to read it
# mechanism: a link to read, used to write
# server: links
# plain: naive

def attack():
    answer = request("POST", link_to(), b"changed", headers={"Content-Type": "application/octet-stream"})
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
