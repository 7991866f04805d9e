# The functions enumerate, zip, map, filter, reversed, any, all, range and slice.
print(list(enumerate("abc", start=1)), list(zip([1, 2], "ab", [True, False])))
print(list(map(str.upper, "ab")), list(map(lambda a, b: a * b, [1, 2], [3, 4])))
print(list(filter(None, [0, 1, "", "a"])), list(filter(lambda n: n > 1, [1, 2, 3])))
print(list(reversed([1, 2, 3])), any([0, 1]), all([]), any(n > 5 for n in range(3)))
print(list(range(10, 0, -3)), range(5)[1:3], len(range(0, 10, 3)), 4 in range(0, 10, 2), range(3) == range(0, 3, 1))
print([0, 1, 2, 3, 4][slice(1, None, 2)], slice(5).indices(3), "hello"[::-1])
matrix = [[1, 2, 3], [4, 5, 6]]
print(list(zip(*matrix)), dict(zip("ab", range(2))))
try:
    list(zip([1, 2], [1], strict=True))
except ValueError as error:
    print(error)
try:
    range(1, 5, 0)
except ValueError as error:
    print(error)
list(zip("ab", "cd", strict=True))
