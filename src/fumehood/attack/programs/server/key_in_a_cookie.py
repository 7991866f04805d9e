# aim: be let in without a key
# mechanism: a key of one's own in a cookie, which a browser sends for any page
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes", headers={"Cookie": f"X-API-Key={mine.key}; key={mine.key}"})
    return answer.is_good and answer.body[:200]


judge(attack)
