# Variables, functions, classes and imports live on in later cells.
import math

x = 2


def area(r):
    return round(math.pi * r**2, 2)


class Counter:
    n = 0
# ---
x += 1
Counter.n += x
print(area(x), math.floor(2.5))
# ---
x, Counter.n
