# Functions are passed, returned, stored and composed.
from functools import partial, reduce


def compose(*functions):
    return reduce(lambda f, g: lambda x: g(f(x)), functions, lambda x: x)


def twice(f):
    return lambda *args: f(f(*args))


table = {"inc": lambda x: x + 1, "double": lambda x: x * 2, "text": str}
print(compose(*table.values())(4))
print(twice(twice(table["double"]))(1))
print(list(map(partial(pow, 2), range(5))), sorted("bca", key=dict(a=3, b=1, c=2).get))
