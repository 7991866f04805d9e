# aim: be let in without a key
# mechanism: a key as a password of basic authentication
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes", headers={"Authorization": f"Basic {mine.key}"})
    return answer.is_good and answer.body[:200]


judge(attack)
