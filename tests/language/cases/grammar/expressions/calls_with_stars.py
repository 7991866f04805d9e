# Calls mix positional, starred and double-starred arguments in any order the grammar allows.
def f(*args, **kwargs):
    return args, kwargs


print(f(1, *[2, 3], 4, *(5,), a=6, **{"b": 7}, c=8, **{"d": 9}))
print(f(*"ab", *range(2), **{}, **dict(x=1)))
print(f(*{}, k=1, *[2]))
try:
    f(a=1, **{"a": 2})
except TypeError as error:
    print(error)
try:
    f(**{1: 2})
except TypeError as error:
    print(error)
