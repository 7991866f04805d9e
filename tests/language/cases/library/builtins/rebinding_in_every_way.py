# User code may rebind the names of builtins and delete its own binding again.
list = [1, 2, 3]
sum = 0
for x in list:
    sum += x
max, min = "max", "min"
print(list, sum, max, min)
try:
    list("ab")
except TypeError as error:
    print(error)
del list, sum, max, min
print(list("ab"), sum([1, 2]), max(3, 4), min(3, 4))


def uses_parameter(id, type, input="i", *, format=None):
    len = 5
    return id, type, input, format, len


print(uses_parameter(1, 2, format="f"), len("abc"))
for str in range(2):
    pass
print(str)
del str
dict = {"a": 1}
dict["a"]
# ---
dict
# ---
del dict
dict(a=1), str(5)
