# Recursion several hundred calls deep works.
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def flatten(items):
    return [leaf for item in items for leaf in (flatten(item) if isinstance(item, list) else [item])]


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

    def total(self):
        return self.value + (self.next.total() if self.next else 0)


chain = None
for n in range(400):
    chain = Node(n, chain)
nested = [1]
for n in range(150):
    nested = [nested, n]
print(depth(250), depth(500), is_even(600), chain.total(), len(flatten(nested)))
depth(800)
