# A base class hears of its subclasses and of their keyword arguments.
class Shape:
    kinds = {}

    def __init_subclass__(cls, /, sides=0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.sides = sides
        Shape.kinds[cls.__name__] = cls


class Triangle(Shape, sides=3):
    pass


class Right(Triangle):
    pass


print({name: cls.sides for name, cls in Shape.kinds.items()})
try:
    class Wrong(Shape, corners=4):
        pass
except TypeError as error:
    print(error)
