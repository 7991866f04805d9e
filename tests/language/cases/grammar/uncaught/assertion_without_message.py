# A failed assertion without a message.
print("checking")
assert 1 + 1 == 3
