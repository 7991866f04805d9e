import pickle
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import PurePosixPath

Point = namedtuple("Point", "x y")


class Kind(Enum):
    A = "a"


@dataclass
class Record:
    point: Point
    kind: Kind


values = [
    Point(1, 2), Kind.A, Record(Point(0, 0), Kind.A), datetime(2024, 1, 2), Decimal("1.10"), Fraction(1, 3),
    OrderedDict(a=1), defaultdict(list, a=[1]), deque([1], maxlen=2), {1, 2}, frozenset("a"), range(3), 1 + 2j,
    PurePosixPath("a/b"), b"x", slice(1, 2),
]
for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
    print(protocol, pickle.loads(pickle.dumps(values, protocol)) == values)
shared = [1]
a, b = pickle.loads(pickle.dumps((shared, shared)))
print(a is b)
loop = []
loop.append(loop)
print(pickle.loads(pickle.dumps(loop))[0][0][0] is not None)
