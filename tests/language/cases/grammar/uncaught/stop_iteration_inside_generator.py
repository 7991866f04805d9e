# StopIteration inside a generator ends the program as RuntimeError.
def g():
    yield next(iter(()))


print(list(g()))
