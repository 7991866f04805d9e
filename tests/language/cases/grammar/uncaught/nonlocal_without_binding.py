# Nonlocal needs a variable of an enclosing function.
x = 1


def f():
    def g():
        nonlocal x
        x = 2
    g()
