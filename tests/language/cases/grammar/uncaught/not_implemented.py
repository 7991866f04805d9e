# An abstract method that a subclass forgot.
class Shape:
    def area(self):
        raise NotImplementedError(f"{type(self).__name__} has no area")


class Blob(Shape):
    pass


Blob().area()
