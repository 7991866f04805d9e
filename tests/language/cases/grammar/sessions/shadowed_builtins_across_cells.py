# A built-in that was rebound stays so until it is deleted.
sum = 5
len = lambda thing: "mine"
# ---
print(sum, len([1]))
sum([1, 2])
# ---
del sum, len
# ---
sum([1, 2]), len("abc")
