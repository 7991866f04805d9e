from enum import Enum, Flag, IntEnum, StrEnum, auto, unique


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @property
    def hex(self):
        return {"RED": "#f00", "GREEN": "#0f0"}[self.name]


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    ALL = READ | WRITE


class Planet(Enum):
    EARTH = (5.97e24, 6.378e6)
    MARS = (6.42e23, 3.397e6)

    def __init__(self, mass, radius):
        self.gravity = 6.67e-11 * mass / radius**2


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Mode(StrEnum):
    FAST = auto()


print(list(Color), Color.CRIMSON is Color.RED, Color(2).hex, Color["RED"], Color.__members__.keys())
print(Permission.READ | Permission.WRITE == Permission.ALL, Permission.READ in Permission.ALL, ~Permission.READ)
print(round(Planet.MARS.gravity, 2), Level.HIGH > Level.LOW, Mode.FAST, f"{Mode.FAST:>6}")
try:
    Color(9)
except ValueError as error:
    print(error)
try:
    @unique
    class Twice(Enum):
        A = 1
        B = 1
except ValueError as error:
    print(error)
