import abc
import math


class Shape(abc.ABC):
    registry = []

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry.append(cls.__name__)

    @property
    @abc.abstractmethod
    def area(self): ...

    def __lt__(self, other):
        return self.area < other.area

    def __repr__(self):
        return f"<{type(self).__name__} {self.area:.2f}>"


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    @property
    def area(self):
        return math.pi * self.radius**2


class Square(Shape):
    area = 4.0


print(sorted([Circle(2), Square(), Circle(0.5)]), Shape.registry)
try:
    Shape()
except TypeError as error:
    print(str(error).split(" with")[0])


class Countable(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "__len__") or NotImplemented


print(issubclass(list, Countable), isinstance(3, Countable))
