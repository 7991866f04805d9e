import functools
import math
import operator


@functools.total_ordering
class Vector:
    __slots__ = ("parts",)

    def __init__(self, *parts):
        self.parts = tuple(parts)

    def __repr__(self):
        return f"Vector{self.parts}"

    def __add__(self, other):
        return Vector(*map(operator.add, self.parts, other.parts)) if isinstance(other, Vector) else NotImplemented

    def __rmul__(self, factor):
        return Vector(*(factor * part for part in self.parts))

    def __matmul__(self, other):
        return sum(map(operator.mul, self.parts, other.parts))

    def __abs__(self):
        return math.sqrt(self @ self)

    def __eq__(self, other):
        return isinstance(other, Vector) and self.parts == other.parts

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __hash__(self):
        return hash(self.parts)

    def __getitem__(self, index):
        return self.parts[index]

    def __format__(self, spec):
        return "(" + ", ".join(format(part, spec) for part in self.parts) + ")"


a, b = Vector(3, 4), Vector(1, 2)
print(a + b, 2 * a, a @ b, abs(a), a >= b, sum([a, b], Vector(0, 0)), [*a], {a, Vector(3, 4)}, f"{a:.1f}")
try:
    a + 1
except TypeError as error:
    print(error)
try:
    a.z = 3
except AttributeError as error:
    print(error)
