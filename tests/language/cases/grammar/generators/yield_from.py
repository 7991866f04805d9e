# Yield from passes values, sends and exceptions through and has the inner return value.
def inner():
    try:
        got = yield "a"
        print("inner got", got)
        yield "b"
    except ValueError as error:
        print("inner handled", error)
    return "inner result"


def outer():
    result = yield from inner()
    print("result:", result)
    yield from "xy"
    yield from [1, *range(2)]


g = outer()
print(next(g), g.send("hello"))
print(g.throw(ValueError("v")))
print(list(g))
