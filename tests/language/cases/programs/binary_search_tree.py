# A binary search tree with iteration, deletion and the depth of its nodes.
from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Iterator, Optional, TypeVar

T = TypeVar("T")


@dataclass
class Node(Generic[T]):
    key: T
    left: Optional[Node[T]] = None
    right: Optional[Node[T]] = None


class Tree(Generic[T]):
    def __init__(self, *keys: T) -> None:
        self.root: Optional[Node[T]] = None
        for key in keys:
            self.add(key)

    def add(self, key: T) -> None:
        def insert(node):
            if node is None:
                return Node(key)
            if key < node.key:
                node.left = insert(node.left)
            elif key > node.key:
                node.right = insert(node.right)
            return node

        self.root = insert(self.root)

    def remove(self, key: T) -> None:
        self.root = self._remove(self.root, key)

    def _remove(self, node, key):
        if node is None:
            raise KeyError(key)
        if key < node.key:
            node.left = self._remove(node.left, key)
        elif key > node.key:
            node.right = self._remove(node.right, key)
        else:
            match node:
                case Node(left=None, right=child) | Node(left=child, right=None):
                    return child
            smallest = node.right
            while smallest.left:
                smallest = smallest.left
            node.key, node.right = smallest.key, self._remove(node.right, smallest.key)
        return node

    def __iter__(self) -> Iterator[T]:
        def walk(node):
            if node:
                yield from walk(node.left)
                yield node.key
                yield from walk(node.right)

        return walk(self.root)

    @property
    def depth(self):
        def measure(node):
            return 1 + max(measure(node.left), measure(node.right)) if node else 0

        return measure(self.root)


tree = Tree(50, 30, 70, 20, 40, 60, 80, 30)
print(list(tree), tree.depth, min(tree), 60 in tree)
for key in (20, 30, 50):
    tree.remove(key)
    print(key, list(tree), tree.root.key)
try:
    tree.remove(999)
except KeyError as error:
    print("missing", error)
Tree("b", "a", "c").root.left
