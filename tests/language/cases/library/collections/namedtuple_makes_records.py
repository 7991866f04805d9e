# The namedtuple factory makes tuple subclasses with fields, defaults and methods.
from collections import namedtuple

Point = namedtuple("Point", ["x", "y"], defaults=[0])
p = Point(3)
print(p, p.x, p[1], len(p))
x, y = p
print(x, y, p == (3, 0))
print(p._replace(y=7), p._asdict(), Point._fields)
print(Point._make([5, 6]))


class Vector(namedtuple("Vector", "dx dy")):
    def length_squared(self):
        return self.dx**2 + self.dy**2


print(Vector(3, 4).length_squared())
try:
    p.x = 1
except AttributeError as error:
    print(type(error).__name__)
sorted([Point(2, 1), Point(1, 2), Point(1, 1)])
