# An exception raised inside a comprehension leaves the outer names as they were.
n = "kept"
result = "old"
try:
    result = [10 // n for n in (2, 1, 0)]
except ZeroDivisionError as error:
    print(error)
print(n, result)


def boom():
    raise StopIteration("inside")


try:
    list(boom() for _ in range(1))
except RuntimeError as error:
    print(error, "|", repr(error.__cause__))
