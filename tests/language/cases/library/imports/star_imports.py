# A star import binds the public names of a module.
from math import *
from collections import *
from itertools import *
from functools import *
from dataclasses import *
from enum import *
from typing import *
from string import *
from heapq import *
from datetime import *

print(floor(pi), Counter("aab")["a"], list(islice(count(), 3)), reduce(lambda a, b: a * b, [2, 3]))


@dataclass
class Pair:
    a: int
    b: Optional[int] = None


class Kind(Enum):
    ONE = auto()


heap = [3, 1]
heapify(heap)
print(Pair(1), Kind.ONE.value, digits, heap, date(2024, 1, 1) + timedelta(1), deque([1]))
sqrt(16), namedtuple("P", "x")(1)
