# aim: be let in without a key
# mechanism: a key of one's own in the query string, which logs and histories keep
# server: gate
# plain: naive

def attack():
    answer = request("GET", f"/v1/sandboxes?api_key={mine.key}&key={mine.key}&X-API-Key={mine.key}")
    return answer.is_good and answer.body[:200]


judge(attack)
