# The reflected method of a subclass goes first, and NotImplemented passes the turn.
class Base:
    def __add__(self, other): return "Base.__add__"
    def __radd__(self, other): return "Base.__radd__"


class Sub(Base):
    def __radd__(self, other): return "Sub.__radd__"


class Refuses:
    def __add__(self, other): return NotImplemented


print(Base() + Base(), Base() + Sub(), Sub() + Base(), 1 + Sub())
print(Refuses() + Sub())
try:
    Refuses() + 1
except TypeError as error:
    print(error)
print(sum([Sub()]))
