# Unpacking the wrong number of values or a thing that is no iterable raises.
def attempt(values):
    try:
        a, b = values
        print(a, b)
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)


for values in ([1, 2], [1], (1, 2, 3), "xy", 7, iter([])):
    attempt(values)
try:
    a, *b, c = [1]
except ValueError as error:
    print(error)
