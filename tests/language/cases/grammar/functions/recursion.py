# Functions call themselves and each other.
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def depth(tree):
    return 1 + max(map(depth, tree), default=0)


print(factorial(25), is_even(100), is_odd(7), depth([[], [[]], [[[]]]]))
print((lambda f, n: f(f, n))(lambda f, n: n and n + f(f, n - 1), 10))
