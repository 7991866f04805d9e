# The table of members shows aliases, and classes with members cannot be extended.
from enum import Enum, IntFlag, nonmember, verify, UNIQUE


class Size(Enum):
    SMALL = "s"
    MEDIUM = "m"
    MIDDLE = "m"


print(list(Size.__members__), Size.__members__["MIDDLE"] is Size.MEDIUM, "SMALL" in Size.__members__)
try:

    class More(Size):
        HUGE = "h"

except TypeError as error:
    print(type(error).__name__)


@verify(UNIQUE)
class Mode(IntFlag):
    READ = 4
    WRITE = 2
    default = nonmember("r")


print(Mode.READ | Mode.WRITE, int(Mode.READ | 1), Mode.default, Mode(6) & Mode.WRITE)
for member in Size:
    match member:
        case Size.SMALL:
            print("small", member.value)
        case Size.MEDIUM | Size.MIDDLE:
            print("medium", member.value)
type(Size.SMALL) is Size, isinstance(Size.SMALL, Enum)
