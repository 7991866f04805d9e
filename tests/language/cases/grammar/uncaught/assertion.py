# A failed assertion with a message.
balance = -5
assert balance >= 0, f"balance is {balance}"
