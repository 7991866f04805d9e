# Special methods are looked up on the type, and subclasses inherit them.
class Money:
    def __init__(self, amount): self.amount = amount
    def __repr__(self): return f"{type(self).__name__}({self.amount})"
    def __add__(self, other): return type(self)(self.amount + other.amount)
    def __eq__(self, other): return isinstance(other, Money) and self.amount == other.amount
    def __lt__(self, other): return self.amount < other.amount
    def __bool__(self): return self.amount != 0
    def __len__(self): return 99


class Euro(Money):
    def __repr__(self): return super().__repr__() + "€"


a, b = Euro(5), Euro(3)
print(a + b, a == Euro(5), a == 5, sorted([a, b]), bool(Euro(0)), len(b), min(a, b))
a.__len__ = lambda: 1
print(len(a))
