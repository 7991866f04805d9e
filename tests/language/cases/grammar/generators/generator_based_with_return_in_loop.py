# Return inside a loop of a generator ends it and closes the inner one.
def inner():
    try:
        while True:
            yield "tick"
    finally:
        print("inner closed")


def outer(limit):
    for n, tick in enumerate(inner()):
        if n == limit:
            return f"{limit} ticks"
        yield tick


def collect():
    result = yield from outer(2)
    yield result


print(list(collect()))
