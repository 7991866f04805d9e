# A module imported in one cell is there in the next, also inside functions.
import math
from collections import Counter


def area(radius):
    return round(math.pi * radius**2, 3)


# ---
print(area(2), Counter("aab").most_common(1))
# ---
math = {"pi": 3}
math["pi"]
# ---
import math

area(1)
