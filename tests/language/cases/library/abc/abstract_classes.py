# Abstract classes cannot be made, their complete subclasses can, and classes may be registered.
from abc import ABC, ABCMeta, abstractmethod


class Shape(ABC):
    @property
    @abstractmethod
    def sides(self): ...

    @abstractmethod
    def area(self):
        """The area."""

    @classmethod
    def named(cls):
        return cls.__name__.lower()

    def describe(self):
        return f"{self.named()} with {self.sides} sides, area {self.area()}"


class Square(Shape):
    sides = 4

    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a**2


class Half(Shape):
    def area(self):
        return 1


class Drawable(metaclass=ABCMeta):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "draw") or NotImplemented


class Pen:
    def draw(self):
        return "line"


print(Square(3).describe())
for abstract in (Shape, Half):
    try:
        abstract()
    except TypeError as error:
        print(error)
Shape.register(int)
print(isinstance(5, Shape), issubclass(Pen, Drawable), isinstance("", Drawable))
