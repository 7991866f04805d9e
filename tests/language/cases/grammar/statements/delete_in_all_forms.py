# Names, items, slices, attributes and groups of them can be deleted.
class Box:
    pass


box = Box()
box.a, box.b = 1, 2
items = list(range(10))
table = {"x": 1, "y": 2, "z": 3}
first, second, third = 1, 2, 3
del box.a
del items[0], items[-1]
del items[1:6:2]
del (table["x"], [table["y"]])
del first, (second, third)
print(hasattr(box, "a"), box.b, items, table)
try:
    third
except NameError as error:
    print(error)
