# An import may be chosen at run time, and a missing name falls back.
import sys

if sys.version_info >= (3, 0):
    from itertools import accumulate as running
else:
    from functools import nothing_of_the_kind as running

try:
    from math import no_such_function as root
except ImportError:
    from math import isqrt as root

print(list(running([1, 2, 3])), root(50))
