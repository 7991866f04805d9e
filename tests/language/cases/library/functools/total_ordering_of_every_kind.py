# total_ordering from each of the four comparisons; it names the functions it gives when it first does
from functools import total_ordering


@total_ordering
class ByLess:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __lt__(self, other): return self.n < other.n


@total_ordering
class ByLessOrEqual:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __le__(self, other): return self.n <= other.n


@total_ordering
class ByGreater:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __gt__(self, other): return self.n > other.n


@total_ordering
class ByGreaterOrEqual:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __ge__(self, other): return self.n >= other.n


for kind in (ByLess, ByLessOrEqual, ByGreater, ByGreaterOrEqual):
    print(kind.__name__, kind(1) < kind(2), kind(1) <= kind(1), kind(2) > kind(1), kind(1) >= kind(2))
[kind.__le__.__name__ for kind in (ByLess, ByLessOrEqual, ByGreater, ByGreaterOrEqual)]
