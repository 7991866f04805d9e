# Slots forbid other attributes and start unset.
class Point:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


class Named(Point):
    __slots__ = ("name",)


class Free(Point):
    pass


p = Named(1)
p.name = "n"
print(p.x, p.name)
for attempt in (lambda: p.y, lambda: setattr(p, "z", 1)):
    try:
        attempt()
    except AttributeError as error:
        print(type(error).__name__)
f = Free(2)
f.extra = 3
print(f.extra)
