# An import inside a function binds a local name, and importing twice gives the same module.
def area(radius):
    import math

    return round(math.pi * radius**2, 3)


def same():
    import json as first
    import json as second

    return first is second


print(area(2), same())
try:
    math
except NameError as error:
    print(error)
