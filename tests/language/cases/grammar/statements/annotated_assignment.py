# An annotation without a value binds nothing; with a value it binds as usual.
count: int = 3
name: str
try:
    name
except NameError as error:
    print("unbound:", error)


class Point:
    x: float
    y: float = 0.5


point = Point()
point.label: str = "p"
(count): int = count + 1
print(count, point.y, point.label, hasattr(point, "x"))
