def make_counter(start=0):
    count = start

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


a, b = make_counter(), make_counter(100)
print(a(), a(), b(5), a.__closure__[0].cell_contents)
functions = [lambda: i for i in range(3)]
fixed = [lambda i=i: i for i in range(3)]
print([f() for f in functions], [f() for f in fixed])
total = 0


def add_global(n):
    global total, created
    total += n
    created = "yes"


add_global(5)
print(total, created, globals()["total"])


def defaults(item, seen=[]):
    seen.append(item)
    return seen


print(defaults(1), defaults(2), defaults.__defaults__)


def signature(a, /, b, *args, c=3, **kwargs):
    return a, b, args, c, kwargs


print(signature(1, 2, 3, 4, c=5, d=6), signature(*[1], **{"b": 2, "a": 9}))
exec("made = total * 2")
print(made, eval("made + x", {"made": made}, {"x": 1}), "made" in globals(), sorted(locals()) == sorted(globals()))


def broken():
    print(local)
    local = 1


broken()
