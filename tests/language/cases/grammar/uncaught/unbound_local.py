# Reading a local variable before it was assigned.
total = 10


def add(n):
    total += n
    return total


add(1)
