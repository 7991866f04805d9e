# A for loop may unpack, star, and store into attributes and items.
class Box:
    pass


box, table = Box(), {}
for box.value, *table["rest"] in [(1, 2, 3), "abc"]:
    print(box.value, table["rest"])
for (a, (b, c)), [d] in [((1, (2, 3)), [4])]:
    print(a, b, c, d)
for index, (key, value) in enumerate({"k": 1, "l": 2}.items()):
    print(index, key, value)
