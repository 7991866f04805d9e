# The loop variable of a comprehension does not leak, a walrus does.
x = "outer"
print([x for x in range(3)], x)
print([(y := x, x) for x in "ab"], y)


def f():
    x = "local"
    inner = {x: x * 2 for x in (1, 2)}
    return x, inner


print(f())
print([x for x in [x, x]], [[x for x in range(x)] for x in range(3)])
