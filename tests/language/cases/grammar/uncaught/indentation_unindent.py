# An unindent that matches nothing.
def f():
        x = 1
    return x
