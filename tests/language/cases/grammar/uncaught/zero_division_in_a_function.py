# The error comes from deep inside calls.
def a(n):
    return b(n) + 1


def b(n):
    return 10 // n


print(a(5))
a(0)
