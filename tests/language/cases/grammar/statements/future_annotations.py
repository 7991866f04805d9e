# With the future import, annotations stay text and may name what does not exist.
from __future__ import annotations


def link(node: Node, depth: int | Unknown = 1) -> dict[str, Node]:
    return {}


class Node:
    parent: Node
    children: list[Node] = []


print(link.__annotations__)
print(Node.__annotations__["parent"], Node.children)
