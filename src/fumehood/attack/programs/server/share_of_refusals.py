# aim: keep others from being served
# mechanism: very many wrong keys from the address that others come from
# server: quotas
# plain: naive

def attack():
    for number in range(60):
        request("GET", "/v1/key", key=f"wrong-{number}")
    return not victim_is_served() and "the victim is not served"


judge(attack)
