# Stars unpack into lists, tuples, sets, dictionaries, calls and targets.
a, d = [1, 2], {"x": 1}
print([*a, 3, *"bc"], (*a, *a), {*a, 2, 3}, {**d, "y": 2, **{"x": 9}})
first, *rest = a
*start, last = range(4)
head, *middle, tail = "abcde"
(one, *two), three = [1, 2, 3], 4
[p, *q] = {"k": "v"}
print(first, rest, start, last, head, middle, tail, one, two, three, p, q)


def f(*args, **kwargs):
    return args, kwargs


print(f(*a, *range(2), **d, **{"z": 3}), f(*[], **{}), *a)
for index, (name, *scores) in enumerate([("ann", 1, 2), ("bo",)]):
    print(index, name, scores)


def several():
    return *a, "more"


t = *a, *a
print(several(), t, [(m, n) for m, *n in ["ab", "xyz"]], dict(**d, w=5), {k: v for k, v in {**d}.items()})
for bad in ("x, *y = []", "x, y = [1]", "f(**{1: 2})", "f(**d, **d)"):
    try:
        exec(bad)
    except (ValueError, TypeError) as error:
        print(type(error).__name__, str(error).replace("__main__.", ""))
{**dict(a=1)}, [*{}]
