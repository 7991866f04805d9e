# Long values are abbreviated by reprlib, and cycles are marked.
import reprlib


class Tree:
    def __init__(self):
        self.children = []

    @reprlib.recursive_repr(fillvalue="<...>")
    def __repr__(self):
        return f"Tree({self.children})"


tree = Tree()
tree.children.append(tree)
print(tree, reprlib.repr(list(range(100))), reprlib.repr("x" * 100))
short = reprlib.Repr()
short.maxlist = 2
short.repr([1, 2, 3, 4])
