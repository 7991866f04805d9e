# Defining equality makes objects unhashable unless they say how to hash.
from functools import total_ordering


@total_ordering
class Version:
    def __init__(self, *parts): self.parts = parts
    def __eq__(self, other): return self.parts == other.parts
    def __lt__(self, other): return self.parts < other.parts
    def __hash__(self): return hash(self.parts)
    def __repr__(self): return ".".join(map(str, self.parts))


class NoHash:
    def __eq__(self, other): return True


v = [Version(1, 2), Version(1, 0), Version(1, 10)]
print(sorted(v), max(v), v[0] >= v[1], v[0] != Version(1, 2), len({*v, Version(1, 0)}))
try:
    hash(NoHash())
except TypeError as error:
    print(error)
print(NoHash() == 3, NoHash() != 3)
