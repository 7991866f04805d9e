# Shallow copies share their parts, deep copies do not, and cycles survive.
import copy
from copy import deepcopy

grid = [[1, 2], [3, 4]]
shallow, deep = copy.copy(grid), deepcopy(grid)
grid[0][0] = 99
print(shallow, deep, shallow[1] is grid[1])
loop = {"name": "loop"}
loop["self"] = loop
again = copy.deepcopy(loop)
print(again["self"] is again, again is not loop)
shared = [1]
pair = deepcopy([shared, shared])
print(pair[0] is pair[1])


class Node:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)


tree = Node(1, [Node(2)])
twin = deepcopy(tree)
twin.children[0].value = 7
print(tree.children[0].value, twin.children[0].value, copy.copy(tree).children is tree.children)
deepcopy((1, [2, {3}]))
