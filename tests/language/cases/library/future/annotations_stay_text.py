# With the annotations future, annotations are not evaluated.
from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass
class Tree:
    value: int
    left: Tree | None = None
    right: UndefinedName = None

    def insert(self, value: Nowhere) -> Tree:
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child:
            child.insert(value)
        else:
            setattr(self, side, Tree(value))
        return self


print(Tree(5).insert(3).insert(8))
[(f.name, f.type) for f in fields(Tree)]
