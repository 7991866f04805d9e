# The functions vars and dir list what an object holds.
class Point:
    origin = (0, 0)

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self):
        return abs(self.x) + abs(self.y)


p = Point(1, -2)
print(vars(p), [name for name in dir(p) if not name.startswith("_")])
vars(p)["z"] = 9
print(p.z, sorted(vars(p)))
print([name for name in dir(Point) if not name.startswith("__")], "upper" in dir(str), "origin" in vars(Point))


def inner(a, b=2):
    c = a + b
    return vars(), dir()


print(inner(1))


class Listed:
    def __dir__(self):
        return ["zeta", "alpha"]


dir(Listed())
