# Recursive generators walk nested data.
def flatten(tree):
    for item in tree:
        if isinstance(item, (list, tuple)):
            yield from flatten(item)
        else:
            yield item


def permutations(items):
    if not items:
        yield ()
    for i, item in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1:]):
            yield item, *rest


print(list(flatten([1, [2, (3, [4])], [], 5])))
print(list(permutations("abc")))
