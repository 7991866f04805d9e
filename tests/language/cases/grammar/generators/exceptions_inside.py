# An exception ends a generator, and StopIteration inside becomes RuntimeError.
def fails():
    yield 1
    raise LookupError("inside")


def stops():
    yield 1
    raise StopIteration("wrong")


g = fails()
print(next(g))
try:
    next(g)
except LookupError as error:
    print(repr(error))
print(next(g, "over"))
try:
    list(stops())
except RuntimeError as error:
    print(error, "from", repr(error.__cause__))
