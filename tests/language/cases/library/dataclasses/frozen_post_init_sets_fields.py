# A frozen dataclass sets a computed field through object.__setattr__.
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Circle:
    radius: float
    area: float = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "area", round(3.14159 * self.radius**2, 2))


c = Circle(2)
print(c, c.area)
try:
    c.area = 0
except AttributeError as error:
    print(error)
c == Circle(2.0)
