# Unpacking may bind attributes, items and slices.
class Point:
    pass


p, table, row = Point(), {}, [0] * 5
p.x, p.y = 3, 4
table["a"], *table["b"] = 1, 2, 3
row[1:3], row[-1] = "pq", "end"
print(p.x, p.y, table, row)
for p.x, table["key"] in [(9, "nine")]:
    pass
print(p.x, table["key"])
