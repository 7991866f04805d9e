# aim: use a link after its time
# mechanism: a link whose end was left out
# server: links
# plain: naive

def attack():
    answer = request("GET", "/files?" + "&".join(part for part in link_to().partition("?")[2].split("&") if not part.startswith("signature_expiration")))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
