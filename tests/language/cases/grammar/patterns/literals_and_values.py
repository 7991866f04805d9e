# Literal patterns compare by equality, dotted names by value.
import math
from enum import Enum


class Color(Enum):
    RED = 1


def name(x):
    match x:
        case 0: return "zero"
        case -1.5: return "negative"
        case 2 + 3j: return "complex"
        case "a" "b": return "text"
        case b"x": return "bytes"
        case Color.RED: return "red"
        case math.pi: return "pi"
    return "other"


print([name(x) for x in (0, False, 0.0, -1.5, 2 + 3j, "ab", b"x", Color.RED, math.pi, 1)])
