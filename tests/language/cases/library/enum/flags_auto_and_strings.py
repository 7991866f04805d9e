# Flag, IntEnum, StrEnum, auto, unique and the functional interface.
from enum import Enum, Flag, IntEnum, StrEnum, auto, unique


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    RUN = auto()
    ALL = READ | WRITE | RUN


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Method(StrEnum):
    GET = auto()
    POST = auto()


both = Permission.READ | Permission.WRITE
print(both, Permission.READ in both, Permission.RUN in both, bool(both & Permission.RUN))
print(Permission.ALL ^ Permission.RUN == both, (~Permission.READ).value, both.value)
print(sorted([Level.HIGH, Level.LOW]), Level.HIGH + 1, Level.LOW < 5, max(Level))
print(Method.GET, Method.POST.upper(), f"{Method.GET}", Method("post") is Method.POST)
Animal = Enum("Animal", "CAT DOG")
print(list(Animal), Animal.DOG.value)
try:

    @unique
    class Doubled(Enum):
        A = 1
        B = 1

except ValueError as error:
    print(error)
Animal.CAT.name
