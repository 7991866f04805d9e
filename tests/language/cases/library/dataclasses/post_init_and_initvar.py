# A dataclass with __post_init__, InitVar, init=False fields and ClassVar.
from dataclasses import InitVar, dataclass, field
from typing import ClassVar


@dataclass
class Rectangle:
    width: float
    height: float
    scale: InitVar[int] = 1
    area: float = field(init=False)
    made: ClassVar[int] = 0

    def __post_init__(self, scale):
        if self.width < 0 or self.height < 0:
            raise ValueError("sides must not be negative")
        self.width *= scale
        self.height *= scale
        self.area = self.width * self.height
        Rectangle.made += 1


print(Rectangle(2, 3), Rectangle(2, 3, scale=10).area, Rectangle.made)
try:
    Rectangle(-1, 1)
except ValueError as error:
    print(error)
Rectangle(1, 1) == Rectangle(1, 1)
