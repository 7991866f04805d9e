# The name of a handler is local to its function and is removed at its end.
e = "global e"


def f():
    try:
        raise ValueError("x")
    except ValueError as e:
        kept = e
    try:
        return e
    except UnboundLocalError as missing:
        return str(missing), repr(kept)


def closure():
    try:
        1 / 0
    except ZeroDivisionError as error:
        get = lambda: error
        inside = repr(get())
    try:
        get()
    except NameError as missing:
        return inside, str(missing)


print(f(), e)
print(closure())
