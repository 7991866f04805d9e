# The message of a KeyError is the repr of the key.
table = {"known": 1}
print(table["known"])
table["unknown"]
