# Targets of a comprehension may be nested, starred, attributes and items.
class Box:
    pass


box = Box()
print([(a, b, c) for a, (b, *c) in [("x", "bcd"), ("y", "e")]])
print([head for head, *tail in [[1, 2], [3]]], [tail for head, *tail in [[1, 2], [3]]])
print([box.value for box.value in range(3)], box.value)
table = {}
print([0 for table["k"] in "ab"], table)
