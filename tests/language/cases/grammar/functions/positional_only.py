# Parameters before the slash cannot be named, and their names are free for keywords.
def f(a, b=2, /, c=3, **kwargs):
    return a, b, c, kwargs


print(f(1), f(1, 5), f(1, 5, 6), f(1, c=9))
print(f(1, a=10, b=20))
try:
    f(a=1)
except TypeError as error:
    print(error)


def only(x, /):
    return x


try:
    only(x=1)
except TypeError as error:
    print(error)
