# Every form of import binds the names it should.
import math, json as js
import collections.abc
import os.path
from itertools import chain as link, count
from functools import (
    partial,
    reduce,
)

print(math.floor(2.7), js.dumps([1]))
print(issubclass(dict, collections.abc.Mapping), collections.Counter("aab")["a"])
print(os.path.join("a", "b"))
print(list(link([1], [2])), next(count(5)))
print(partial(pow, 2)(5), reduce(lambda a, b: a * b, [1, 2, 3, 4]))
