# Programs that use names of builtins for their variables work.
list = [3, 1, 2]
dict = {"a": 1}
sum = 0
for int in list:
    sum += int
max = list[0]
for id in list:
    if id > max:
        max = id
str = "text"
type, input, filter, map = "t", "i", "f", "m"
print(list, dict, sum, max, str, type, input, filter, map)
len = lambda x: "my len"
print(len([]))
# ---
def f(list=(), *, sorted=False):
    range = "local"
    return list, sorted, range


print(f(), [*range(2)], list, sum)
# ---
del list, dict, sum, max, str, type, input, filter, map, len, int, id
print(list((1,)), dict(a=1), sum([1, 2]), max(1, 2), str(1), len("ab"), type(1) is int)
# ---
del list
