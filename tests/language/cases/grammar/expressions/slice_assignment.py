# Assigning to a slice replaces, inserts and removes, and an extended slice must fit.
s = list(range(6))
s[1:3] = ["a", "b", "c"]
print(s)
s[0:0] = [-2, -1]
print(s)
s[2:5] = []
print(s)
s[::2] = "xyz"
print(s)
try:
    s[::2] = [1]
except ValueError as error:
    print(error)
