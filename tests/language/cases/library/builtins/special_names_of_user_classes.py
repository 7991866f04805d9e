# The names __class__, __dict__, __mro__, __bases__, __annotations__ and __doc__ of a program's own classes.
class Base:
    """The base."""

    kind: str = "base"


class Child(Base):
    size: int

    def __init__(self, size):
        self.size = size

    def twin(self):
        return self.__class__(self.size)

    def __eq__(self, other):
        return self.__class__ is other.__class__ and self.__dict__ == other.__dict__


c = Child(3)
print(c.__class__.__name__, c.twin() == c, c.__dict__, Child.__bases__, [k.__name__ for k in Child.__mro__])
c.__dict__["color"] = "red"
c.__dict__.update(size=9)
print(c.color, c.size, Child.__annotations__, Base.__doc__, Child.__doc__, Child.__module__, Child.twin.__qualname__)


def f(a: int, b: "text" = None) -> list:
    """Do nothing."""


print(f.__annotations__, f.__doc__, f.__name__, f.__module__)
f.calls = 5
f.__name__ = "renamed"
f.__name__, f.calls, "kind" in Base.__dict__, "size" in Base.__dict__
