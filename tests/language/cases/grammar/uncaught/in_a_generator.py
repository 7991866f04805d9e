# An error inside a generator while it is consumed.
def numbers():
    yield 1
    yield 2
    raise ArithmeticError("the well is dry")


for n in numbers():
    print(n)
