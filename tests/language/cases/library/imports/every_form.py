# Every form of import binds what it names.
import math
import math as m
import collections.abc
import collections.abc as cabc
import os.path, json as js, re
from math import pi as circle, sqrt
from collections import abc, OrderedDict as OD
from urllib import parse
import urllib.parse


def late():
    import itertools
    from functools import reduce as fold

    return fold(lambda a, b: a + b, itertools.islice(itertools.count(), 5))


class Holder:
    import string as text
    from math import tau


print(m is math, circle == m.pi, sqrt(9), cabc is collections.abc, abc is cabc, js.dumps([1]), re.sub("a", "b", "a"))
print(late(), Holder.text.digits, Holder.tau == 2 * math.pi, parse.quote(" "), urllib.parse is parse)
print(OD(a=1)["a"], collections.Counter("aa")["a"], math.__name__, os.path.join("a", "b"))
late() + len(Holder.text.digits)
