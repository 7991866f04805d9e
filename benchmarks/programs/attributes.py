"""Attribute-heavy objects: slots, properties, class attributes, `super()`, descriptors, computed names."""


class Positive:
    """A descriptor that refuses negative values."""

    def __init__(self, field):
        self.field = field

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.values[self.field]

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(self.field)
        instance.values[self.field] = value


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    @property
    def length_squared(self):
        return self.x * self.x + self.y * self.y


class Shape:
    made = 0
    fuel = Positive("fuel")

    def __init__(self, position):
        self.values = {}
        self.position = position
        self._steps = 0
        self.fuel = 5
        Shape.made += 1

    steps = property(lambda self: self._steps)

    def move(self, by):
        self.position = self.position + by
        self._steps += 1
        return self


class Rocket(Shape):
    def __init__(self, position, stage):
        super().__init__(position)
        self.stage = stage

    def move(self, by):
        self.fuel = (self.fuel + self.stage) % 9
        return super().move(by)

    @classmethod
    def at(cls, x, y, stage):
        return cls(Vector(x, y), stage)


def fly(size, rounds):
    Shape.made = 0
    fleet = [Rocket.at(n, n + 1, n % 4) for n in range(size)]
    wind = Vector(1, -1)
    far = 0
    for _ in range(rounds):
        for rocket in fleet:
            if rocket.move(wind).position.length_squared > 5000:
                far += rocket.fuel
    fields = ("stage", "steps", "fuel")
    return Shape.made, far, [sum(getattr(rocket, field) for rocket in fleet) for field in fields]


fly(80, 1250)
