# aim: be let in without a key
# mechanism: a key without its last character
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes", key=mine.key[:-1])
    return answer.is_good and answer.body[:200]


judge(attack)
