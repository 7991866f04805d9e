# List, tuple, set and dict displays accept unpacking.
a, b = [1, 2], (3,)
d = {"x": 1, "y": 2}
print([*a, 0, *b, *range(2)])
print((*a, *b), *a)
print(sorted({*a, *b, 1}))
print({**d, "x": 9}, {"x": 9, **d}, {**d, **{}})
print([*d], [*d.items()], [*"hi", *[]])
