# A property without a setter refuses to be set or deleted.
class Circle:
    def __init__(self, radius):
        self.radius = radius

    @property
    def area(self):
        return 3 * self.radius**2

    diameter = property(lambda self: self.radius * 2, None, None, "twice the radius")


c = Circle(2)
print(c.area, c.diameter, Circle.diameter.__doc__)
for attempt in (lambda: setattr(c, "area", 1), lambda: delattr(c, "diameter")):
    try:
        attempt()
    except AttributeError as error:
        print(error)
