# A mapping pattern never creates keys of a defaultdict.
from collections import OrderedDict, defaultdict

d = defaultdict(list, a=1)
match d:
    case {"b": value}:
        print("never")
    case {"a": value, **rest}:
        print(value, rest, type(rest).__name__)
print(dict(d))
match OrderedDict(x=1, y=2):
    case {"y": y, **rest}:
        print(y, rest)
