# aim: be let in without a key
# mechanism: no key at all
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes")
    return answer.is_good and answer.body[:200]


judge(attack)
