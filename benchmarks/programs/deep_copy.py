"""`copy.deepcopy` of nested data, of objects with cycles, and of a class with its own `__deepcopy__`."""

import copy


class Part:
    def __init__(self, name, size):
        self.name = name
        self.size = size
        self.parent = None
        self.children = []
        self.tags = {"name": name, "sizes": [size, size + 1], "where": (size, [size])}

    def attach(self, child):
        child.parent = self
        self.children.append(child)


class Shared:
    """A catalogue that all copies keep in common."""

    def __init__(self):
        self.entries = list(range(100))
        self.copies = 0

    def __deepcopy__(self, memo):
        self.copies += 1
        memo[id(self)] = self
        return self


def build(depth, width, catalogue):
    part = Part(f"part-{depth}", depth * width)
    part.catalogue = catalogue
    if depth:
        for _ in range(width):
            part.attach(build(depth - 1, width, catalogue))
    return part


def measure(part):
    return part.size + sum(part.tags["sizes"]) + sum(measure(child) for child in part.children)


def copy_many(times):
    catalogue = Shared()
    original = build(3, 4, catalogue)
    total = 0
    for turn in range(times):
        twin = copy.deepcopy(original)
        twin.children[0].size += turn
        assert twin.children[0].parent is twin
        assert twin.catalogue is catalogue
        total += measure(twin)
    return total, measure(original), catalogue.copies


copy_many(85)
