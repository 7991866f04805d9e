# Calling type with three arguments makes a class.
def init(self, x):
    self.x = x


Point = type("Point", (object,), {"__init__": init, "double": lambda self: self.x * 2, "dims": 1})
Sub = type("Sub", (Point,), {})
print(Point(4).double(), Sub(5).x, Sub.dims, Point.__name__, type(Point) is type)
print(isinstance(Sub(1), Point), issubclass(Sub, (int, Point)), type(3) is int, isinstance(Point, type))
