# One function with every kind of parameter.
def f(a, b=2, /, c=3, *args, d, e=5, **kwargs):
    return a, b, c, args, d, e, kwargs


print(f(1, d=4))
print(f(1, 20, 30, 40, 50, d=4, e=6, x=7))
print(f(*range(6), **{"d": 1, "z": 2}))
try:
    f(1, 2, 3, c=4, d=5)
except TypeError as error:
    print(error)
try:
    f()
except TypeError as error:
    print(error)
