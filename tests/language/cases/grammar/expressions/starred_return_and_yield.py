# Return and yield accept a tuple with stars and no parentheses.
def both(a, *rest):
    return a, *rest, len(rest)


def pairs():
    yield 0, *range(1, 3)
    got = yield *"ab", "c"
    print("got", got)


print(both(1, 2, 3))
g = pairs()
print(next(g), next(g), next(g, "done"))
