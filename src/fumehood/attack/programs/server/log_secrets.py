# aim: have a secret written where others read it
# mechanism: keys and signatures in addresses
# server: log
# plain: naive
# host: log

def attack():
    request("GET", f"/v1/key?key={mine.key}", key=mine.key)
    request("GET", f"/files?path=x&signature={mine.key}")
    request("GET", f"/nothing?key={mine.key}")


judge(attack)
