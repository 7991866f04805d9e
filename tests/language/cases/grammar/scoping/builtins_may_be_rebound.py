# A program may rebind any built-in name and get it back by deleting its own.
list = [1, 2]
sum = 0
for max in list:
    sum += max
print(list, sum, max)


def len(thing):
    return "my len"


print(len([1, 2, 3]))
del list, sum, max, len
print(list("ab"), sum([1, 2]), max(3, 4), len("four"))


def shadows(str, id=3, *, type):
    return str, id, type


print(shadows(1, type=2))
