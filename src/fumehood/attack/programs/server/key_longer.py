# aim: be let in without a key
# mechanism: a key with a character more, and with a null behind it
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes", key=mine.key + "\x7f")
    return answer.is_good and answer.body[:200]


judge(attack)
