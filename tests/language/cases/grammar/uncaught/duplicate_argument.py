# A parameter may be named once.
def f(a, b, a):
    pass
