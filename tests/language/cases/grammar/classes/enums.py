# Enumerations have members, values, aliases, methods and flags.
from enum import Enum, Flag, IntEnum, auto


class Color(Enum):
    RED = 1
    GREEN = auto()
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()


class Level(IntEnum):
    LOW, HIGH = 1, 10


class Perm(Flag):
    R, W, X = auto(), auto(), auto()


print(Color.RED, repr(Color.GREEN), Color(2), Color["CRIMSON"], Color.CRIMSON is Color.RED, Color.GREEN.pretty)
print([c.name for c in Color], Level.HIGH > 5, Level.LOW + 1, Perm.R | Perm.X, Perm.W in (Perm.R | Perm.W))
try:
    Color(9)
except ValueError as error:
    print(error)
