# Enum members may carry data, define __missing__ and override auto values.
from enum import Enum, auto


class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self):
        return 6.67300e-11 * self.mass / self.radius**2


class Answer(Enum):
    YES = "yes"
    NO = "no"

    @classmethod
    def _missing_(cls, value):
        for member in cls:
            if member.value == str(value).strip().lower():
                return member
        return None


class Direction(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.title()

    NORTH = auto()
    SOUTH = auto()


print([f"{p.name} {p.gravity:.2f}" for p in Planet], Planet.EARTH.value)
print(Answer(" YES "), Direction.NORTH.value)
try:
    Answer("maybe")
except ValueError as error:
    print(error)
match Answer("no"):
    case Answer.YES:
        print("agreed")
    case Answer.NO:
        print("refused")
Direction("South")
