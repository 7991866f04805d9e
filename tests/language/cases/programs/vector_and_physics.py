# Vectors with operators and a bouncing ball moved in small steps.
import math


class Vector:
    __slots__ = ("x", "y")
    __match_args__ = ("x", "y")

    def __init__(self, x=0.0, y=0.0):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return self + -other

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __mul__(self, factor):
        if not isinstance(factor, (int, float)):
            return NotImplemented
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __iter__(self):
        yield from (self.x, self.y)

    def __format__(self, spec):
        return "<" + ", ".join(format(part, spec or ".2f") for part in self) + ">"

    __repr__ = lambda self: f"Vector({self.x}, {self.y})"


def simulate(position, velocity, seconds, step=0.1, gravity=Vector(0, -9.81)):
    time, bounces = 0.0, 0
    while time < seconds:
        velocity += gravity * step
        position += velocity * step
        if position.y < 0:
            position.y, velocity.y = -position.y, -velocity.y * 0.8
            bounces += 1
        time += step
    return position, velocity, bounces


position, velocity, bounces = simulate(Vector(0, 10), Vector(2, 0), 5)
print(f"{position} {velocity:.1f}", bounces)
a, b = Vector(3, 4), Vector(3, 4)
print(abs(a), a == b, len({a, b}), 2 * a - b, tuple(a))
try:
    a * "x"
except TypeError as error:
    print(error)
match a:
    case Vector(0, 0):
        print("origin")
    case Vector(x, y=4):
        print("x is", x)
-a
