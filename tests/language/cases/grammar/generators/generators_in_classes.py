# Methods may be generators, and __iter__ as a generator makes a class iterable again and again.
class Tree:
    def __init__(self, value, *children):
        self.value, self.children = value, children

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child

    @property
    def leaves(self):
        return (node for node in self if isinstance(node, int) and node > 2)


tree = Tree(1, Tree(2, Tree(4)), Tree(3))
print(list(tree), list(tree), [*tree.leaves], max(tree), 4 in tree)
a, b, *rest = tree
print(a, b, rest)
