# Keyword-only and positional-only parameters are enforced, with the usual messages.
def f(a, b=2, /, c=3, *args, d, e=5, **rest):
    return a, b, c, args, d, e, rest


print(f(1, d=4), f(1, 2, 3, 4, 5, d=6, e=7, z=8), f(1, d=0, a="kept", b="kept too"))
print(f(*[1, 2], **{"d": 3, "x": 4}), f(1, *"xy", *"z", d=1, **{"k": 1}, **{"l": 2}))


def g(a, *, key):
    return a, key


for call in (
    lambda: f(1),
    lambda: f(d=1),
    lambda: g(1, 2),
    lambda: g(1),
    lambda: g(1, key=2, other=3),
    lambda: g(1, a=2, key=3),
    lambda: g(),
    lambda: g(**{"a": 1, "key": 2}, **{"key": 3}),
):
    try:
        call()
    except TypeError as error:
        print(error)
g(key="k", a="a")
