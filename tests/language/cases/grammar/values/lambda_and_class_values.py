# Functions, classes and generators are values, shown without their address.
def f():
    yield 1


class C:
    pass


(f, f(), C, C(), lambda: 0, f"{1}")
