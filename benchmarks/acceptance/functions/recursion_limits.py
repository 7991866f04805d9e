import sys

limit = sys.getrecursionlimit()


def depth(n):
    return n if n == 0 else depth(n - 1) + 1


print(depth(500))
try:
    depth(10**6)
except RecursionError as error:
    print(str(error).split(" while")[0].split(" in")[0])
sys.setrecursionlimit(limit + 2000)
print(depth(limit + 500) == limit + 500)
sys.setrecursionlimit(limit)


def hanoi(n, a="A", b="B", c="C"):
    if n:
        yield from hanoi(n - 1, a, c, b)
        yield a, c
        yield from hanoi(n - 1, b, a, c)


print(len(list(hanoi(8))), next(hanoi(3)))


def permutations(items):
    if not items:
        yield ()
    for index, item in enumerate(items):
        for rest in permutations(items[:index] + items[index + 1 :]):
            yield (item, *rest)


print(["".join(p) for p in permutations("abc")])
